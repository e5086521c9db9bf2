import { balanceOf, type Movement } from '../../accounting/balance.ts';
import { type Day, lastDay, type Month } from '../../accounting/period.ts';
import type { BalanceReader, MonthBalance } from '../../accounting/rule-language/balance-reader.ts';
import type { ChartIndex } from '../../accounting/rule-language/chart-index.ts';
import { evaluateScript, type RuleOutcome } from '../../accounting/rule-language/evaluate-script.ts';
import { failure } from '../../accounting/rule-language/failure.ts';
import { preloadedBalances } from '../../accounting/rule-language/preloaded-balances.ts';
import type { Script } from '../../accounting/rule-language/script.ts';
import type { Sql } from '../../platform/sql.ts';
import {
  type AccountAmounts,
  computeMonth,
  selectDayMovements,
  selectStoredMonth,
} from '../balances/balances.read.sql.ts';
import type { BranchBooks } from './books.read.sql.ts';

/** More months than this, asked for one by one by computed numbers, are a runaway script. */
const MOST_ROUNDS = 400;

type Loaded = MonthBalance & Movement;

/** The balances of one branch as rules ask for them: each month, and the days of the reference month, read once. */
export class BranchBalances {
  readonly #sql: Sql;
  readonly #books: BranchBooks;
  readonly #month: Month;
  readonly #months = new Map<Month, ReadonlyMap<number, Loaded>>();
  readonly #facts: Omit<Parameters<typeof preloadedBalances>[0], 'dayBalance'>;
  #reader: BalanceReader;

  constructor(sql: Sql, books: BranchBooks, chart: ChartIndex, month: Month) {
    this.#sql = sql;
    this.#books = books;
    this.#month = month;
    const consolidatedMonths = new Set(books.consolidatedMonths);
    this.#facts = { chart, baseMonth: books.baseMonth, consolidatedMonths, months: this.#months };
    this.#reader = preloadedBalances(this.#facts);
  }

  /** Reads what many scripts need before the first of them runs. */
  async prepare(needs: { months: Iterable<Month>; days: boolean }): Promise<void> {
    for (const month of needs.months) await this.#loadMonth(month);
    if (needs.days) await this.#loadDays();
  }

  async run(script: Script): Promise<RuleOutcome> {
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const { outcome, needs } = evaluateScript(script, { referenceMonth: this.#month, balances: this.#reader });
      if (outcome !== undefined) return outcome;
      if ('month' in needs) await this.#loadMonth(needs.month);
      else await this.#loadDays();
    }
    const stopped = failure('TOO_MANY_READS', { line: 1, column: 1 }, {});
    return { status: 'BROKEN', value: null, messages: [], failure: stopped, reads: [], evaluatedNodes: 0 };
  }

  async #loadMonth(month: Month): Promise<void> {
    if (this.#reader.monthState(month) !== 'NOT_LOADED') return;
    const rows = this.#facts.consolidatedMonths.has(month)
      ? await selectStoredMonth(this.#sql, this.#books, month)
      : await this.#baseBalances(month);
    this.#months.set(month, new Map(rows.map((row) => [row.accountId, loaded(row)])));
  }

  /** With no month frozen and no line before the base month, what is computed there is the base balances, rolled up. */
  #baseBalances(month: Month): Promise<AccountAmounts[]> {
    const anchor = { chartId: 0, baseMonth: month, consolidated: null, state: null, purged: false };
    return computeMonth(this.#sql, this.#books, anchor, month);
  }

  async #loadDays(): Promise<void> {
    const month = this.#month;
    await this.#loadMonth(month);
    const balances = this.#months.get(month);
    if (balances === undefined) return;
    const evenings = new Map<number, { day: Day; balance: bigint }[]>();
    for (const movement of await selectDayMovements(this.#sql, this.#books, month, lastDay(month), true)) {
      const { accountId, day } = movement;
      const before = evenings.get(accountId) ?? [];
      const opening = before.at(-1)?.balance ?? balances.get(accountId)?.opening ?? 0n;
      before.push({ day, balance: balanceOf({ ...movement, opening }) });
      evenings.set(accountId, before);
    }
    const dayBalance = (accountId: number, day: Day) =>
      evenings.get(accountId)?.findLast((evening) => evening.day <= day)?.balance ?? balances.get(accountId)?.opening;
    this.#reader = preloadedBalances({ ...this.#facts, dayBalance });
  }
}

function loaded({ opening, debit, credit, closing }: AccountAmounts): Loaded {
  const accumulated = balanceOf({ opening, debit, credit, closing });
  return { opening, debit, credit, closing, accumulated, debits: debit, credits: credit };
}
