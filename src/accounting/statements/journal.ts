import { type Day, type Month, monthOfDay } from '../period.ts';
import {
  type AccountOfLine,
  addLine,
  type LineStatement,
  NO_TURNOVER,
  type StatementLine,
  type Turnover,
} from './line-statement.ts';

/** `whole` is the sum of all lines up to the row. */
export type JournalRow<Account> =
  | { readonly kind: 'DAY'; readonly day: Day }
  | {
      readonly kind: 'LINE';
      readonly line: StatementLine;
      readonly account: Account | undefined;
      readonly whole: Turnover;
    }
  | { readonly kind: 'DAY_TOTAL'; readonly day: Day; readonly total: Turnover; readonly whole: Turnover }
  | { readonly kind: 'MONTH_TOTAL'; readonly month: Month; readonly total: Turnover; readonly whole: Turnover }
  | { readonly kind: 'NO_LINES' }
  | { readonly kind: 'TOTAL'; readonly whole: Turnover };

/** Every line in the order of the books, with totals of each day, each month and the whole. */
export function journal<Account>(accountOf: AccountOfLine<Account>): LineStatement<JournalRow<Account>> {
  return new Journal(accountOf);
}

class Journal<Account> implements LineStatement<JournalRow<Account>> {
  readonly #accountOf: AccountOfLine<Account>;
  #day: Day | undefined;
  #ofDay = NO_TURNOVER;
  #ofMonth = NO_TURNOVER;
  #whole = NO_TURNOVER;

  constructor(accountOf: AccountOfLine<Account>) {
    this.#accountOf = accountOf;
  }

  add(lines: readonly StatementLine[]): JournalRow<Account>[] {
    const rows: JournalRow<Account>[] = [];
    for (const line of lines) {
      if (line.day !== this.#day) rows.push(...this.#turnTo(line.day));
      this.#ofDay = addLine(this.#ofDay, line);
      this.#ofMonth = addLine(this.#ofMonth, line);
      this.#whole = addLine(this.#whole, line);
      rows.push({ kind: 'LINE', line, account: this.#accountOf(line.accountId, line.day), whole: this.#whole });
    }
    return rows;
  }

  end(): JournalRow<Account>[] {
    const last: JournalRow<Account>[] = this.#day === undefined ? [{ kind: 'NO_LINES' }] : this.#endOf(this.#day);
    return [...last, { kind: 'TOTAL', whole: this.#whole }];
  }

  #turnTo(day: Day): JournalRow<Account>[] {
    const rows = this.#day === undefined ? [] : this.#endOf(this.#day, day);
    this.#day = day;
    return [...rows, { kind: 'DAY', day }];
  }

  /** The totals of a day, and of its month unless the next day is in it. */
  #endOf(day: Day, next?: Day): JournalRow<Account>[] {
    const whole = this.#whole;
    const month = monthOfDay(day);
    const ofDay: JournalRow<Account> = { kind: 'DAY_TOTAL', day, total: this.#ofDay, whole };
    this.#ofDay = NO_TURNOVER;
    if (next !== undefined && monthOfDay(next) === month) return [ofDay];
    const ofMonth: JournalRow<Account> = { kind: 'MONTH_TOTAL', month, total: this.#ofMonth, whole };
    this.#ofMonth = NO_TURNOVER;
    return [ofDay, ofMonth];
  }
}
