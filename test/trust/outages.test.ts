import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BusyBank, busyBanks } from '../support/busy-banks.ts';
import { recordFigure } from '../support/figures.ts';
import { OwnProcess } from '../support/own-process.ts';
import type { HttpAnswer } from '../support/platform.ts';
import { mountSmallDisk, type SmallDisk } from '../support/small-disks.ts';
import { timeLimitOf } from '../support/trust-parts.ts';
import { FORM } from '../support/volumes.ts';

// The database goes away, takes nobody, or has no room, while clients go on posting: what they are answered meanwhile,
// what was acknowledged, and that the program goes on by itself when the cause is gone.

const CLIENTS = 4;
const HELD_MS = FORM === 'full' ? 6_000 : 1_000;
/** The longest answer while the cause lasts: LOCK_TIMEOUT or the wait for a connection, and room for a busy machine. */
const BOUND_MS = 25_000;
const UNTIL_SEEN_MS = 20_000;
/** An empty database needs 60 MB, its log 80; both grow little here. */
const MEGABYTES = { data: 300, log: 250 };
const SETTINGS = { LOCK_TIMEOUT: '2', DATABASE_CONNECTIONS: '8', DISK_RESERVE_MB: '0', ACCESS_TOKEN_TTL: '86400' };

let disks: { readonly data: SmallDisk; readonly log: SmallDisk } | undefined;
let reason = '';
let program: OwnProcess;
let bank: BusyBank;

beforeAll(async () => {
  const [data, log] = [mountSmallDisk(MEGABYTES.data), mountSmallDisk(MEGABYTES.log)];
  if (typeof data === 'string' || typeof log === 'string') reason = String(data);
  else disks = { data, log };
  program = (await OwnProcess.begin(SETTINGS, disks?.data.folder)).program;
  if (disks !== undefined) {
    // The log of the database on a disk of its own: each can be filled alone.
    await program.end('SIGTERM');
    const place = join(program.databaseFolder, 'pg_wal');
    const moved = join(disks.log.folder, 'pg_wal');
    execFileSync('sh', ['-c', 'cp -a "$0" "$1" && rm -r "$0" && ln -s "$1" "$0"', place, moved]);
    await program.start();
  }
  [bank] = (await busyBanks(program, await program.signedIn(), 1)) as [BusyBank];
}, 120_000);
afterAll(async () => {
  await program?.remove();
  disks?.data.remove();
  disks?.log.remove();
});

interface Outage {
  readonly what: string;
  readonly begin: () => Promise<unknown>;
  readonly end: () => Promise<unknown>;
  /** Codes that a client may be told meanwhile. */
  readonly codes: readonly string[];
  /** Whether the service that writes says that it cannot work. */
  readonly isDown: boolean;
  /** Reading goes on. */
  readonly readable?: true;
}

interface Seen {
  readonly acknowledged: Set<string>;
  readonly codes: Map<string, number>;
  readonly faults: string[];
  longestMs: number;
  isDown: boolean;
  reads: number;
}

let entries = 0;

/** Posts one entry until it is acknowledged, always under the same key. */
async function postUntilDone(seen: Seen): Promise<void> {
  const number = String(++entries);
  const { documentId, client } = bank;
  const [account, offset] = [bank.bank.accounts.get('1.1.1'), bank.bank.accounts.get('2.1.1')];
  const entry = {
    documentId,
    lancamento: number,
    debcre: 'D',
    day: '05',
    contaId: account,
    contrapartida: offset,
    valor: 1,
  };
  for (;;) {
    const began = performance.now();
    const answer = await client
      .post('movements', '/entry', entry, { 'idempotency-key': `${bank.bank.company}-${number}` })
      .catch((error: Error) => error);
    seen.longestMs = Math.max(seen.longestMs, performance.now() - began);
    if (!(answer instanceof Error) && answer.status === 201) {
      seen.acknowledged.add(number);
      return;
    }
    note(answer, seen);
    await sleep(50);
  }
}

function note(answer: HttpAnswer | Error, { codes, faults }: Seen): void {
  if (answer instanceof Error) return void faults.push(`no answer: ${answer.message}`);
  const { code } = answer.body as { code?: string };
  if (answer.status !== 503 || !answer.headers.has('retry-after')) faults.push(`${answer.status} ${answer.text}`);
  codes.set(code ?? '', (codes.get(code ?? '') ?? 0) + 1);
}

async function isUp(): Promise<boolean> {
  return (await bank.client.get('movements', '/actuator/health')).status === 200;
}

async function until(reached: () => boolean | Promise<boolean>, what: string, seen: Seen): Promise<void> {
  for (const giveUp = performance.now() + UNTIL_SEEN_MS; !(await reached()); await sleep(50)) {
    if (performance.now() > giveUp) {
      throw new Error(
        `never seen: ${what}; ${seen.acknowledged.size} acknowledged, ${[...seen.codes, ...seen.faults]}`,
      );
    }
  }
}

async function during({ begin, end, isDown, readable }: Outage): Promise<Seen & { recoveredMs: number }> {
  const seen: Seen = { acknowledged: new Set(), codes: new Map(), faults: [], longestMs: 0, isDown: false, reads: 0 };
  const pid = program.process.pid;
  let isOver = false;
  const posting = Array.from({ length: CLIENTS }, async () => {
    while (!isOver) await postUntilDone(seen);
  });
  await until(() => seen.acknowledged.size > CLIENTS, 'an entry before', seen);
  await begin();
  try {
    await until(() => seen.codes.size > 0, 'a refusal', seen);
    if (isDown) await until(async () => !(await isUp()), 'health DOWN', seen);
    seen.isDown = isDown;
    for (const began = performance.now(); performance.now() - began < HELD_MS; await sleep(100)) {
      if (!readable) continue;
      const { company, branch } = bank.bank;
      const tenant = { empresa: company, filial: branch, contaId: bank.bank.accounts.get('1.1.2') };
      const { status } = await bank.client.post('queries', '/generalLedgerQuery', { ...tenant, year: 2026, month: 1 });
      if (status === 200) seen.reads++;
      else seen.faults.push(`reading: ${status}`);
    }
  } finally {
    await end();
  }
  const began = performance.now();
  const before = seen.acknowledged.size;
  await until(() => seen.acknowledged.size > before + 2 * CLIENTS, 'an entry afterwards', seen);
  await until(isUp, 'health UP', seen);
  const recoveredMs = performance.now() - began;
  isOver = true;
  await Promise.all(posting);
  if (program.hasEnded || program.process.pid !== pid) seen.faults.push('the program ended');
  return { ...seen, recoveredMs };
}

/** Entries of the document that were acknowledged and are not there, or more than once. */
async function compared(acknowledged: ReadonlySet<string>): Promise<{ lost: number; doubled: number }> {
  const counts = await program.asOwner(async (client) => {
    const { rows } = await client.query<{ number: string; count: number }>(
      `SELECT entry_line.entry_number AS number, count(*)::integer AS count FROM entry_line
        WHERE entry_line.document_id = $1 GROUP BY entry_line.entry_number`,
      [bank.documentId],
    );
    return new Map(rows.map(({ number, count }) => [number, count]));
  });
  const linesOf = (number: string) => counts.get(number) ?? 0;
  return {
    lost: [...acknowledged].filter((number) => linesOf(number) === 0).length,
    doubled: [...counts.values()].filter((count) => count !== 2).length,
  };
}

const all = new Set<string>();
const told: string[] = [];

async function endures(outage: Outage): Promise<void> {
  const seen = await during(outage);
  for (const number of seen.acknowledged) all.add(number);
  const codes = [...seen.codes.keys()].sort();
  told.push(
    `${outage.what}: ${codes.join(', ')}, longest answer ${(seen.longestMs / 1_000).toFixed(1)} s, ` +
      `again after ${(seen.recoveredMs / 1_000).toFixed(1)} s${outage.isDown ? ', health DOWN meanwhile' : ''}`,
  );
  console.log(told.at(-1));
  expect(seen.faults).toEqual([]);
  expect(outage.codes).toEqual(expect.arrayContaining(codes));
  expect(seen.longestMs).toBeLessThan(BOUND_MS);
  if (outage.readable) expect(seen.reads).toBeGreaterThan(0);
  expect(await compared(all)).toEqual({ lost: 0, doubled: 0 });
}

const timeout = timeLimitOf('outages');
const signalServer = async (signal: NodeJS.Signals) => process.kill(await program.serverPid(), signal);
const LOST = ['BUSY', 'DATABASE_UNAVAILABLE'];

test('the database is stopped, and started again by the program', { timeout }, () =>
  endures({ what: 'stopped', begin: () => signalServer('SIGINT'), end: async () => {}, codes: LOST, isDown: false }),
);

test('the database is killed', { timeout }, () =>
  endures({ what: 'killed', begin: () => signalServer('SIGKILL'), end: async () => {}, codes: LOST, isDown: false }),
);

test('the database takes no connection', { timeout }, () => {
  const limit = (count: number) =>
    program.asOwner(async (owner) => {
      await owner.query(`ALTER ROLE partidas_app_login CONNECTION LIMIT ${count}`);
      await owner.query(
        `SELECT pg_terminate_backend(pg_stat_activity.pid) FROM pg_stat_activity
          WHERE pg_stat_activity.usename = 'partidas_app_login'`,
      );
    });
  return endures({ what: 'no connection', begin: () => limit(0), end: () => limit(-1), codes: LOST, isDown: true });
});

test('all connections of the pool are held', { timeout }, async () => {
  let release = () => {};
  let held: Promise<unknown> = Promise.resolve();
  await endures({
    what: 'pool exhausted',
    begin: () =>
      new Promise<void>((locked) => {
        held = program.asOwner(async (owner) => {
          await owner.query('BEGIN; LOCK TABLE month IN ACCESS EXCLUSIVE MODE');
          locked();
          await new Promise<void>((resolve) => {
            release = resolve;
          });
          await owner.query('ROLLBACK');
        });
      }),
    end: () => {
      release();
      return held;
    },
    codes: ['BUSY'],
    isDown: false,
  });
});

test('the disk of the database is full', { timeout }, async (context) => {
  const { data } = await disksOr(context.skip);
  await endures({
    what: 'disk full',
    begin: () => data.fill(),
    end: () => data.empty(),
    codes: [...LOST, 'STORAGE_FULL'],
    isDown: true,
    readable: true,
  });
  expect(told.at(-1)).toContain('STORAGE_FULL');
});

test("the disk of the database's log is full", { timeout }, async (context) => {
  const { log } = await disksOr(context.skip);
  // The server keeps some of its files for later; it takes a new one when it is told to.
  const fill = async () => {
    await log.fill();
    await program.asOwner((owner) => owner.query(FILLS_LOG)).catch(() => {});
  };
  await endures({
    what: "log's disk full",
    begin: fill,
    end: () => log.empty(),
    codes: [...LOST, 'STORAGE_FULL'],
    isDown: true,
  });
});

/** As much as the files that are left. */
const FILLS_LOG = `SELECT pg_logical_emit_message(false, 'fill', repeat(md5(random()::text), 500000)) FROM generate_series(1, 40)`;

async function disksOr(skip: (reason: string) => never): Promise<NonNullable<typeof disks>> {
  if (disks !== undefined) return disks;
  console.log(reason);
  if (process.env.CI) throw new Error(reason);
  return skip(reason);
}

test('control: an entry that is taken away behind is found missing', { timeout }, async () => {
  const [first] = all;
  await program.asOwner(async (owner) => {
    await owner.query("SET session_replication_role = 'replica'");
    await owner.query('DELETE FROM entry_line WHERE document_id = $1 AND entry_number = $2', [bank.documentId, first]);
  });
  expect(await compared(all)).toEqual({ lost: 1, doubled: 0 });
  recordFigure({
    part: 'outages',
    what: `database stopped, killed, without connections, pool exhausted${disks ? ', disk full, log full' : ''}`,
    figure: `${all.size} acknowledged, lost 0, doubled 0, other answers than 503 with Retry-After 0; ${told.join('; ')}`,
    control: 'an acknowledged entry taken away by SQL: 1 missing',
  });
});
