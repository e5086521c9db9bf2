import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withOwnerConnection } from '../../src/platform/database/connections.ts';
import { type Database, openDatabase } from '../../src/platform/database/database.ts';
import { DatabaseLost, StatementCancelled } from '../../src/platform/database/errors.ts';
import { prepareLogins } from '../../src/platform/database/logins.ts';
import { openReplica } from '../../src/platform/database/replica.ts';
import { openReplicaHealth, READ_OUTCOMES } from '../../src/platform/database/replica-health.ts';
import type { Sql } from '../../src/platform/database/sql.ts';
import { SQL } from '../../src/platform/database/statement.ts';
import { SYSTEM_SCOPE } from '../../src/platform/database/system-scope.ts';
import { type Bank, createBank } from '../support/banks.ts';
import { openMonth } from '../support/months.ts';
import { OwnProcess } from '../support/own-process.ts';
import { bodyOf, type Client } from '../support/platform.ts';
import { startRelay } from '../support/relay.ts';
import { ReplicatedServers, systemPostgres } from '../support/replicated-servers.ts';

// The program on a real server that another one follows by streaming.

const bin = systemPostgres();
const PAIRS = 2_000;
const WRITERS = 16;
const READS = 100;

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

  test('queries, reports and compliance read there, and no other service', async () => {
    const { company, branch } = books.bank;
    const month = { empresa: company, filial: branch, ano: 2026, mes: 1, visualizationEnum: 'CSV' };
    const answered = async (...all: ReturnType<Client['get']>[]) => {
      for (const { status, text } of await Promise.all(all)) expect([status, text]).toEqual([200, expect.anything()]);
      return (await outcomes()).replica!;
    };
    const before = await answered();
    const others = await answered(
      reading.get('masterdata', '/companies'),
      reading.get('movements', `/consolidations/${company}/${branch}?month=2026-01`),
    );
    expect(others).toBe(before);
    const compliance = await answered(reading.get('compliance', '/api/compliance/company/list'));
    expect(compliance).toBeGreaterThan(others);
    const queries = await answered(reading.get('queries', `/monthStates/${company}?from=2026-01&to=2026-01`));
    expect(queries).toBeGreaterThan(compliance);
    const reports = await answered(reading.post('reports', '/reports/monthlyTrialBalance', month));
    expect(reports).toBeGreaterThan(queries);
  }, 30_000);

  test('what a read costs the primary, and what the wait costs the read', async () => {
    const { company, branch, accounts } = books.bank;
    const path = `/ledger/${company}/${branch}/${accounts.get('1.1.1')}/lines?month=2026-01&tamanho=100`;
    const during = async (work: () => Promise<unknown>) => {
      const [before, since] = [await servers.processorMs('primary'), performance.now()];
      await work();
      return { processor: (await servers.processorMs('primary')) - before, took: performance.now() - since };
    };
    // What both processes ask by themselves.
    const idle = await during(() => sleep(2_000));
    const measure = async (client: Client) => {
      const took: number[] = [];
      const all = await during(async () => {
        for (let turn = 0; turn < READS; turn++) {
          const since = performance.now();
          await bodyOf(client.get('queries', path));
          took.push(performance.now() - since);
        }
      });
      took.sort((a, b) => a - b);
      const processor = Math.max(0, all.processor - (idle.processor * all.took) / idle.took) / READS;
      return { processor, middle: took[READS / 2]! };
    };
    await measure(reading);
    const [alone, there] = [await measure(admin), await measure(reading)];
    const text = ({ processor, middle }: typeof alone) =>
      `${processor.toFixed(2)} ms (read p50 ${middle.toFixed(1)} ms)`;
    console.log(
      `a page of a ledger of ${posted} lines, processor time of the primary: ${text(alone)} without, ${text(there)} with the replica`,
    );
    expect(there.processor).toBeLessThan(alone.processor);
  }, 60_000);

  test('reports that a conflict breaks off, pages of them out already or not, are whole all the same', async () => {
    const { company, branch } = books.bank;
    const place = { empresa: company, filial: branch, visualizationEnum: 'CSV' };
    const days = { ...place, dataInicio: '2026-01-01', dataFim: '2026-01-31' };
    const print = async (client: Client) => {
      const { conteudo } = await bodyOf(client.post('reports', '/reports/relatorioDiarioGeral', days));
      return Buffer.from(conteudo, 'base64').toString();
    };
    const expected = await print(admin);
    expect(expected.split('\n').length).toBeGreaterThan(posted);
    await withOwnerConnection(servers.url('primary'), async (owner) => {
      await owner.query('CREATE TABLE other AS SELECT 1 AS number');
      await servers.set('standby', { max_standby_streaming_delay: '0', hot_standby_feedback: 'off' });
      const before = (await outcomes()).conflict!;
      let isOver = false;
      const removing = (async () => {
        while (!isOver) {
          await owner.query('UPDATE other SET number = number + 1');
          await owner.query('VACUUM other');
        }
      })();
      try {
        for (let turn = 0; turn < 10; turn++) expect(await print(reading)).toBe(expected);
      } finally {
        isOver = true;
        await removing;
      }
      const broken = (await outcomes()).conflict! - before;
      console.log(`${broken} reads were broken off by the replay`);
      expect(broken).toBeGreaterThan(0);
    });
  }, 30_000);

  describe('the database alone', () => {
    let database: Database;
    let login: string;
    const lines: string[] = [];
    const counts = new BigInt64Array(READ_OUTCOMES.length);
    const address = () => `postgresql://${new URL(servers.url('standby')).host}/books`;
    const count = (outcome: (typeof READ_OUTCOMES)[number]) => Number(counts[READ_OUTCOMES.indexOf(outcome)]);
    const isReplica = SQL`SELECT pg_is_in_recovery() AS is`;
    const readsReplica = async () => (await database.under(SYSTEM_SCOPE).one<{ is: boolean }>(isReplica)).is;
    const asOwner = (command: string) => withOwnerConnection(servers.url('primary'), (client) => client.query(command));
    beforeAll(async () => {
      login = (await prepareLogins(servers.url('primary'), ['app'])).app!;
      const health = openReplicaHealth({ address: address(), counts }, (line) => lines.push(line));
      const limits = { request: 1, read: 2, import: 3, job: 4, lock: 5, idle: 6 };
      database = openDatabase(login, { limits, replica: { address: address(), health } });
    });
    afterAll(() => database?.close());

    /** A replica of which somebody says how far it must be. */
    const replicaAt = (timeline: number) => {
      const there = new URL(login);
      there.port = new URL(address()).port;
      const options = { connectionString: there.href, max: 4, limits: [], pooler: 'none' as const };
      const health = openReplicaHealth(
        { address: address(), counts: new BigInt64Array(READ_OUTCOMES.length) },
        (line) => lines.push(line),
      );
      return openReplica(options, { health, position: async () => ({ bytes: 0n, timeline }), identity: {} });
    };

    test('control: without the wait some reads come too early', async () => {
      const replica = replicaAt(1);
      let stale = 0;
      let pairs = 0;
      try {
        for (; pairs < 200 || (stale === 0 && pairs < 2_000); pairs++) {
          await post();
          const seen = await replica.read(
            (lend) => lend(countLines),
            () => Promise.reject(new Error('not on the replica')),
          );
          if (seen < 2 * posted) stale++;
        }
      } finally {
        await replica.close();
      }
      console.log(`without the wait: ${stale} of ${pairs} reads stale`);
      expect(stale).toBeGreaterThan(0);
    });

    test('scope and time limits hold there as on the primary, and what writes is done on the primary', async () => {
      await asOwner(
        `INSERT INTO company (id, code, name, cnpj, zip_code) VALUES (900, 'X', 'X', '', ''), (901, 'Y', 'Y', '', '')`,
      );
      const only = (company: number) => ({ companies: [company], wholeCompanies: [company], branches: [] });
      const seen = (sql: Sql) =>
        sql.one<Record<string, unknown>>(SQL`
          SELECT string_agg(company.id::text, ' ') AS companies, pg_is_in_recovery() AS is_replica,
                 concat_ws(' ', current_setting('statement_timeout'), current_setting('lock_timeout'),
                           current_setting('idle_in_transaction_session_timeout')) AS limits
            FROM company`);
      const expected = { companies: '900', is_replica: true, limits: '1s 5s 6s' };
      expect(await seen(database.under(only(900)))).toEqual(expected);
      expect(await database.under(only(900)).pipelined(seen)).toEqual(expected);
      expect(await database.doing('job').snapshot(only(901), seen)).toEqual({
        companies: '901',
        is_replica: true,
        limits: '4s 4s 4s',
      });
      expect(await database.transaction(only(901), seen)).toMatchObject({ is_replica: false });
      expect(await database.outOfBand(only(901)).one(isReplica)).toEqual({ is: false });
      expect(await database.primary.snapshot(only(901), seen)).toMatchObject({ is_replica: false });
      const nested = await database.snapshot(SYSTEM_SCOPE, async (sql) => {
        await sql.one(isReplica);
        return database.under(SYSTEM_SCOPE).one(isReplica);
      });
      expect(nested).toEqual({ is: false });
      await expect(database.under(SYSTEM_SCOPE).rows(SQL`SELECT pg_sleep(20)`)).rejects.toBeInstanceOf(
        StatementCancelled,
      );
      const writing = SQL`SELECT nextval(pg_get_serial_sequence('job', 'id')) AS id`;
      const before = count('unsuitable');
      for (let turn = 0; turn < 3; turn++) expect((await database.under(SYSTEM_SCOPE).rows(writing)).length).toBe(1);
      expect(count('unsuitable') - before).toBe(1);
      expect(lines).toEqual([]);
    });

    test('what a conflict with the replay breaks off begins anew on the primary', async () => {
      await asOwner('CREATE TABLE extra AS SELECT generate_series(1, 1000) AS number');
      await asOwner('GRANT SELECT ON extra TO partidas_app');
      await servers.set('standby', { max_standby_streaming_delay: '0', hot_standby_feedback: 'off' });
      const rows = SQL`SELECT count(*) AS rows, pg_is_in_recovery() AS is_replica FROM extra`;
      const before = count('conflict');
      const tries: unknown[] = [];
      const found = await database.snapshot(SYSTEM_SCOPE, async (sql) => {
        tries.push(await sql.one(rows));
        if (tries.length === 1) {
          await asOwner('DELETE FROM extra');
          await asOwner('VACUUM extra');
          await sleep(500);
        }
        return sql.one(rows);
      });
      expect(tries).toEqual([
        { rows: 1000, is_replica: true },
        { rows: 0, is_replica: false },
      ]);
      expect(found).toEqual(tries[1]);
      expect(count('conflict') - before).toBe(1);
      expect(await readsReplica()).toBe(true);
      expect(lines).toEqual([]);
    });

    test.each([
      {
        how: 'ends',
        begin: () => servers.crash('standby'),
        end: () => servers.startServer('standby'),
        says: /^reads go to the primary: the replica does not answer: /,
      },
      {
        how: 'says nothing any more',
        begin: () => servers.signal('standby', 'SIGSTOP'),
        end: () => servers.signal('standby', 'SIGCONT'),
        says: /^reads go to the primary: the replica does not answer: /,
      },
      {
        how: 'falls behind',
        begin: () => servers.run('standby', 'SELECT pg_wal_replay_pause()'),
        end: () => servers.run('standby', 'SELECT pg_wal_replay_resume()'),
        says: /^reads go to the primary: the replica is behind$/,
      },
    ])(
      'while it $how the primary answers, which is said once, as is its return',
      async ({ begin, end, says }) => {
        lines.length = 0;
        await expect.poll(readsReplica, { timeout: 10_000 }).toBe(true);
        await begin();
        let slowest = 0;
        try {
          for (let turn = 0; turn < 40; turn++) {
            await post();
            const since = performance.now();
            expect(await readsReplica()).toBe(false);
            slowest = Math.max(slowest, performance.now() - since);
            await sleep(30);
          }
          expect(lines).toEqual([expect.stringMatching(says)]);
        } finally {
          await end();
        }
        await expect.poll(readsReplica, { timeout: 20_000 }).toBe(true);
        expect(lines.slice(1)).toEqual(['the replica answers reads again']);
        expect(slowest).toBeLessThan(5_000);
      },
      60_000,
    );

    test('a server that takes no writes is as good as lost where the primary should be', async () => {
      const elsewhere = openDatabase(login.replace(new URL(login).port, new URL(address()).port));
      const nothing = SQL`DELETE FROM company WHERE company.id = -1`;
      await expect(elsewhere.under(SYSTEM_SCOPE).run(nothing)).rejects.toBeInstanceOf(DatabaseLost);
      await elsewhere.close();
      await servers.set('primary', { default_transaction_read_only: 'on' });
      try {
        for (const write of [
          () => database.under(SYSTEM_SCOPE).run(nothing),
          () => database.transaction(SYSTEM_SCOPE, (sql) => sql.run(nothing)),
        ])
          await expect.poll(() => write().catch((error) => error)).toBeInstanceOf(DatabaseLost);
      } finally {
        await withOwnerConnection(servers.url('primary', 'postgres'), async (owner) => {
          await owner.query('SET default_transaction_read_only = off');
          await owner.query('ALTER SYSTEM RESET default_transaction_read_only');
          await owner.query('SELECT pg_reload_conf()');
        });
      }
      await expect
        .poll(() =>
          database
            .under(SYSTEM_SCOPE)
            .run(nothing)
            .catch(() => -1),
        )
        .toBe(0);
    });

    test('one that follows another server than the primary answers nothing', async () => {
      lines.length = 0;
      const replica = replicaAt(2);
      const asked = replica.read(
        () => Promise.reject(new Error('read there')),
        async () => 'primary',
      );
      expect(await asked).toBe('primary');
      expect(lines).toEqual([expect.stringContaining('does not follow the server that is the primary now')]);
      await replica.close();
    });
  });
});

async function countLines(client: { query(text: string): Promise<{ rows: { lines: number }[] }> }): Promise<number> {
  await client.query(`SELECT set_config('app.companies', '*', false)`);
  return (await client.query('SELECT count(*) AS lines FROM entry_line')).rows[0]!.lines;
}

/** Entries posted by 16 at once while the primary crashes and the standby is promoted, and what became of them. */
async function promoteUnderLoad(isSynchronous: boolean) {
  const servers = await ReplicatedServers.start(bin!);
  const address = await startRelay(servers.url('primary'));
  const environment = {
    DATABASE_URL: address.url,
    DATABASE_READ_URL: `postgresql://${new URL(servers.url('standby')).host}/books`,
    VERIFY_AT: 'off',
  };
  const { program, admin } = await OwnProcess.begin(environment);
  try {
    if (isSynchronous) await servers.set('primary', { synchronous_standby_names: 'standby' });
    const books = await openBooks(admin);
    const posting = postUntilStopped(admin, books);
    await sleep(2_000);
    if (!isSynchronous) {
      servers.cutStream();
      await sleep(300);
    }
    await servers.crash('primary');
    const since = performance.now();
    await servers.promote();
    const promoted = performance.now() - since;
    address.leadTo(servers.url('standby'));
    const acknowledgedBefore = posting.acknowledged.size;
    await expect
      .poll(() => posting.acknowledged.size, { timeout: 20_000, interval: 5 })
      .toBeGreaterThan(acknowledgedBefore);
    const firstWrite = performance.now() - since - promoted;
    await sleep(1_500);
    await posting.stop();
    const rows = await withOwnerConnection(servers.url('standby'), async (client) => {
      const found = await client.query<{ number: string; lines: number }>(
        'SELECT entry_line.entry_number::text AS number, count(*) AS lines FROM entry_line GROUP BY 1',
      );
      return new Map(found.rows.map(({ number, lines }) => [number, Number(lines)]));
    });
    const acknowledged = [...posting.acknowledged].map(String);
    const { company, branch, accounts } = books.bank;
    const path = `/ledger/${company}/${branch}/${accounts.get('1.1.1')}?month=2026-01`;
    const shown: number = (await bodyOf(admin.get('queries', path))).linhas;
    return {
      acknowledged: acknowledged.length,
      lost: acknowledged.filter((number) => !rows.has(number)).length,
      doubled: [...rows.values()].filter((lines) => lines !== 2).length,
      rows: rows.size,
      shown,
      promoted: Math.round(promoted),
      firstWrite: Math.round(firstWrite),
    };
  } finally {
    await program.remove();
    await address.close();
    await servers.remove();
  }
}

function postUntilStopped(admin: Client, books: Books) {
  const acknowledged = new Set<number>();
  let number = 0;
  let isStopped = false;
  const work = Array.from({ length: WRITERS }, async () => {
    while (!isStopped) {
      const mine = ++number;
      const answer = await admin.post('movements', '/entry', entryOf(books, mine)).catch(() => undefined);
      if (answer?.status === 201) acknowledged.add(mine);
      else await sleep(20);
    }
  });
  return {
    acknowledged,
    stop: async () => {
      isStopped = true;
      await Promise.all(work);
    },
  };
}

describe.runIf(bin !== undefined)('a standby that is promoted while 16 post', () => {
  test('has all that was confirmed, when the primary waited for it', async () => {
    const { acknowledged, lost, doubled, rows, shown, promoted, firstWrite } = await promoteUnderLoad(true);
    console.log(
      `promotion, synchronous: ${acknowledged} confirmed, ${lost} lost, ${doubled} doubled; promoted in ${promoted} ms, first write ${firstWrite} ms after`,
    );
    expect(lost).toBe(0);
    expect(doubled).toBe(0);
    // The process goes on without a restart, and reads there: its replica is the primary now.
    expect(shown).toBe(rows);
  }, 90_000);

  test('control: it lacks some when the primary did not wait', async () => {
    const { acknowledged, lost } = await promoteUnderLoad(false);
    console.log(`promotion, asynchronous: ${lost} of ${acknowledged} confirmed lost`);
    expect(lost).toBeGreaterThan(0);
  }, 90_000);
});

/** Metrics are rendered once a second. */
async function outcomesOf(program: OwnProcess): Promise<Record<string, number>> {
  await sleep(1_000);
  const text = await (await fetch(`${program.address('queries')}/actuator/metrics-export`)).text();
  const found = [...text.matchAll(/^partidas_replica_reads_total\{outcome="(\w+)"\} (\d+)$/gm)];
  return Object.fromEntries(found.map(([, outcome, count]) => [outcome, Number(count)]));
}
