import { decimalOf } from '../../../accounting/money.ts';
import type { GeneralBalanceSide } from '../../../accounting/statements/general-balance.ts';
import type { TableRow } from '../../../platform/render/rows.ts';
import type { StatementAccountRow } from '../../master-data/chart/chart.read.sql.ts';
import { readGeneralBalance } from '../statements/read-month-balances.ts';
import { institutionNotes } from './institution-notes.ts';
import { monthHead } from './report-head.ts';
import type { MonthReportRequest } from './report-request.ts';
import type { ReportContent, ReportSource } from './report-source.ts';
import { accountRow, chunkRows, DIFFERENCE, differenceWarning, totalRow } from './table-rows.ts';

/** The general balance of the central bank's chart: assets, then liabilities with equity and result; both add up alike. */
export async function cosifGeneralBalance(source: ReportSource, request: MonthReportRequest): Promise<ReportContent> {
  const { balance, ...statement } = await readGeneralBalance(source, request);
  const { difference } = balance;
  const isEven = difference.opening === 0n && difference.balance === 0n;
  return {
    ...monthHead(statement, source.now),
    warnings: [
      ...differenceWarning('os totais do ativo e do passivo', [
        { when: 'saldo anterior', amount: difference.opening },
        { when: 'saldo atual', amount: difference.balance },
      ]),
      ...institutionNotes(statement),
    ],
    rows: chunkRows([
      ...sideRows('ATIVO', balance.debit),
      ...sideRows('PASSIVO', balance.credit),
      ...(isEven ? [] : [differenceRow(difference)]),
    ]),
  };
}

function sideRows(title: string, { rows, total }: GeneralBalanceSide<StatementAccountRow>): TableRow[] {
  return [
    { kind: 'section', cells: { text: title }, bookmark: title },
    ...rows.map((row) => accountRow(row)),
    totalRow(total, `TOTAL GERAL DO ${title}`),
  ];
}

function differenceRow({ opening, balance }: { opening: bigint; balance: bigint }): TableRow {
  return { kind: 'total', cells: { name: DIFFERENCE, opening: decimalOf(opening), balance: decimalOf(balance) } };
}
