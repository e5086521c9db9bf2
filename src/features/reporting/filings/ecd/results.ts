import { lastDay } from '../../../../accounting/period.ts';
import type { ClosedResult } from './ecd-balances.read.sql.ts';
import type { EcdBooks } from './ecd-books.ts';
import { dayInFile, type EcdLine, fileDay, type LineMaker, sided } from './ecd-line.ts';

/** Registers I350 and I355: results before they were closed, at each closing. */
export function resultLines(books: EcdBooks, make: LineMaker, results: readonly ClosedResult[]): EcdLine[] {
  const codes = new Map(books.accounts.map(({ id, code }) => [id, code]));
  return [...Map.groupBy(results, ({ month }) => month)].flatMap(([month, accounts]) => [
    make.line('I350', [fileDay(dayInFile(books.request, lastDay(month)))]),
    ...accounts.map(({ accountId, branchId, balance }) => {
      const centre = branchId === null ? '' : books.branchCodes.get(branchId);
      return make.line('I355', [codes.get(accountId), centre, ...sided(balance)]);
    }),
  ]);
}
