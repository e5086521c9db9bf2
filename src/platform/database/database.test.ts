import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { databaseUrl } from '../../../test/support/database-server.ts';
import { contextOn, withTransaction } from '../context.ts';
import { withOwnerConnection } from './connections.ts';
import { type Database, openDatabase } from './database.ts';
import { DatabaseLost, StatementCancelled, sqlState, TransactionBusy } from './errors.ts';
import { prepareLogins } from './logins.ts';
import type { Sql } from './sql.ts';
import { SQL } from './statement.ts';
import { SYSTEM_SCOPE } from './system-scope.ts';
import { DEFAULT_SECONDS, type Work } from './time-limits.ts';

const name = `test_${randomBytes(6).toString('hex')}`;
let loginUrl: string;
let database: Database;
let url: string;
beforeAll(async () => {
  const serverUrl = inject('serverUrl');
  await withOwnerConnection(serverUrl, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE template_books`));
  url = databaseUrl(serverUrl, name);
  await withOwnerConnection(url, (client) =>
    client.query(
      `INSERT INTO company (id, code, name, cnpj, zip_code) VALUES (1, 'A', 'A', '', ''), (2, 'B', 'B', '', '')`,
    ),
  );
  // One connection: the next read finds the state that the previous one left.
  loginUrl = (await prepareLogins(url, ['app'])).app!;
  database = openDatabase(loginUrl, { max: 1 });
});
afterAll(async () => {
  await database.close();
  await withOwnerConnection(inject('serverUrl'), (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`));
});

const companies = (sql: Sql) => sql.rows<{ id: number }>(SQL.named('companies')`SELECT id FROM company ORDER BY id`);
const moment = (sql: Sql) => sql.one<{ at: string }>(SQL`SELECT pg_current_snapshot()::text AS at, pg_sleep(0.01)`);
const only = (company: number) => ({ companies: [company], wholeCompanies: [], branches: [] });

test('reads together see one moment, whatever is written meanwhile', async () => {
  const sql = database.under(SYSTEM_SCOPE);
  const [first, second] = await sql.pipelined((sql) => Promise.all([moment(sql), moment(sql)]));
  expect(second.at).toBe(first.at);
  expect(await sql.pipelined(async () => 'nothing to read')).toBe('nothing to read');
});

test('each scope sees its own, on a connection that another had before', async () => {
  for (const company of [1, 2, 1]) {
    const [seen, again] = await database
      .under(only(company))
      .pipelined((sql) => Promise.all([companies(sql), companies(sql)]));
    expect([seen, again]).toEqual([[{ id: company }], [{ id: company }]]);
  }
  expect(await companies(database.under(SYSTEM_SCOPE))).toHaveLength(2);
});

test('a connection has no scope of its own: what forgets to bring one sees nothing', async () => {
  const bare = async () => {
    const client = await database.pool.connect();
    try {
      await client.query('BEGIN');
      const { rows } = await client.query('SELECT id FROM company');
      await client.query('ROLLBACK');
      return rows;
    } finally {
      client.release();
    }
  };
  const failing = SQL`SELECT 1 / 0 AS nothing`;
  expect(await bare()).toEqual([]);
  for (const sql of [database.under(SYSTEM_SCOPE), database.under(only(1))]) {
    await companies(sql);
    expect(await bare()).toEqual([]);
    await sql.pipelined((sql) => Promise.all([companies(sql), companies(sql)]));
    expect(await bare()).toEqual([]);
    await expect(sql.rows(failing)).rejects.toThrow();
    await expect(sql.pipelined((sql) => Promise.all([sql.rows(failing), companies(sql)]))).rejects.toThrow();
    expect(await bare()).toEqual([]);
  }
  await database.transaction(SYSTEM_SCOPE, companies);
  expect(await bare()).toEqual([]);
});

test('a scope is made of ids, and of nothing else', async () => {
  for (const odd of ["1'; SELECT 1 --", 1.5, Number.NaN, '*'] as unknown as number[])
    for (const scope of [only(odd), { ...SYSTEM_SCOPE, wholeCompanies: [odd] }, { ...SYSTEM_SCOPE, branches: [odd] }])
      await expect(companies(database.under(scope))).rejects.toThrow('not an id');
  const branches = Array.from({ length: 20_000 }, (_, at) => at + 1);
  expect(await companies(database.under({ ...only(2), branches }))).toEqual([{ id: 2 }]);
});

test('a statement that cannot be prepared is not taken for a prepared one', async () => {
  const missing = SQL.named('missing')`SELECT absent.id FROM absent`;
  const sql = database.under(only(1));
  for (let turn = 0; turn < 2; turn++) {
    expect(sqlState(await sql.rows(missing).catch((error: unknown) => error))).toBe('42P01');
    const first = database.transaction(only(1), (sql) => sql.rows(missing));
    expect(sqlState(await first.catch((error: unknown) => error))).toBe('42P01');
  }
});

test('an opening that fails prepares nothing, and its connection goes on', async () => {
  // More than the server takes as a time limit.
  const limited = openDatabase(loginUrl, { max: 1, limits: { ...DEFAULT_SECONDS, job: 1e12 } });
  const late = SQL.named('late')`SELECT company.id AS late FROM company`;
  try {
    await limited.under(only(1)).rows(SQL`SELECT 1`);
    for (const job of [limited.doing('job').under(only(1)), limited.doing('job')])
      await expect(
        'rows' in job ? job.rows(late) : job.transaction(only(1), (sql) => sql.rows(late)),
      ).rejects.toThrow();
    expect(await limited.under(only(1)).rows(late)).toEqual([{ late: 1 }]);
  } finally {
    await limited.close();
  }
});

test('a transaction whose last statements fail is over, whoever catches that', async () => {
  const rename = SQL`UPDATE company SET name = 'caught' WHERE id = 1`;
  await database.transaction(SYSTEM_SCOPE, async (sql) => {
    await sql.run(rename);
    await sql.commitWith((sql) => sql.rows(SQL`SELECT 1 / 0 AS nothing`)).catch(() => {});
  });
  const { name, state } = await database
    .under(SYSTEM_SCOPE)
    .one<{ name: string; state: string }>(
      SQL`SELECT company.name, pg_current_xact_id_if_assigned()::text AS state FROM company WHERE id = 1`,
    );
  expect({ name, state }).toEqual({ name: 'A', state: null });
});

test('the first failure is the one reported, and the connection goes on', async () => {
  const sql = database.under(only(1));
  const failing = sql.pipelined((sql) =>
    Promise.all([companies(sql), sql.rows(SQL`SELECT 1 / 0 AS nothing`), companies(sql), sql.rows(SQL`SELEC`)]),
  );
  expect(sqlState(await failing.catch((error: unknown) => error))).toBe('22012');
  await expect(sql.pipelined(() => Promise.reject(new Error('of the work')))).rejects.toThrow('of the work');
  expect(await companies(sql)).toEqual([{ id: 1 }]);
});

test('a list arrives as it was sent, whatever its texts hold', async () => {
  const texts = ['', 'NULL', null, '"', '\\', '\\"{a,b}\\', ' de 5 a 10, à vista ', "'", 'ção\n\t', '{}', '🏦'];
  const bytes = [Buffer.from([0, 34, 92, 255])];
  const { back, numbers, truths, raw, none } = await database.under(SYSTEM_SCOPE).one<Record<string, unknown>>(SQL`
    SELECT ${texts}::text[] AS back, ${[1, -2.5, null]}::numeric[]::text[] AS numbers, ${[true, false, null]}::boolean[] AS truths,
           ${bytes}::bytea[] AS raw, ${[]}::bigint[] AS none`);
  expect({ back, numbers, truths, none }).toEqual({
    back: texts,
    numbers: ['1', '-2.5', null],
    truths: [true, false, null],
    none: [],
  });
  expect(raw).toEqual(bytes);
});

test('a read that waits for another is a mistake, and says so', async () => {
  const sql = database.under(only(1));
  const waiting = sql.pipelined(async (sql) => {
    await companies(sql);
    return companies(sql);
  });
  await expect(waiting).rejects.toThrow('sent after waiting');
  await expect(sql.pipelined((sql) => sql.rows(SQL`DELETE FROM company`))).rejects.toThrow('read-only');
});

test('a transaction begins with its first statement, whatever that is', async () => {
  const level = (sql: Sql) => sql.one<{ level: string }>(SQL`SELECT current_setting('transaction_isolation') AS level`);
  const failing = database.transaction(SYSTEM_SCOPE, async (sql) => {
    await sql.rows(SQL`SELECT 1 / 0 AS nothing`).catch(() => {});
    return companies(sql);
  });
  expect(sqlState(await failing.catch((error: unknown) => error))).toBe('25P02');
  expect(await database.snapshot(SYSTEM_SCOPE, level)).toEqual({ level: 'repeatable read' });
  expect(await database.snapshot(SYSTEM_SCOPE, (sql) => sql.pipelined(level))).toEqual({ level: 'repeatable read' });
  expect(await database.transaction(SYSTEM_SCOPE, async () => 'nothing')).toBe('nothing');
  const both = await database.transaction(SYSTEM_SCOPE, (sql) => Promise.all([companies(sql), companies(sql)]));
  expect(both.map((each) => each.length)).toEqual([2, 2]);
  await database
    .transaction(SYSTEM_SCOPE, async (sql) => {
      await sql.connection.query(`UPDATE company SET name = 'undone' WHERE id = 1`);
      throw new Error('undo');
    })
    .catch(() => {});
  await database
    .transaction(SYSTEM_SCOPE, async (sql) => {
      await sql.run(SQL`UPDATE company SET name = 'undone' WHERE id = 2`);
      throw new Error('undo');
    })
    .catch(() => {});
  expect(await database.under(SYSTEM_SCOPE).rows(SQL`SELECT name FROM company ORDER BY id`)).toEqual([
    { name: 'A' },
    { name: 'B' },
  ]);
});

test('inside a transaction they see what it has written, and leave it open', async () => {
  await database.transaction(SYSTEM_SCOPE, async (sql) => {
    await sql.run(SQL`UPDATE company SET name = 'C' WHERE id = 1`);
    const names = (inner: Sql) => inner.one<{ name: string }>(SQL`SELECT name FROM company WHERE id = 1`);
    const [first, second] = await sql.pipelined((inner) => Promise.all([names(inner), inner.pipelined(names)]));
    expect([first.name, second.name]).toEqual(['C', 'C']);
    expect(await sql.run(SQL`UPDATE company SET name = 'D' WHERE id = 1`)).toBe(1);
  });
});

test('what goes out with the commit is part of it, and a part that is undone takes its own with it', async () => {
  const rename = (name: string) => SQL`UPDATE company SET name = ${name} WHERE id = 1`;
  const name = async () =>
    (await database.under(SYSTEM_SCOPE).one<{ name: string }>(SQL`SELECT name FROM company WHERE id = 1`)).name;
  const context = contextOn(database, SYSTEM_SCOPE, {} as Parameters<typeof contextOn>[2]);
  await context.transaction(async (sql) => {
    sql.atCommit.push(rename('last'));
    await sql.run(rename('first'));
    const part = withTransaction(context, sql).transaction(async (inner) => {
      inner.atCommit.push(rename('undone'));
      throw new Error('undo');
    });
    await expect(part).rejects.toThrow('undo');
  });
  expect(await name()).toBe('last');
  const failing = context.transaction(async (sql) => {
    sql.atCommit.push(rename('failing'), SQL`SELECT 1 / 0 AS nothing`);
  });
  expect(sqlState(await failing.catch((error: unknown) => error))).toBe('22012');
  expect(await name()).toBe('last');
});

test('each kind of work has its own time limits, in a transaction and outside of one', async () => {
  const limits = { request: 1, read: 2, import: 3, job: 4, lock: 5, idle: 6 };
  const limited = openDatabase(loginUrl, { max: 1, limits });
  const settings = (sql: Sql) =>
    sql.one<{ at: string }>(SQL`
      SELECT concat_ws(' ', current_setting('statement_timeout'), current_setting('lock_timeout'),
                       current_setting('idle_in_transaction_session_timeout')) AS at`);
  const seen = async (work: Work) => {
    const of = limited.doing(work);
    const all = [
      await settings(of.under(SYSTEM_SCOPE)),
      await settings(of.outOfBand(only(1))),
      await of.transaction(SYSTEM_SCOPE, settings),
      await of.snapshot(SYSTEM_SCOPE, settings),
      await of.under(only(2)).pipelined(settings),
    ];
    return [...new Set(all.map(({ at }) => at))];
  };
  try {
    // One connection: the limits of one kind do not stay for the next.
    for (let turn = 0; turn < 2; turn++) {
      expect(await seen('request')).toEqual(['1s 5s 6s']);
      expect(await seen('read')).toEqual(['2s 5s 6s']);
      expect(await seen('import')).toEqual(['3s 3s 3s']);
      expect(await seen('job')).toEqual(['4s 4s 4s']);
    }
    const failing = limited.doing('job').under(only(1)).rows(SQL`SELECT 1 / 0 AS nothing`);
    expect(sqlState(await failing.catch((error: unknown) => error))).toBe('22012');
    expect(await companies(limited.doing('job').under(only(1)))).toEqual([{ id: 1 }]);
  } finally {
    await limited.close();
  }
});

test('a statement, a wait for a lock and a silent transaction end in time, and the pool goes on', async () => {
  const limited = openDatabase(loginUrl, {
    max: 2,
    limits: { request: 2, read: 1, import: 9, job: 9, lock: 1, idle: 1 },
  });
  const sleeping = (sql: Sql) => sql.rows(SQL`SELECT pg_sleep(20)`);
  const update = SQL`UPDATE company SET name = 'A' WHERE id = 1`;
  try {
    await expect(sleeping(limited.under(SYSTEM_SCOPE))).rejects.toBeInstanceOf(StatementCancelled);
    await expect(sleeping(limited.doing('read').under(SYSTEM_SCOPE))).rejects.toBeInstanceOf(StatementCancelled);
    await limited.doing('job').transaction(SYSTEM_SCOPE, async (sql) => {
      await sql.run(update);
      await expect(limited.under(SYSTEM_SCOPE).run(update)).rejects.toBeInstanceOf(TransactionBusy);
    });
    const silent = limited.transaction(SYSTEM_SCOPE, async (sql) => {
      await sql.run(update);
      await setTimeout(2_000);
      await sql.run(update);
    });
    await expect(silent).rejects.toBeInstanceOf(TransactionBusy);
    expect(await limited.under(SYSTEM_SCOPE).run(update)).toBe(1);
  } finally {
    await limited.close();
  }
}, 20_000);

test('a connection that the server ends is lost: in a statement, between two, and for every one after it', async () => {
  const single = openDatabase(loginUrl, { max: 1 });
  const sql = single.under(SYSTEM_SCOPE);
  const whoAmI = SQL`SELECT pg_backend_pid() AS pid`;
  const end = (pid: number) =>
    withOwnerConnection(url, (client) => client.query('SELECT pg_terminate_backend($1, 5000)', [pid]));
  try {
    const { pid } = await sql.one<{ pid: number }>(whoAmI);
    const sleeping = sql.rows(SQL`SELECT pg_sleep(20)`).catch((error: unknown) => error);
    await setTimeout(100);
    await end(pid);
    expect(await sleeping).toBeInstanceOf(DatabaseLost);
    const between = single.transaction(SYSTEM_SCOPE, async (inside) => {
      await end((await inside.one<{ pid: number }>(whoAmI)).pid);
      await expect(inside.rows(whoAmI)).rejects.toThrow();
      return inside.rows(whoAmI);
    });
    await expect(between).rejects.toBeInstanceOf(DatabaseLost);
    await end((await sql.one<{ pid: number }>(whoAmI)).pid);
    await setTimeout(100);
    expect(await sql.rows(whoAmI)).toHaveLength(1);
  } finally {
    await single.close();
  }
});

test('a server that is not there is lost; what it says itself stays its own word', async () => {
  const gone = openDatabase('postgresql://nobody@127.0.0.1:1/nothing?sslmode=disable');
  await expect(companies(gone.under(SYSTEM_SCOPE))).rejects.toBeInstanceOf(DatabaseLost);
  await gone.close();
  const absent = new URL(loginUrl);
  absent.pathname = '/absent';
  const elsewhere = openDatabase(absent.href);
  expect(sqlState(await companies(elsewhere.under(SYSTEM_SCOPE)).catch((error: unknown) => error))).toBe('3D000');
  await elsewhere.close();
});

test('a server that accepts and then hangs up, or says nothing, is lost', async () => {
  for (const answer of [(socket: Socket) => socket.destroy(), () => {}]) {
    const server = createServer(answer).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const hanging = openDatabase(`postgresql://nobody@127.0.0.1:${port}/nothing?sslmode=disable`, {
      connectMs: 200,
    });
    await expect(companies(hanging.under(SYSTEM_SCOPE))).rejects.toBeInstanceOf(DatabaseLost);
    await hanging.close();
    server.close();
  }
});

test('who waits too long for a free connection is told that the database is busy', async () => {
  const single = openDatabase(loginUrl, { max: 1, connectMs: 200 });
  const taken = Promise.withResolvers<void>();
  const done = Promise.withResolvers<void>();
  const holding = single.transaction(SYSTEM_SCOPE, async (sql) => {
    await companies(sql);
    taken.resolve();
    await done.promise;
  });
  await taken.promise;
  await expect(companies(single.under(SYSTEM_SCOPE))).rejects.toBeInstanceOf(TransactionBusy);
  done.resolve();
  await holding;
  await single.close();
});
