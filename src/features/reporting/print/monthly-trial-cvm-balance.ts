import type { StatementSection } from '../../../accounting/statement-section.ts';
import type { TableRow } from '../../../platform/render/rows.ts';
import { requireBranch } from '../../master-data/companies/institution.ts';
import { readMonthlyTrialBalance } from '../statements/read-month-balances.ts';
import { summaryRow, withFundCode } from './fund-layout.ts';
import { monthHead } from './report-head.ts';
import type { MonthReportRequest } from './report-request.ts';
import type { ReportContent, ReportSource } from './report-source.ts';
import { accountRow, chunkRows, columnsWithoutClosing, journalRows, totalRow } from './table-rows.ts';

/** The trial balance of a fund, with its summary. */
export async function monthlyTrialCvmBalance(
  source: ReportSource,
  request: MonthReportRequest,
): Promise<ReportContent> {
  requireBranch(source.tenant);
  const { balance, ...statement } = await readMonthlyTrialBalance(source, request);
  return {
    ...monthHead(statement, source.now),
    withoutOnPages: columnsWithoutClosing(statement),
    rows: chunkRows([
      ...balance.rows.map((row) => accountRow({ ...row, account: withFundCode(row.account) })),
      totalRow(balance.total),
      ...journalRows(statement, balance.total),
      ...summaryOf(balance.sectionBalance),
    ]),
  };
}

function summaryOf(balanceOf: (section: StatementSection) => bigint): TableRow[] {
  const [equity, revenue, expense] = [balanceOf('EQUITY'), balanceOf('REVENUE'), balanceOf('EXPENSE')];
  return [
    { kind: 'section', cells: { text: 'Resumo' }, bookmark: 'Resumo' },
    summaryRow('Ativo', balanceOf('ASSET')),
    summaryRow('Passivo', balanceOf('LIABILITY')),
    summaryRow('Patrimônio líquido', equity),
    summaryRow('Receitas', revenue),
    summaryRow('Despesas', expense),
    summaryRow('Patrimônio líquido + resultado', equity + revenue + expense, 'subtotal'),
    summaryRow('Compensação', balanceOf('MEMORANDUM_DEBIT') + balanceOf('OTHER_DEBIT')),
  ];
}
