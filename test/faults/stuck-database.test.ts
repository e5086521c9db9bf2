import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DOOR_NAMES } from '../../src/platform/config.ts';
import { withOwnerConnection } from '../../src/platform/database/connections.ts';
import { type BusyBank, busyBanks } from '../support/busy-banks.ts';
import { startOutsideDatabase } from '../support/outside-database.ts';
import { OwnProcess } from '../support/own-process.ts';
import { type Relay, startRelay } from '../support/relay.ts';

// A table that somebody holds, and a database that says nothing any more: what asks how the program is, is answered at once,
// what can go on goes on, and what cannot is answered in time.

/** More than all connections of the services that write. */
const STUCK = 40;
/** An answer that waits for nothing, on a machine with other work. */
const SOON_MS = 4_000;
const SETTINGS = { STARTER_RULES: 'off', VERIFY_AT: 'off' };

let database: Awaited<ReturnType<typeof startOutsideDatabase>>;
let relay: Relay;
let program: OwnProcess;
let bank: BusyBank;

beforeAll(async () => {
  database = await startOutsideDatabase();
  relay = await startRelay(database.url);
  program = (await OwnProcess.begin({ ...SETTINGS, DATABASE_URL: relay.url })).program;
  [bank] = (await busyBanks(program, await program.signedIn(), 1)) as [BusyBank];
});
afterAll(async () => {
  await relay?.close();
  await program?.remove();
  await database?.stop();
});

let entries = 0;
function post() {
  const [contaId, contrapartida] = [bank.bank.accounts.get('1.1.1'), bank.bank.accounts.get('2.1.1')];
  const lancamento = String(++entries);
  const entry = { documentId: bank.documentId, lancamento, debcre: 'D', day: '05', contaId, contrapartida, valor: 1 };
  // With a key each has a transaction, and so a connection, of its own.
  return bank.client.post('movements', '/entry', entry, { 'idempotency-key': `stuck-${lancamento}` });
}

async function timed(path: string): Promise<{ status: number; text: string; ms: number }> {
  const began = performance.now();
  const answer = await fetch(path);
  const text = await answer.text();
  return { status: answer.status, text, ms: performance.now() - began };
}

/** Of each service. */
const probed = (path: string) => Promise.all(DOOR_NAMES.map((door) => timed(`${program.address(door)}${path}`)));

function expectEach(answers: readonly { status: number; ms: number }[], status: number): void {
  expect(answers.map((answer) => answer.status)).toEqual(DOOR_NAMES.map(() => status));
  expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(SOON_MS);
}

test('a held table takes the connections of its service alone', async () => {
  const { client } = bank;
  expect((await post()).status).toBe(201);
  let stuck: ReturnType<typeof post>[] = [];
  await withOwnerConnection(database.url, async (owner) => {
    await owner.query('BEGIN; LOCK TABLE document IN ACCESS EXCLUSIVE MODE');
    stuck = Array.from({ length: STUCK }, post);
    const waiting = async () => {
      const { rows } = await owner.query(
        `SELECT 1 FROM pg_stat_activity WHERE pg_stat_activity.wait_event_type = 'Lock'`,
      );
      return rows.length;
    };
    await expect.poll(waiting, { timeout: 10_000 }).toBeGreaterThanOrEqual(2);
    for (const path of ['/actuator/health', '/actuator/health/readiness', '/actuator/health/liveness'])
      expectEach(await probed(path), 200);
    const began = performance.now();
    const others = await Promise.all([
      client.get('masterdata', '/allbranch'),
      client.get('compliance', '/api/compliance/company/list'),
      client.get('movements', '/actuator/metrics-export'),
      program.signedIn().then(({ token }) => ({ status: token === '' ? 0 : 200 })),
    ]);
    expect(others.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(performance.now() - began).toBeLessThan(SOON_MS);
    await owner.query('ROLLBACK');
  });
  expect([...new Set((await Promise.all(stuck)).map(({ status }) => status))]).toEqual([201]);
});

test('a database that says nothing is given up in time, seen by readiness alone, and taken up again', async () => {
  relay.fallSilent();
  const began = performance.now();
  const answer = post();
  await sleep(100);
  expectEach(await probed('/actuator/health/readiness'), 503);
  expectEach(await probed('/actuator/health/liveness'), 200);
  const metrics = await timed(`${program.address('queries')}/actuator/metrics-export`);
  expect([metrics.status, metrics.ms < SOON_MS]).toEqual([200, true]);
  expect(metrics.text).toMatch(/^partidas_requests_in_hand /m);
  expect(metrics.text).not.toMatch(/^partidas_jobs_waiting /m);
  const { status, headers, body } = await answer;
  expect([status, (body as { code: string }).code]).toEqual([503, 'DATABASE_UNAVAILABLE']);
  expect(headers.get('retry-after')).toBe('2');
  expect(performance.now() - began).toBeLessThan(10_000 + SOON_MS);
  relay.speak();
  await expect.poll(async () => (await timed(`${program.address('movements')}/actuator/health`)).status).toBe(200);
  expect((await post()).status).toBe(201);
});

test('SIGTERM ends the program in time while the database says nothing', async () => {
  relay.fallSilent();
  const answers = Array.from({ length: 4 }, () => post().catch((error: Error) => error));
  await sleep(200);
  const began = performance.now();
  await program.end('SIGTERM');
  expect(performance.now() - began).toBeLessThan(10_000);
  for (const answer of await Promise.all(answers)) expect(answer).toBeDefined();
  relay.speak();
});

test('and while somebody holds a table: what waited is answered, and nothing of it is stored', async () => {
  await program.start();
  await withOwnerConnection(database.url, async (owner) => {
    const stored = async () => (await owner.query('SELECT count(*)::int AS lines FROM entry_line')).rows[0].lines;
    const before = await stored();
    await owner.query('BEGIN; LOCK TABLE document IN ACCESS EXCLUSIVE MODE');
    const answers = Array.from({ length: 4 }, () => post());
    await sleep(500);
    const began = performance.now();
    await program.end('SIGTERM');
    expect(performance.now() - began).toBeLessThan(10_000);
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([503, 503, 503, 503]);
    await owner.query('ROLLBACK');
    expect(await stored()).toBe(before);
  });
});
