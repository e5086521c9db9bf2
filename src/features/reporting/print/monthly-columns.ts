import { decimalOf, sumOf } from '../../../accounting/money.ts';
import { type Month, slashOf } from '../../../accounting/period.ts';
import type { MonthlyRow } from '../../../accounting/statements/monthly-columns.ts';
import type { TableRow } from '../../../platform/render/rows.ts';
import type { StatementAccountRow } from '../../master-data/chart/chart.read.sql.ts';
import { MOST_MONTHS, readMonthlyColumns } from '../statements/read-monthly-columns.ts';
import { institutionNotes } from './institution-notes.ts';
import { headValues, monthInWords } from './report-head.ts';
import type { MonthlyColumnsRequest } from './report-request.ts';
import type { ReportContent, ReportSource } from './report-source.ts';
import { chunkRows } from './table-rows.ts';

/** Accounts with a column a month; movements have their sum in a last column. */
export async function monthlyColumns(source: ReportSource, request: MonthlyColumnsRequest): Promise<ReportContent> {
  const { months, rows, ...shown } = await readMonthlyColumns(source, request);
  const isMovement = request.figure === 'MOVEMENT';
  const keys = Array.from({ length: MOST_MONTHS }, (_, at) => `month${at + 1}`);
  return {
    values: {
      ...headValues(shown, periodOf(months), source.now),
      figures: isMovement ? 'Movimento' : 'Saldos',
      ...Object.fromEntries(keys.map((key, at) => [key, months[at] === undefined ? '' : slashOf(months[at])])),
    },
    without: [...keys.slice(months.length), ...(isMovement ? [] : ['total'])],
    warnings: institutionNotes(shown),
    rows: chunkRows(rows.map((row) => tableRow(row, keys))),
  };
}

function tableRow({ account, figures }: MonthlyRow<StatementAccountRow>, keys: readonly string[]): TableRow {
  const isTop = account.level === 1 && account.type === 'S';
  return {
    kind: isTop ? 'subtotal' : 'detail',
    level: account.level,
    cells: {
      account: account.code,
      name: account.description,
      ...Object.fromEntries(figures.map((figure, at) => [keys[at]!, decimalOf(figure)])),
      total: decimalOf(sumOf(figures)),
    },
  };
}

/** 'Janeiro de 2026', 'Março de 2025 a fevereiro de 2026' */
function periodOf(months: readonly Month[]): string {
  const [first, last] = [monthInWords(months[0]!), monthInWords(months.at(-1)!)];
  return first === last ? first : `${first} a ${last.toLowerCase()}`;
}
