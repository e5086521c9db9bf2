import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../src/platform/database/database.ts';
import { prepareLogins } from '../../src/platform/database/logins.ts';
import { openReplica, type Replica } from '../../src/platform/database/replica.ts';
import { openReplicaHealth, READ_OUTCOMES } from '../../src/platform/database/replica-health.ts';
import { SQL } from '../../src/platform/database/statement.ts';
import { SYSTEM_SCOPE } from '../../src/platform/database/system-scope.ts';
import { type Bank, createBank } from '../support/banks.ts';
import { openMonth } from '../support/months.ts';
import { OwnProcess } from '../support/own-process.ts';
import { bodyOf, type Client } from '../support/platform.ts';
import { type Relay, startRelay } from '../support/relay.ts';
import { ReplicatedServers, systemPostgres } from '../support/replicated-servers.ts';

// The program on a real server that another one follows by streaming.

const bin = systemPostgres();
const PAIRS = 2_000;
const WRITERS = 16;

interface Books {
  readonly bank: Bank;
  readonly documentId: number;
}

async function openBooks(admin: Client): Promise<Books> {
  const bank = await createBank(admin);
  await openMonth(admin, bank, '01/2026');
  const place = { empresa: bank.company, filial: bank.branch, ano: 2026, mes: 1 };
  const { id: batchId } = await bodyOf(admin.post('movements', '/batch', place));
  const { id: documentId } = await bodyOf(admin.post('movements', '/document', { batchId }));
  return { bank, documentId };
}

function entryOf({ bank, documentId }: Books, number: number) {
  const [contaId, contrapartida] = [bank.accounts.get('1.1.1'), bank.accounts.get('2.1.1')];
  return { documentId, lancamento: String(number), debcre: 'D', day: '05', contaId, contrapartida, valor: 1 };
}

describe.runIf(bin !== undefined)('reads from a replica', () => {
  let servers: ReplicatedServers;
  let writer: OwnProcess;
  let reader: OwnProcess;
  let admin: Client;
  let reading: Client;
  let books: Books;
  let posted = 0;
  beforeAll(async () => {
    servers = await ReplicatedServers.start(bin!);
    const environment = { DATABASE_URL: servers.url('primary'), VERIFY_AT: 'off' };
    ({ program: writer, admin } = await OwnProcess.begin(environment));
    books = await openBooks(admin);
    const more = {
      DATABASE_READ_URL: `postgresql://${new URL(servers.url('standby')).host}/books`,
      JOBS: 'off',
      SEAL_KEY_FILE: join(writer.dataDir, 'seal-key'),
    };
    ({ program: reader, admin: reading } = await OwnProcess.begin({ ...environment, ...more }));
  }, 60_000);
  afterAll(async () => {
    await reader?.remove();
    await writer?.remove();
    await servers?.remove();
  });

  const post = async () => {
    await bodyOf(admin.post('movements', '/entry', entryOf(books, ++posted)));
  };
  const linesRead = async () => {
    const { company, branch, accounts } = books.bank;
    const path = `/ledger/${company}/${branch}/${accounts.get('1.1.1')}?month=2026-01`;
    return (await bodyOf(reading.get('queries', path))).linhas as number;
  };
  /** Reads so far, by who answered. */
  const outcomes = () => outcomesOf(reader);

  test(`${PAIRS} entries posted by one process are in what the other shows right after`, async () => {
    const before = await outcomes();
    let acknowledged = posted;
    let begun = 0;
    let stale = 0;
    const took: number[] = [];
    const work = async () => {
      while (begun < PAIRS) {
        begun++;
        await post();
        const least = ++acknowledged;
        const since = performance.now();
        if ((await linesRead()) < least) stale++;
        took.push(performance.now() - since);
      }
    };
    await Promise.all(Array.from({ length: WRITERS }, work));
    const after = await outcomes();
    const counts = Object.fromEntries(READ_OUTCOMES.map((each) => [each, after[each]! - before[each]!]));
    const total = Object.values(counts).reduce((sum, each) => sum + each, 0);
    const share = counts.replica! / total;
    took.sort((a, b) => a - b);
    const at = (part: number) => took[Math.floor(part * (took.length - 1))]!.toFixed(1);
    console.log(
      `${PAIRS} pairs by ${WRITERS} at once: ${stale} stale; read p50 ${at(0.5)} ms, p99 ${at(0.99)} ms; ` +
        `${(100 * share).toFixed(1)} % of ${total} reads answered by the replica ${JSON.stringify(counts)}`,
    );
    expect(stale).toBe(0);
    expect(total).toBeGreaterThanOrEqual(PAIRS);
    expect(share).toBeGreaterThan(0.6);
  }, 90_000);

  describe('the database alone', () => {
    let database: Database;
    let replica: Replica;
    const lines: string[] = [];
    const settings = () => ({
      address: `postgresql://${new URL(servers.url('standby')).host}/books`,
      counts: new BigInt64Array(READ_OUTCOMES.length),
    });
    const health = () => openReplicaHealth(settings(), (line) => lines.push(line));
    beforeAll(async () => {
      const { app } = await prepareLogins(servers.url('primary'), ['app']);
      database = openDatabase(app!, { replica: { address: settings().address, health: health() } });
      const login = new URL(app!);
      login.port = new URL(servers.url('standby')).port;
      const options = { connectionString: login.href, max: 4, limits: [], pooler: 'none' as const };
      replica = openReplica(options, {
        health: health(),
        position: async () => ({ bytes: 0n, timeline: 1 }),
        identity: {},
      });
    });
    afterAll(async () => {
      await Promise.all([database?.close(), replica?.close()]);
    });

    test('control: without the wait some reads come too early', async () => {
      let stale = 0;
      for (let pair = 0; pair < 200; pair++) {
        await post();
        const seen = await replica.read(
          (lend) =>
            lend(async (client) => {
              await client.query(`SELECT set_config('app.companies', '*', false)`);
              const { rows } = await client.query('SELECT count(*) AS lines FROM entry_line');
              return rows[0].lines as number;
            }),
          () => Promise.reject(new Error('not on the replica')),
        );
        if (seen < 2 * posted) stale++;
      }
      console.log(`without the wait: ${stale} of 200 reads stale`);
      expect(stale).toBeGreaterThan(0);
    });
  });
});

async function outcomesOf(program: OwnProcess): Promise<Record<string, number>> {
  const text = await (await fetch(`${program.address('queries')}/actuator/metrics-export`)).text();
  const found = [...text.matchAll(/^partidas_replica_reads_total\{outcome="(\w+)"\} (\d+)$/gm)];
  return Object.fromEntries(found.map(([, outcome, count]) => [outcome, Number(count)]));
}
