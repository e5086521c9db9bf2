import {
  type AccountOfLine,
  addLine,
  type LineStatement,
  NO_TURNOVER,
  type StatementLine,
  type Turnover,
} from './line-statement.ts';

export type ListingRow<Account> =
  | {
      readonly kind: 'LINE';
      readonly line: StatementLine;
      readonly account: Account | undefined;
      readonly counter: Account | undefined;
    }
  | { readonly kind: 'TOTAL'; readonly lines: number; readonly total: Turnover };

/** Lines as they come, with their number and totals at the end. */
export function postingListing<Account>(accountOf: AccountOfLine<Account>): LineStatement<ListingRow<Account>> {
  let count = 0;
  let total = NO_TURNOVER;
  return {
    add: (lines) =>
      lines.map((line) => {
        count++;
        total = addLine(total, line);
        const counter = line.offsetId === null ? undefined : accountOf(line.offsetId, line.day);
        return { kind: 'LINE', line, account: accountOf(line.accountId, line.day), counter };
      }),
    end: () => [{ kind: 'TOTAL', lines: count, total }],
  };
}
