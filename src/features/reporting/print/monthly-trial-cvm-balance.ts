import { balanceOf } from '../../../accounting/balance.ts';
import type { Centavos } from '../../../accounting/money.ts';
import { type StatementSection, sectionsOf } from '../../../accounting/statement-section.ts';
import type { TableRow } from '../../../platform/render/rows.ts';
import {
  type AccountBalance,
  accountsInRange,
  chosenBalances,
  leavesOf,
  readOpenedMonth,
  totalOf,
} from './account-balances.ts';
import { summaryRow, withFund, withFundCode } from './fund-layout.ts';
import { readPrintedAccounts } from './printed-accounts.ts';
import { headValues, monthInWords, readReportingEntity } from './report-head.ts';
import type { MonthReportRequest } from './report-request.ts';
import type { ReportContent, ReportSource } from './report-source.ts';
import { accountRow, inPortions, totalRow } from './table-rows.ts';

/** The trial balance of a fund, with its summary. */
export async function monthlyTrialCvmBalance(
  source: ReportSource,
  request: MonthReportRequest,
): Promise<ReportContent> {
  const entity = await readReportingEntity(source, request.month);
  const { accounts: movements } = await readOpenedMonth(source, request.month, 'mes');
  const chart = await readPrintedAccounts(source, entity);
  const accounts = await accountsInRange(source.sql, entity.options.chartId, chart, request);
  const leaves = leavesOf(accounts, movements, request);
  const sectionOf = sectionsOf(chart);
  const rows = [
    ...chosenBalances(accounts, movements, request).map(({ account, movement }) =>
      accountRow({ account: withFundCode(account), movement }),
    ),
    totalRow(totalOf(leaves)),
    ...summaryOf((part) => sumOfPart(leaves, (account) => sectionOf(account) === part)),
  ];
  return {
    values: await withFund(source, entity, headValues(entity, monthInWords(request.month), source.now)),
    rows: inPortions(rows),
  };
}

function sumOfPart(
  leaves: readonly AccountBalance[],
  isOfPart: (account: AccountBalance['account']) => boolean,
): Centavos {
  return leaves.reduce((sum, { account, movement }) => (isOfPart(account) ? sum + balanceOf(movement) : sum), 0n);
}

function summaryOf(sum: (part: StatementSection) => Centavos): TableRow[] {
  const [equity, revenue, expense] = [sum('EQUITY'), sum('REVENUE'), sum('EXPENSE')];
  return [
    { kind: 'section', cells: { text: 'Resumo' }, bookmark: 'Resumo' },
    summaryRow('Ativo', sum('ASSET')),
    summaryRow('Passivo', sum('LIABILITY')),
    summaryRow('Patrimônio líquido', equity),
    summaryRow('Receitas', revenue),
    summaryRow('Despesas', expense),
    summaryRow('Patrimônio líquido + resultado', equity + revenue + expense, 'subtotal'),
    summaryRow('Compensação', sum('MEMORANDUM_DEBIT')),
  ];
}
