import type { pg } from './driver.ts';
import type { Statement } from './statement.ts';

/** Runs statements under one scope. bigint ids arrive as numbers, NUMERIC as text, DATE as 'YYYY-MM-DD'. */
export interface Sql {
  rows<Row>(statement: Statement): Promise<Row[]>;
  /** The only row, or undefined; more than one is a programming error. */
  maybe<Row>(statement: Statement): Promise<Row | undefined>;
  /** The only row; none is a programming error. */
  one<Row>(statement: Statement): Promise<Row>;
  /** The number of rows touched. */
  run(statement: Statement): Promise<number>;
  /**
   * Pipelined reads of one snapshot in one round trip: all statements are sent before the first result arrives, so none
   * may need another's. `work` must issue them before its first wait: `sql.pipelined((sql) => Promise.all([…]))`.
   */
  pipelined<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
}

/** Inside a transaction; `connection` is for COPY and cursors. */
export interface Transaction extends Sql {
  /**
   * The last statements, and with them in one write the end of the transaction; as with `pipelined`, none may need
   * another's result. In a transaction that was joined they are statements like all others.
   */
  commitWith<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  readonly connection: pg.PoolClient;
  /**
   * Statements that go out in the write of the COMMIT, after everything else: they cost no round trip, and hold no lock
   * while the work goes on. A part that is rolled back to its savepoint takes its own with it.
   */
  readonly atCommit: Statement[];
}

export function sqlOver(query: (statement: Statement) => Promise<pg.QueryResult>): Omit<Sql, 'pipelined'> {
  const rows = async <Row>(statement: Statement): Promise<Row[]> => (await query(statement)).rows as Row[];
  const maybe = async <Row>(statement: Statement): Promise<Row | undefined> => {
    const found = await rows<Row>(statement);
    if (found.length > 1) throw new Error(`more than one row: ${statement.text.trim().slice(0, 80)}`);
    return found[0];
  };
  return {
    rows,
    maybe,
    one: async <Row>(statement: Statement) => {
      const row = await maybe<Row>(statement);
      if (row === undefined) throw new Error(`no row: ${statement.text.trim().slice(0, 80)}`);
      return row;
    },
    run: async (statement) => (await query(statement)).rowCount ?? 0,
  };
}

export function asQuery({ name, text, values: given }: Statement, isNamed = true): pg.QueryConfig {
  const values = given.map((value) => (Array.isArray(value) ? arrayText(value) : value));
  return name === undefined || !isNamed ? { text, values } : { name, text, values };
}

/**
 * A list as the server reads it; the list itself where it holds what only the driver can write. The driver escapes each
 * element twice over and puts it after all before it, which made a tenth of the garbage of a posted entry.
 */
function arrayText(list: readonly unknown[]): string | readonly unknown[] {
  const texts: string[] = [];
  for (const each of list) {
    if (each === null) texts.push('NULL');
    else if (typeof each === 'string')
      texts.push(`"${NEEDS_ESCAPE.test(each) ? each.replace(ESCAPED, '\\$&') : each}"`);
    else if (typeof each === 'number' || typeof each === 'boolean') texts.push(String(each));
    else return list;
  }
  return `{${texts.join(',')}}`;
}

const NEEDS_ESCAPE = /["\\]/;
const ESCAPED = /["\\]/g;
