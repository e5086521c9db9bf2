import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { harmTo } from '../support/acknowledged-entries.ts';
import { type Bank, createBank } from '../support/banks.ts';
import { book, entryBody, newDocument } from '../support/books.ts';
import { recordFigure } from '../support/figures.ts';
import { closeMonth, openMonth } from '../support/months.ts';
import { OwnProcess } from '../support/own-process.ts';
import type { Client, HttpAnswer } from '../support/platform.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { timeLimitOf } from '../support/trust-parts.ts';
import { volumeOf } from '../support/volumes.ts';

// Clients post while the program and its database are killed; what was not answered is sent again under its key. Then
// the books must hold every entry that somebody was told is saved, each once, and balance.

const KILLS = volumeOf('KILLS');
const CLIENTS = 8;
const MONTH = '01/2026';
const SEED = 20_260_131;
/** Posts that were sent more than once, because the first answer never came. */
let repeated = 0;
/** A program gives its database up that ended six times within ten minutes. */
const MAX_RESTARTS_OF_ONE = 4;

let program: OwnProcess;
let admin: Client;
const controls: string[] = [];
beforeAll(async () => {
  ({ program, admin } = await OwnProcess.begin());
});
afterAll(() => program?.remove());

test('a server that answers before its disk has the entry: the loss is seen', {
  timeout: timeLimitOf('kills'),
}, async () => {
  const { bank, post } = await emptyBooks();
  await program.asOwner(async (owner) => {
    const { rows } = await owner.query<{ name: string }>(
      `SELECT pg_roles.rolname AS name FROM pg_roles WHERE pg_roles.rolcanlogin AND NOT pg_roles.rolsuper`,
    );
    for (const { name } of rows) await owner.query(`ALTER ROLE ${name} SET synchronous_commit = off`);
    // The log of changes stays in the server's own memory, which its end takes with it.
    await owner.query(`ALTER SYSTEM SET wal_writer_delay = '10s'`);
    await owner.query(`ALTER SYSTEM SET wal_writer_flush_after = '1GB'`);
    await owner.query('SELECT pg_reload_conf()');
    await owner.query(
      `SELECT pg_terminate_backend(pg_stat_activity.pid) FROM pg_stat_activity
        WHERE pg_stat_activity.usename = ANY ($1::name[])`,
      [rows.map(({ name }) => name)],
    );
  });
  const sent = await posting(post, async (stop) => {
    await sleep(1_500);
    stop();
  });
  await kill('database');
  await program.asOwner(async (owner) => {
    const { rows } = await owner.query<{ name: string }>(
      `SELECT pg_roles.rolname AS name FROM pg_roles WHERE pg_roles.rolconfig IS NOT NULL AND NOT pg_roles.rolsuper`,
    );
    for (const { name } of rows) await owner.query(`ALTER ROLE ${name} RESET synchronous_commit`);
    await owner.query('ALTER SYSTEM RESET ALL');
    await owner.query('SELECT pg_reload_conf()');
  });
  const { lost } = await harmIn(bank, sent);
  expect(lost).toBeGreaterThan(0);
  controls.push(`synchronous_commit off and the server killed: ${lost} of ${sent.size} acknowledged lost`);
  await program.end('SIGKILL');
  admin = await program.start();
});

test('keys that are forgotten, and a line that is taken away: both are seen', {
  timeout: timeLimitOf('kills'),
}, async () => {
  const { bank, post } = await emptyBooks();
  const sent = new Map<string, string>();
  for (let number = 0; number < 5; number++) {
    await send(post, `k${number}`, '1.00');
    await program.asOwner((owner) => owner.query('DELETE FROM idempotency_key'));
    sent.set(`k${number}`, '1.00');
    await send(post, `k${number}`, '1.00');
  }
  await program.asOwner(async (owner) => {
    await owner.query('SET session_replication_role = replica');
    await owner.query(
      `DELETE FROM entry_line WHERE entry_line.id =
        (SELECT min(entry_line.id) FROM entry_line WHERE entry_line.branch_id = $1)`,
      [bank.branchId],
    );
  });
  const { twice, unbalanced } = await harmIn(bank, sent);
  const { length: differences } = await program.verify(bank.company);
  expect(differences).toBeGreaterThan(0);
  expect([twice, unbalanced]).toEqual([5, 1]);
  controls.push(
    `keys forgotten: ${twice} duplicates`,
    `a line deleted by SQL: ${unbalanced} unbalanced, verify finds ${differences}`,
  );
});

test(`${CLIENTS} clients through ${KILLS} kills`, { timeout: timeLimitOf('kills') }, async () => {
  const { bank, post } = await emptyBooks();
  const random = seededRandom(SEED);
  repeated = 0;
  const counts = { program: 0, database: 0, both: 0 };
  let restarts = 0;
  let longest = 0;
  const sent = await posting(post, async (stop, acknowledged) => {
    for (let number = 0; number < KILLS; number++) {
      const before = acknowledged();
      while (acknowledged() < before + CLIENTS) await sleep(5);
      await sleep(random() * 800);
      const turn = Math.floor(random() * 3);
      const what = (['program', 'database', 'both'] as const)[restarts < MAX_RESTARTS_OF_ONE ? turn : 0]!;
      restarts = what === 'database' ? restarts + 1 : 0;
      counts[what]++;
      const began = performance.now();
      await kill(what);
      const then = acknowledged();
      while (acknowledged() === then) await sleep(5);
      longest = Math.max(longest, performance.now() - began);
    }
    stop();
  });
  const harm = await harmIn(bank, sent);
  await closeMonth(admin, bank, MONTH);
  const differences = await program.verify(bank.company);
  recordFigure({
    part: 'kills',
    what: `${CLIENTS} clients post under keys, program and database killed (−9) ${KILLS} times`,
    figure:
      `${sent.size} acknowledged, ${repeated} of them sent again (killed: program ${counts.program}, database ${counts.database}, both ${counts.both} times): ` +
      `lost ${harm.lost}, duplicates ${harm.twice}, unbalanced ${harm.unbalanced}, other ${harm.other.length}; the month closes, verify finds ${differences.length} differences; ` +
      `posting again within ${(longest / 1000).toFixed(1)} s`,
    control: controls.join('; '),
  });
  expect(harm).toEqual({ lost: 0, twice: 0, unbalanced: 0, other: [] });
  expect(differences).toEqual([]);
});

type Post = (key: string, amount: string) => Promise<HttpAnswer>;

async function emptyBooks(): Promise<{ bank: Bank; post: Post }> {
  const bank = await createBank(admin);
  await openMonth(admin, bank, MONTH);
  const document = await newDocument(admin, bank, MONTH);
  const [example] = book`15/01  1.1.1  D  1,00  2.1.1`;
  const body = entryBody(bank, document, [example!]);
  return {
    bank,
    post: (key, amount) =>
      admin.post('movements', '/entry', { ...body, valor: Number(amount), historico: key }, { 'idempotency-key': key }),
  };
}

/**
 * The clients post, each entry until it is acknowledged, from the beginning to the `stop` of `meanwhile`; returns the
 * acknowledged ones: key and amount.
 */
async function posting(
  post: Post,
  meanwhile: (stop: () => void, acknowledged: () => number) => Promise<void>,
): Promise<Map<string, string>> {
  const sent = new Map<string, string>();
  let isOn = true;
  const client = async (at: number) => {
    for (let number = 1; isOn; number++) {
      const key = `c${at}-${number}`;
      const amount = `${number}.${at}${at}`;
      await send(post, key, amount);
      sent.set(key, amount);
    }
  };
  const stop = () => {
    isOn = false;
  };
  const clients = Array.from({ length: CLIENTS }, (_, at) => client(at + 1));
  await Promise.all([...clients, meanwhile(stop, () => sent.size).finally(stop)]);
  return sent;
}

/** Sends until it is acknowledged. @throws Error for a refusal: these entries are right */
async function send(post: Post, key: string, amount: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    if (attempt === 2) repeated++;
    // Nobody is there while the program starts.
    const answer = await post(key, amount).catch(() => undefined);
    if (answer?.status === 201) return;
    if (answer !== undefined && answer.status !== 503) throw new Error(`${answer.status} ${answer.text}`);
    await sleep(20);
  }
}

/** Kills, and starts again whatever does not start by itself. */
async function kill(what: 'program' | 'database' | 'both'): Promise<void> {
  const server = await program.serverPid();
  if (what !== 'database') {
    const ended = program.end('SIGKILL');
    if (what === 'both') process.kill(server, 'SIGKILL');
    await ended;
    admin = await program.start();
    return;
  }
  process.kill(server, 'SIGKILL');
  while ((await program.serverPid().catch(() => server)) === server) await sleep(10);
  while ((await admin.get('authentication', '/api/auth/me').catch(() => undefined))?.status !== 200) await sleep(20);
}

const harmIn = (bank: Bank, sent: ReadonlyMap<string, string>) => program.asOwner((owner) => harmTo(owner, bank, sent));
