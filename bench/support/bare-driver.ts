import pg from 'pg';
import { asQuery, type Sql } from '../../src/platform/database/sql.ts';
import type { Statement } from '../../src/platform/database/statement.ts';
import type { Installation } from './installation.ts';

/** A connection with nothing between it and the driver, as the program's role on one company, or as the owner. */
export async function bareConnection(
  installation: Installation,
  companyId: number,
  role: 'program' | 'owner' = 'program',
) {
  const asProgram = `-c role=partidas_app -c app.companies=${companyId} -c app.whole_companies= -c app.branches=`;
  const client = new pg.Client({
    connectionString: installation.databaseUrl,
    ...(role === 'program' ? { options: `${asProgram} -c timezone=UTC` } : { options: '-c timezone=UTC' }),
  });
  await client.connect();
  return client;
}

/** The same number of connections, closed after the work. */
export async function withBareConnections<T>(
  installation: Installation,
  companyId: number,
  count: number,
  work: (clients: readonly pg.Client[]) => Promise<T>,
  role: 'program' | 'owner' = 'program',
): Promise<T> {
  const clients = await Promise.all(Array.from({ length: count }, () => bareConnection(installation, companyId, role)));
  try {
    return await work(clients);
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}

/** What the statements of a feature need, with nothing else: one statement after the other goes to the driver as it is. */
export function bareSql(client: pg.Client): Sql {
  let last: Promise<unknown> = Promise.resolve();
  const run = (statement: Statement) => {
    const answer = last.then(() => client.query(asQuery(statement)));
    last = answer;
    return answer;
  };
  const sql: Sql = {
    rows: async <Row>(statement: Statement) => (await run(statement)).rows as Row[],
    maybe: async <Row>(statement: Statement) => (await run(statement)).rows[0] as Row | undefined,
    one: async <Row>(statement: Statement) => (await run(statement)).rows[0] as Row,
    run: async (statement) => (await run(statement)).rowCount ?? 0,
    pipelined: (work) => work(sql),
  };
  return sql;
}

/** The statements that some work sends, to be sent again by the bare driver. */
export async function recorded(client: pg.Client, work: (sql: Sql) => Promise<unknown>): Promise<pg.QueryConfig[]> {
  const statements: pg.QueryConfig[] = [];
  const sql = bareSql(client);
  const noted =
    <Answer>(send: (statement: Statement) => Promise<Answer>) =>
    (statement: Statement) => {
      statements.push(asQuery(statement));
      return send(statement);
    };
  const noting = {
    rows: noted(sql.rows),
    maybe: noted(sql.maybe),
    one: noted(sql.one),
    run: noted(sql.run),
    pipelined: <T>(inner: (sql: Sql) => Promise<T>) => inner(noting),
  } as Sql;
  await work(noting);
  return statements;
}
