import type { TableRow } from '../../platform/render/rows.ts';
import {
  accountsInRange,
  chosenBalances,
  leavesOf,
  readOpenedMonth,
  totalOf,
  withClosingInside,
} from './account-balances.ts';
import { isDebitSide, partsOf } from './parts-of-balance.ts';
import { readPrintedAccounts } from './printed-accounts.ts';
import { headValues, monthInWords, readBookKeeper } from './report-head.ts';
import type { MonthReportRequest } from './report-request.ts';
import type { ReportContent, ReportSource } from './report-source.ts';
import { accountRow, inPortions, totalRow } from './table-rows.ts';

/** The general balance of the central bank's chart: assets, then liabilities with equity and result; both add up alike. */
export async function cosifGeneralBalance(source: ReportSource, request: MonthReportRequest): Promise<ReportContent> {
  const keeper = await readBookKeeper(source, request.month);
  const month = await readOpenedMonth(source, request.month, 'mes');
  const accounts = await readPrintedAccounts(source, keeper);
  const partOf = partsOf(accounts);
  const chosen = await accountsInRange(source.sql, keeper.options.chartId, accounts, request);
  const sideOf = (title: string, isDebit: boolean): TableRow[] => {
    const ofSide = chosen.filter((account) => isDebitSide(partOf(account)) === isDebit);
    return [
      { kind: 'section', cells: { text: title }, bookmark: title },
      ...chosenBalances(ofSide, month.accounts, request).map(({ account, movement }) =>
        accountRow({ account, movement: withClosingInside(movement) }),
      ),
      totalRow(
        totalOf(
          leavesOf(ofSide, month.accounts, request).map(({ account, movement }) => ({
            account,
            movement: withClosingInside(movement),
          })),
        ),
        `Total do ${title.toLowerCase()}`,
      ),
    ];
  };
  return {
    values: headValues(keeper, monthInWords(request.month), source.now),
    rows: inPortions([...sideOf('ATIVO', true), ...sideOf('PASSIVO', false)]),
  };
}
