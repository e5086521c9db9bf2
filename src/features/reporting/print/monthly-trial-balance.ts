import { decimalOf } from '../../../accounting/money.ts';
import type { SideTotals } from '../../../accounting/statements/trial-balance.ts';
import type { TableRow } from '../../../platform/render/rows.ts';
import { readMonthlyTrialBalance } from '../statements/read-month-balances.ts';
import { institutionNotes } from './institution-notes.ts';
import { monthHead } from './report-head.ts';
import type { MonthReportRequest } from './report-request.ts';
import type { ReportContent, ReportSource } from './report-source.ts';
import { accountRow, chunkRows, columnsWithoutClosing, journalRows, totalRow } from './table-rows.ts';

/** Every account, then debit and credit balances apart: the proof that the books balance shows more than a zero. */
export async function monthlyTrialBalance(source: ReportSource, request: MonthReportRequest): Promise<ReportContent> {
  const { balance, ...statement } = await readMonthlyTrialBalance(source, request);
  return {
    ...monthHead(statement, source.now),
    withoutOnPages: columnsWithoutClosing(statement),
    warnings: institutionNotes(statement),
    rows: chunkRows([
      ...balance.rows.map((row) => accountRow(row)),
      sideRow('Saldos devedores', balance.sides.debit),
      sideRow('Saldos credores', balance.sides.credit),
      totalRow(balance.total),
      ...journalRows(statement, balance.total),
    ]),
  };
}

function sideRow(name: string, { opening, balance }: SideTotals): TableRow {
  return {
    kind: 'subtotal',
    cells: { name, opening: decimalOf(opening), balance: decimalOf(balance) },
  };
}
