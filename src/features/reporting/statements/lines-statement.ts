import type { LineStatement, StatementLine } from '../../../accounting/statements/line-statement.ts';
import type { Book } from './open-book.ts';
import type { BalanceSelection, ShownFigures } from './statement-source.ts';

/** A statement of lines of any length: its rows come in portions while the lines are read. */
export interface LinesStatement<Row> extends ShownFigures {
  readonly rows: AsyncIterable<readonly Row[]>;
}

export function linesStatement<Row>(
  { entity, state, hasClosing }: Book,
  { considerClosing }: Pick<BalanceSelection, 'considerClosing'>,
  portions: AsyncIterable<readonly StatementLine[]>,
  statement: LineStatement<Row>,
): LinesStatement<Row> {
  const isAfterClosing = hasClosing ? considerClosing : undefined;
  return { entity, state, isAfterClosing, rows: rowsOf(portions, statement) };
}

async function* rowsOf<Row>(
  portions: AsyncIterable<readonly StatementLine[]>,
  statement: LineStatement<Row>,
): AsyncGenerator<readonly Row[]> {
  for await (const lines of portions) yield statement.add(lines);
  yield statement.end();
}
