import { type Centavos, decimalOf, sumOf } from '../../../accounting/money.ts';
import { addMonths, brazilianDate, lastDay } from '../../../accounting/period.ts';
import type { EquityChanges } from '../../../accounting/statements/equity-changes.ts';
import type { Period } from '../../../accounting/statements/statement-period.ts';
import type { TableRow } from '../../../platform/render/rows.ts';
import { readEquityChanges } from '../statements/read-equity-changes.ts';
import { columnTitle, periodsHead } from './financial-statement.ts';
import { institutionNotes } from './institution-notes.ts';
import type { EquityChangesRequest } from './report-request.ts';
import type { ReportContent, ReportSource } from './report-source.ts';
import { chunkRows } from './table-rows.ts';

/** Columns of equity that the template has beside the total. */
const MAX_COLUMNS = 24;

/** Changes in equity with a column for each line, or retained earnings in one column; a block for each period. */
export async function equityChanges(source: ReportSource, request: EquityChangesRequest): Promise<ReportContent> {
  const { statements, ...shown } = await readEquityChanges(source, request);
  const names = [...new Set(statements.flatMap(({ columns }) => columns.map(({ description }) => description)))];
  const columns = request.type === 'DMPL' ? names : [];
  const { values, signatures } = periodsHead(shown, source.now, false);
  const titles = Object.fromEntries(columns.map((name, at) => [`c${at + 1}`, name]));
  const keys = Array.from({ length: MAX_COLUMNS }, (_, at) => `c${at + 1}`);
  // The earlier period comes first: its end is where the next one begins.
  const blocks = shown.periods.map((period, at) => ({ period, statement: statements[at]! })).toReversed();
  const rows = blocks.flatMap(({ period, statement }) => [
    ...(blocks.length > 1 ? [{ kind: 'section', cells: { text: columnTitle(period, false) } } as TableRow] : []),
    ...periodRows(period, statement, columns),
  ]);
  return {
    values: { ...values, ...titles },
    signatures,
    without: keys.slice(columns.length),
    warnings: institutionNotes({ entity: shown.entity }),
    rows: chunkRows(rows),
  };
}

function periodRows({ from, to }: Period, statement: EquityChanges, names: readonly string[]): TableRow[] {
  const { columns, changes } = statement;
  const row = (kind: TableRow['kind'], name: string, amounts: readonly Centavos[]): TableRow => ({
    kind,
    cells: { name, ...cellsOf(statement, names, amounts), total: decimalOf(sumOf(amounts)) },
  });
  return [
    row(
      'subtotal',
      `Saldos em ${brazilianDate(lastDay(addMonths(from, -1)))}`,
      columns.map(({ opening }) => opening),
    ),
    ...changes.map(({ description, amounts }) => row('detail', description, amounts)),
    row(
      'total',
      `Saldos em ${brazilianDate(lastDay(to))}`,
      columns.map(({ closing }) => closing),
    ),
  ];
}

function cellsOf({ columns }: EquityChanges, names: readonly string[], amounts: readonly Centavos[]) {
  return Object.fromEntries(
    names.map((name, at) => {
      const place = columns.findIndex(({ description }) => description === name);
      return [`c${at + 1}`, decimalOf(amounts[place] ?? 0n)];
    }),
  );
}
