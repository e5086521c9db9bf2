import type { LineStatement, StatementLine } from '../../../accounting/statements/line-statement.ts';
import type { Book } from './open-book.ts';

/** A statement of lines of any length: its rows come in portions while the lines are read. */
export interface LinesStatement<Row> extends Pick<Book, 'entity' | 'months'> {
  readonly rows: AsyncIterable<readonly Row[]>;
}

export function linesStatement<Row>(
  { entity, months }: Book,
  portions: AsyncIterable<readonly StatementLine[]>,
  statement: LineStatement<Row>,
): LinesStatement<Row> {
  return { entity, months, rows: rowsOf(portions, statement) };
}

async function* rowsOf<Row>(
  portions: AsyncIterable<readonly StatementLine[]>,
  statement: LineStatement<Row>,
): AsyncGenerator<readonly Row[]> {
  for await (const lines of portions) yield statement.add(lines);
  yield statement.end();
}
