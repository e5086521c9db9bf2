import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { withOwnerConnection } from '../../src/platform/database/connections.ts';
import { type Database, openDatabase } from '../../src/platform/database/database.ts';
import { StatementCancelled, TransactionBusy } from '../../src/platform/database/errors.ts';
import { loginsOf } from '../../src/platform/database/logins.ts';
import { migrate } from '../../src/platform/database/migrate.ts';
import type { Sql } from '../../src/platform/database/sql.ts';
import { SQL } from '../../src/platform/database/statement.ts';
import { SYSTEM_SCOPE } from '../../src/platform/database/system-scope.ts';
import { DEFAULT_SECONDS } from '../../src/platform/database/time-limits.ts';
import { type Bank, createBank } from '../support/banks.ts';
import { databaseUrl } from '../support/database-server.ts';
import { closeMonth, openMonth } from '../support/months.ts';
import { type PgBouncer, startPgBouncer } from '../support/pgbouncer.ts';
import { bodyOf, type Client, type Platform, startPlatform } from '../support/platform.ts';
import { hasTool } from '../support/system-tools.ts';
import { createUser } from '../support/users.ts';

// The program behind a real PgBouncer in transaction mode, which gives a connection of the server to whoever comes next:
// fewer of those than the program has connections.

const POOL_SIZE = 4;
const isInstalled = hasTool('pgbouncer', { reason: 'the program is not tried behind it' });

describe.runIf(isInstalled)('connections through PgBouncer', () => {
  const name = `test_${randomBytes(6).toString('hex')}`;
  let bouncer: PgBouncer;
  let ownerUrl: string;
  let url: string;
  beforeAll(async () => {
    const serverUrl = inject('serverUrl');
    await withOwnerConnection(serverUrl, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE template_books`));
    ownerUrl = databaseUrl(serverUrl, name);
    await withOwnerConnection(ownerUrl, (client) =>
      client.query(
        `INSERT INTO company (id, code, name, cnpj, zip_code) VALUES (1, 'A', 'A', '', ''), (2, 'B', 'B', '', '')`,
      ),
    );
    bouncer = await startPgBouncer(serverUrl, POOL_SIZE);
    url = bouncer.url('app', name);
  });
  afterAll(async () => {
    await bouncer?.stop();
    await withOwnerConnection(inject('serverUrl'), (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`));
  });

  const open = (limits = DEFAULT_SECONDS, pooler: 'unnamed' | 'named' = 'unnamed') =>
    openDatabase(url, { max: 16, limits, pooler });
  const only = (company: number) => ({ companies: [company], wholeCompanies: [company], branches: [] });
  const visible = async (sql: Sql) => {
    const rows = await sql.rows<{ id: number }>(SQL.named('visible')`SELECT company.id FROM company ORDER BY id`);
    return rows.map(({ id }) => id).join();
  };
  const failing = SQL`SELECT 1 / 0 AS nothing`;

  /** Every way to send something, by turns for two companies on 16 connections; how often one saw other than its own. */
  async function crossings(database: Database, times: number): Promise<number> {
    let crossed = 0;
    let turn = 0;
    const ways: ((company: number) => Promise<string>)[] = [
      (company) => visible(database.under(only(company))),
      (company) =>
        database.under(only(company)).pipelined(async (sql) => (await Promise.all([visible(sql), visible(sql)]))[1]),
      (company) => database.transaction(only(company), visible),
      (company) => database.doing('job').snapshot(only(company), visible),
      async (company) => {
        await database
          .under(only(company))
          .rows(failing)
          .catch(() => {});
        return visible(database.outOfBand(only(company)));
      },
      (company) =>
        database.transaction(only(company), async (sql) => {
          await visible(sql);
          return sql.commitWith(visible);
        }),
    ];
    const worker = async () => {
      while (turn < times) {
        const company = 1 + (turn % 2);
        const seen = await ways[turn++ % ways.length]!(company);
        if (seen !== String(company)) crossed++;
      }
    };
    await Promise.all(Array.from({ length: 16 }, worker));
    return crossed;
  }

  test('two tenants on four connections of the server never see each other', async () => {
    const database = open();
    try {
      expect(await crossings(database, 6_000)).toBe(0);
      const [pool] = (await bouncer.show('SHOW POOLS')).filter((each) => each.database === name);
      expect(Number(pool!.sv_active) + Number(pool!.sv_idle) + Number(pool!.sv_used)).toBeLessThanOrEqual(POOL_SIZE);
      // What brings no scope sees nothing, whoever had its connection before.
      const bare = new pg.Client(url);
      await bare.connect();
      const { rows } = await bare.query('SELECT company.id FROM company');
      await bare.end();
      expect(rows).toEqual([]);
    } finally {
      await database.close();
    }
  }, 60_000);

  test('control: a scope that is set for the session is seen by others there', async () => {
    // As the program did before: a login whose connections no other test has.
    const clients = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const client = new pg.Client(bouncer.url('auth', name));
        await client.connect();
        return client;
      }),
    );
    let crossed = 0;
    for (let turn = 0; turn < 50; turn++) {
      await Promise.all(
        clients.map(async (client, at) => {
          const company = String(1 + (at % 2));
          await client.query(`SELECT set_config('app.companies', $1, false)`, [company]);
          const { rows } = await client.query('SELECT company.id FROM company');
          if (rows.length !== 1 || String(rows[0].id) !== company) crossed++;
        }),
      );
    }
    await Promise.all(clients.map((client) => client.end()));
    expect(crossed).toBeGreaterThan(0);
  });

  test('prepared statements are lost there, unless the pooler keeps them', async () => {
    const [{ version }] = (await bouncer.show('SHOW VERSION')) as [{ version: string }];
    const minor = Number(/ 1\.(\d+)/.exec(version)![1]);
    const database = open(DEFAULT_SECONDS, 'named');
    try {
      const outcome = await crossings(database, 500).catch((error: Error) => error.message);
      if (minor < 21) expect(outcome).toMatch(/prepared statement ".*" (already exists|does not exist)/);
      else console.log(`PgBouncer 1.${minor} may keep prepared statements: what forgets them is not tried`);
    } finally {
      await database.close();
    }
  });

  test('time limits, time zone and schema are those that each transaction brings', async () => {
    const database = open({ request: 1, read: 2, import: 3, job: 4, lock: 5, idle: 6 });
    const settings = (sql: Sql) =>
      sql.one<{ at: string }>(SQL`
        SELECT concat_ws(' ', current_setting('statement_timeout'), current_setting('lock_timeout'),
                         current_setting('idle_in_transaction_session_timeout'), current_setting('TimeZone'),
                         current_schema()) AS at`);
    try {
      for (let turn = 0; turn < 8; turn++) {
        expect((await settings(database.under(only(1)))).at).toBe('1s 5s 6s UTC public');
        expect((await database.doing('job').transaction(only(1), settings)).at).toBe('4s 4s 4s UTC public');
      }
    } finally {
      await database.close();
    }
  });

  test('a statement, and a transaction that says nothing, end in time; the pool goes on', async () => {
    const database = open({ ...DEFAULT_SECONDS, request: 1, idle: 1 });
    const sleeping = (sql: Sql) => sql.rows(SQL`SELECT pg_sleep(20)`);
    try {
      await expect(sleeping(database.under(SYSTEM_SCOPE))).rejects.toBeInstanceOf(StatementCancelled);
      const silent = database.transaction(only(1), async (sql) => {
        await visible(sql);
        await sleep(2_500);
        return visible(sql);
      });
      await expect(silent).rejects.toBeInstanceOf(TransactionBusy);
      expect(await visible(database.under(only(2)))).toBe('2');
    } finally {
      await database.close();
    }
  }, 20_000);

  test('cancelling ends what runs on its own connections, and nothing of others', async () => {
    const [database, other] = [open(), open()];
    const sleeping = (of: Database, seconds: number) => of.under(SYSTEM_SCOPE).rows(SQL`SELECT pg_sleep(${seconds})`);
    try {
      const theirs = sleeping(other, 2);
      const mine = [sleeping(database, 20), sleeping(database, 20)].map((each) => each.catch((error: Error) => error));
      await sleep(500);
      await database.cancel();
      for (const each of await Promise.all(mine)) expect(each).toBeInstanceOf(StatementCancelled);
      expect(await theirs).toHaveLength(1);
      expect(await crossings(database, 200)).toBe(0);
    } finally {
      await Promise.all([database.close(), other.close()]);
    }
  }, 20_000);

  test('a pooler that was not said is found at the start; the owner needs the server itself', async () => {
    const logins = { app: url, reader: undefined, auth: undefined };
    await expect(loginsOf(logins, undefined, ['app'], 'none')).rejects.toThrow('DATABASE_APP_URL: leads to a pooler');
    expect(await loginsOf(logins, undefined, ['app'], 'unnamed')).toEqual({ app: url });
    await expect(migrate(url)).rejects.toThrow('DATABASE_URL: leads to a pooler');
  });
});

describe.runIf(isInstalled)('the program behind PgBouncer', () => {
  let bouncer: PgBouncer;
  let platform: Platform;
  beforeAll(async () => {
    bouncer = await startPgBouncer(inject('serverUrl'), POOL_SIZE);
    platform = await startPlatform((database) => ({
      DATABASE_POOLER: 'unnamed',
      DATABASE_CONNECTIONS: '40',
      DATABASE_APP_URL: bouncer.url('app', database),
      DATABASE_READER_URL: bouncer.url('reader', database),
      DATABASE_AUTH_URL: bouncer.url('auth', database),
    }));
  }, 60_000);
  afterAll(async () => {
    await platform?.stop();
    await bouncer?.stop();
  });

  const ENTRIES = 240;

  test('three companies post, import, read, print and close at the same time, each its own books', async () => {
    const books = await Promise.all([1, 2, 3].map(() => openBooks(platform)));
    const stop = new AbortController();
    const events = Promise.all(books.map(({ client }) => eventsOf(platform, client, stop.signal)));
    const clients = Array.from({ length: 16 }, (_, at) => books[at % books.length]!);
    let posted = 0;
    await Promise.all([
      ...clients.map(async (each) => {
        while (posted < ENTRIES) await postEntry(each, ++posted);
      }),
      ...books.map(importRows),
    ]);
    for (const each of books) {
      const seen = await bodyOf(each.client.get('masterdata', '/companies'));
      expect(seen.map(({ id }: { id: number }) => id)).toEqual([each.bank.companyId]);
      const stranger = books.find((other) => other !== each)!;
      const beyond = await each.client.get('movements', `/entrysummary/${stranger.batchId}`);
      expect(beyond.status).toBe(404);
    }
    await Promise.all(books.map(async ({ client, bank }) => printInBackground(client, bank)));
    await Promise.all(books.map(({ client, bank }) => closeMonth(client, bank, '01/2026')));
    stop.abort();
    const [lines, told] = [await Promise.all(books.map(linesOf)), await events];
    expect(lines.reduce((sum, each) => sum + each, 0)).toBe(2 * (posted + books.length * ROWS));
    for (const [at, { bank }] of books.entries()) expect(told[at]).toEqual(new Set([bank.company]));
  }, 120_000);
});

interface Books {
  readonly bank: Bank;
  readonly client: Client;
  readonly batchId: number;
  readonly documentId: number;
}

async function openBooks({ admin, as }: Platform): Promise<Books> {
  const bank = await createBank(admin);
  await openMonth(admin, bank, '01/2026');
  const { company } = bank;
  const username = `contador${company.toLowerCase()}`;
  const user = await createUser(admin, { username, permissions: [{ company }], routines: ['CONSOLIDATION'] });
  const client = await as(user.username, user.password);
  const { id: batchId } = await bodyOf(
    client.post('movements', '/batch', { empresa: company, filial: bank.branch, ano: 2026, mes: 1 }),
  );
  const { id: documentId } = await bodyOf(client.post('movements', '/document', { batchId }));
  return { bank, client, batchId, documentId };
}

async function postEntry({ bank, client, documentId }: Books, number: number): Promise<void> {
  const [contaId, contrapartida] = [bank.accounts.get('1.1.1'), bank.accounts.get('2.1.1')];
  const entry = { documentId, lancamento: String(number), debcre: 'D', day: '05', contaId, contrapartida, valor: 1 };
  await bodyOf(client.post('movements', '/entry', entry));
}

const ROWS = 2_000;

async function importRows({ client, batchId }: Books): Promise<void> {
  const rows = Array.from({ length: ROWS }, (_, at) => `9;${at + 1};5;D;1.1.2;2.1.2;1,00;Aporte ${at}`);
  const form = new FormData();
  const header = 'documento;lancamento;dia;debcre;conta;contrapartida;valor;historico';
  form.set('file', new Blob([[header, ...rows].join('\n')]), 'rows.csv');
  expect(await bodyOf(client.call('movements', 'POST', `/batch/${batchId}/import`, form))).toMatchObject({
    success: true,
    totalRows: ROWS,
  });
}

async function printInBackground(client: Client, { company, branch }: Bank): Promise<void> {
  const month = { empresa: company, filial: branch, ano: 2026, mes: 1, visualizationEnum: 'CSV' };
  const { status, body } = await client.post('reports', '/reports/monthlyTrialBalance?async=true', month);
  expect(status).toBe(202);
  const printed = async () => (await bodyOf(client.get('reports', `/reports/jobs/${body.id}`))).status;
  await expect.poll(printed, { timeout: 30_000 }).toBe('DONE');
}

/** Lines of the batch. */
async function linesOf({ client, batchId }: Books): Promise<number> {
  return (await bodyOf(client.get('movements', `/entrysummary/${batchId}`))).totalEntries;
}

/** The companies whose events a client is told, until it leaves. */
async function eventsOf(platform: Platform, client: Client, signal: AbortSignal): Promise<Set<string>> {
  const companies = new Set<string>();
  const response = await fetch(`${platform.address('movements')}/events`, {
    headers: { authorization: `Bearer ${client.token}`, accept: 'text/event-stream' },
    signal,
  });
  try {
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream()))
      for (const [, company] of chunk.matchAll(/"company":"([^"]+)"/g)) companies.add(company!);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return companies;
}
