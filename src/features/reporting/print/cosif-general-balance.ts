import { addMovements, balanceOf, type Movement, NO_MOVEMENT } from '../../../accounting/balance.ts';
import { decimalOf } from '../../../accounting/money.ts';
import { isDebitSide, sectionsOf } from '../../../accounting/statement-section.ts';
import type { TableRow } from '../../../platform/render/rows.ts';
import {
  accountsInRange,
  chosenBalances,
  leavesOf,
  readOpenedMonth,
  totalOf,
  withClosingInside,
} from './account-balances.ts';
import { readPrintedAccounts } from './printed-accounts.ts';
import { headValues, monthInWords, readReportingEntity } from './report-head.ts';
import type { MonthReportRequest } from './report-request.ts';
import type { ReportContent, ReportSource } from './report-source.ts';

import { accountRow, DIFFERENCE, differenceWarning, inPortions, totalRow } from './table-rows.ts';

/** The general balance of the central bank's chart: assets, then liabilities with equity and result; both add up alike. */
export async function cosifGeneralBalance(source: ReportSource, request: MonthReportRequest): Promise<ReportContent> {
  const entity = await readReportingEntity(source, request.month);
  const month = await readOpenedMonth(source, request.month, 'mes');
  const accounts = await readPrintedAccounts(source, entity);
  const sectionOf = sectionsOf(accounts);
  const chosen = await accountsInRange(source.sql, entity.options.chartId, accounts, request);
  const sideOf = (title: string, isDebit: boolean): { rows: TableRow[]; total: Movement } => {
    const ofSide = chosen.filter((account) => isDebitSide(sectionOf(account)) === isDebit);
    const total = totalOf(
      leavesOf(ofSide, month.accounts, request).map(({ account, movement }) => ({
        account,
        movement: withClosingInside(movement),
      })),
    );
    const rows: TableRow[] = [
      { kind: 'section', cells: { text: title }, bookmark: title },
      ...chosenBalances(ofSide, month.accounts, request).map(({ account, movement }) =>
        accountRow({ account, movement: withClosingInside(movement) }),
      ),
      totalRow(total, `Total do ${title.toLowerCase()}`),
    ];
    return { rows, total };
  };
  const [debit, credit] = [sideOf('ATIVO', true), sideOf('PASSIVO', false)];
  const isWhole = request.accountFrom === undefined && request.accountTo === undefined;
  const difference = isWhole ? addMovements(debit.total, credit.total) : NO_MOVEMENT;
  const [opening, balance] = [difference.opening, balanceOf(difference)];
  return {
    values: headValues(entity, monthInWords(request.month), source.now),
    warnings: differenceWarning('os totais do ativo e do passivo', [
      { when: 'saldo anterior', amount: opening },
      { when: 'saldo atual', amount: balance },
    ]),
    rows: inPortions([
      ...debit.rows,
      ...credit.rows,
      ...(opening === 0n && balance === 0n
        ? []
        : [
            {
              kind: 'total' as const,
              cells: { name: DIFFERENCE, opening: decimalOf(opening), balance: decimalOf(balance) },
            },
          ]),
    ]),
  };
}
