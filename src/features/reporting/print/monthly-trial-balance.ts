import { balanceOf, type Movement } from '../../../accounting/balance.ts';
import { type Centavos, decimalOf, sumOf } from '../../../accounting/money.ts';
import type { TableRow } from '../../../platform/render/rows.ts';
import {
  type AccountBalance,
  accountsInRange,
  chosenBalances,
  leavesOf,
  readOpenedMonth,
  totalOf,
} from './account-balances.ts';
import { readPrintedAccounts } from './printed-accounts.ts';
import { headValues, monthInWords, readReportingEntity } from './report-head.ts';
import type { MonthReportRequest } from './report-request.ts';
import type { ReportContent, ReportSource } from './report-source.ts';
import { accountRow, inPortions, totalRow } from './table-rows.ts';

/** Every account with what it brought, moved and holds; the debits of all leaves equal the credits. */
export async function monthlyTrialBalance(source: ReportSource, request: MonthReportRequest): Promise<ReportContent> {
  const entity = await readReportingEntity(source, request.month);
  const { accounts: movements } = await readOpenedMonth(source, request.month, 'mes');
  const chart = await readPrintedAccounts(source, entity);
  const accounts = await accountsInRange(source.sql, entity.options.chartId, chart, request);
  const leaves = leavesOf(accounts, movements, request);
  const rows = [
    ...chosenBalances(accounts, movements, request).map((each) => accountRow(each)),
    ...sidesOf(leaves),
    totalRow(totalOf(leaves)),
  ];
  return { values: headValues(entity, monthInWords(request.month), source.now), rows: inPortions(rows) };
}

/** Debit and credit balances apart: the proof that the books balance shows more than a zero. */
function sidesOf(leaves: readonly AccountBalance[]): TableRow[] {
  const ofSide = (name: string, isOfSide: (balance: Centavos) => boolean): TableRow => {
    const sum = (of: (movement: Movement) => Centavos) =>
      decimalOf(sumOf(leaves.map(({ movement }) => of(movement)).filter(isOfSide)));
    return {
      kind: 'subtotal',
      cells: {
        name,
        opening: sum(({ opening }) => opening),
        closing: sum(({ closing }) => closing),
        balance: sum(balanceOf),
      },
    };
  };
  return [ofSide('Saldos devedores', (balance) => balance > 0n), ofSide('Saldos credores', (balance) => balance < 0n)];
}
