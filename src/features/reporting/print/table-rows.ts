import { balanceOf, type Movement, mergeClosing } from '../../../accounting/balance.ts';
import { type Centavos, decimalOf, magnitudeOf } from '../../../accounting/money.ts';
import type { StatementLine, Turnover } from '../../../accounting/statements/line-statement.ts';
import type { StatementRow } from '../../../accounting/statements/statement.ts';
import { brazilian, type Rows, type TableRow } from '../../../platform/render/rows.ts';
import type { StatementAccountRow } from '../../master-data/chart/chart.read.sql.ts';
import type { MonthStatement } from '../statements/statement-source.ts';

const CHUNK = 500;

/** Rows in memory, in chunks that yield to the event loop. */
export async function* chunkRows(rows: Iterable<TableRow>): Rows {
  let portion: TableRow[] = [];
  for (const row of rows) {
    portion.push(row);
    if (portion.length < CHUNK) continue;
    yield portion;
    portion = [];
  }
  if (portion.length > 0) yield portion;
}

/** The rows of a statement as they are printed, while they are read. */
export async function* paintRows<Row>(portions: AsyncIterable<readonly Row[]>, tableRow: (row: Row) => TableRow): Rows {
  for await (const portion of portions) yield portion.map(tableRow);
}

/** What a book without lines says. */
export const WITHOUT_MOVEMENT: TableRow = { kind: 'note', cells: { text: 'Sem movimento no período' } };

/** The line of an account; those of the first level are bold and in the outline. */
export function accountRow(
  { account, movement }: Pick<StatementRow<StatementAccountRow>, 'account' | 'movement'>,
  inOutline = true,
): TableRow {
  const isTop = account.level === 1 && account.type === 'S';
  return {
    kind: isTop ? 'subtotal' : 'detail',
    level: account.level,
    cells: {
      account: account.code,
      reduced: account.shortCode,
      level: String(account.level),
      name: account.description,
      ...movementCells(movement),
    },
    ...(isTop && inOutline ? { bookmark: `${account.code} ${account.description}` } : {}),
  };
}

export function totalRow(total: Movement, name = 'Total'): TableRow {
  return { kind: 'total', cells: { name, ...movementCells(total) } };
}

/** Debits and credits as the journal of the month adds them up; only where closing entries are apart from them. */
export function journalRows({ isAfterClosing }: Pick<MonthStatement, 'isAfterClosing'>, total: Movement): TableRow[] {
  if (!isAfterClosing) return [];
  const { debit, credit } = mergeClosing(total);
  return [{ kind: 'subtotal', cells: { name: 'Movimento com o encerramento', ...turnoverCells({ debit, credit }) } }];
}

/** Columns that are zero in a month without closing entries. */
export function columnsWithoutClosing({ isAfterClosing }: Pick<MonthStatement, 'isAfterClosing'>): string[] {
  return isAfterClosing ? [] : ['closingDebit', 'closingCredit'];
}

/** The warning for sides that differ. */
export function differenceWarning(sides: string, differences: readonly { when: string; amount: Centavos }[]): string[] {
  return differences
    .filter(({ amount }) => amount !== 0n)
    .map(
      ({ when, amount }) => `ATENÇÃO: ${sides} diferem em R$ ${brazilian(decimalOf(magnitudeOf(amount)))} (${when})`,
    );
}

/** The line of the difference; absent when the books balance. */
export const DIFFERENCE = 'Diferença';

/** The amount of a line in the column of its side. */
export function amountCell({ side, amount }: StatementLine): Record<string, string> {
  return { [side === 'D' ? 'debit' : 'credit']: decimalOf(amount) };
}

/** The other side of a line: an account, or several. */
export function counterCell({ offsetId }: StatementLine, counter: StatementAccountRow | undefined): string {
  return offsetId === null ? 'Diversos' : (counter?.code ?? '');
}

export function turnoverCells({ debit, credit }: Turnover): { debit: string; credit: string } {
  return { debit: decimalOf(debit), credit: decimalOf(credit) };
}

function movementCells(movement: Movement): Record<string, string> {
  return {
    opening: decimalOf(movement.opening),
    debit: decimalOf(movement.debit),
    credit: decimalOf(movement.credit),
    closing: decimalOf(movement.closing),
    closingDebit: decimalOf(movement.closingDebit),
    closingCredit: decimalOf(movement.closingCredit),
    balance: decimalOf(balanceOf(movement)),
  };
}
