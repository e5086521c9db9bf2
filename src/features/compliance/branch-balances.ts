import { balanceOf } from '../../accounting/balance.ts';
import { type AccountId, asId, type ChartId } from '../../accounting/ids.ts';
import { centavosFromSql } from '../../accounting/money.ts';
import { type Day, firstDay, type Month } from '../../accounting/period.ts';
import type { BalanceNeeds } from '../../accounting/rule-language/balance-needs.ts';
import type { BalanceReader, MonthBalance } from '../../accounting/rule-language/balance-reader.ts';
import type { ChartIndex } from '../../accounting/rule-language/chart-index.ts';
import { evaluateScript, type RuleOutcome } from '../../accounting/rule-language/evaluate-script.ts';
import { failure } from '../../accounting/rule-language/failure.ts';
import { preloadedBalances } from '../../accounting/rule-language/preloaded-balances.ts';
import type { Script } from '../../accounting/rule-language/script.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { computeMonth } from '../closing/balances/balances.read.sql.ts';
import {
  type BranchBooks,
  type ClosedBalanceRow,
  type ClosedDayRow,
  selectClosedBalances,
  selectClosedDays,
} from './books.read.sql.ts';

/** More months than this, requested one by one by computed numbers, mean a runaway script. */
const MAX_ROUNDS = 400;

/** What scripts read, in the terms of one chart. */
export interface ChartNeeds extends Pick<BalanceNeeds, 'months' | 'days'> {
  readonly chart: ChartIndex;
  /** Null for all accounts of the chart. */
  readonly accountIds: readonly AccountId[] | null;
}

/** What all the scripts together read: loaded at once, each month of a branch is read once for all of them. */
export function needsInChart(needs: readonly BalanceNeeds[], chart: ChartIndex): ChartNeeds {
  const isComputed = needs.some(({ accounts }) => accounts === null);
  const texts = new Set(needs.flatMap(({ accounts }) => accounts ?? []));
  return {
    chart,
    months: [...new Set(needs.flatMap(({ months }) => months))],
    days: needs.some(({ days }) => days),
    accountIds: isComputed ? null : [...new Set([...texts].flatMap((text) => idsOf(chart, text)))],
  };
}

function idsOf(chart: ChartIndex, text: string): AccountId[] {
  const found = chart.find(text);
  return 'accounts' in found ? found.accounts.map(({ id }) => id) : [];
}

/** The balances of one branch as rules ask for them: each month, and the days of the reference month, read once. */
export class BranchBalances {
  readonly #sql: Sql;
  readonly #books: BranchBooks;
  readonly #month: Month;
  readonly #needs: ChartNeeds;
  readonly #months = new Map<Month, ReadonlyMap<number, MonthBalance>>();
  readonly #facts: Omit<Parameters<typeof preloadedBalances>[0], 'dayBalance'>;
  #reader: BalanceReader;

  private constructor(sql: Sql, books: BranchBooks, needs: ChartNeeds, month: Month) {
    this.#sql = sql;
    this.#books = books;
    this.#month = month;
    this.#needs = needs;
    const closedMonths = new Set(books.closedMonths);
    this.#facts = { chart: needs.chart, baseMonth: books.baseMonth, closedMonths, months: this.#months };
    this.#reader = preloadedBalances(this.#facts);
  }

  /** Loads what is known to be needed; the statement is sent before this returns its promise. */
  static async load(sql: Sql, books: BranchBooks, needs: ChartNeeds, month: Month): Promise<BranchBalances> {
    const balances = new BranchBalances(sql, books, needs, month);
    await balances.#loadMonths(needs.months);
    if (needs.days) await balances.#loadDays();
    return balances;
  }

  async run(script: Script): Promise<RuleOutcome> {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const { outcome, needs } = evaluateScript(script, { referenceMonth: this.#month, balances: this.#reader });
      if (outcome !== undefined) return outcome;
      if ('month' in needs) await this.#loadMonths([needs.month]);
      else await this.#loadDays();
    }
    const stopped = failure('TOO_MANY_READS', { line: 1, column: 1 }, {});
    return { status: 'BROKEN', value: null, messages: [], failure: stopped, reads: [], evaluatedNodes: 0 };
  }

  async #loadMonths(months: readonly Month[]): Promise<void> {
    const missing = months.filter((month) => this.#reader.monthState(month) === 'NOT_LOADED');
    const closed = missing.filter((month) => this.#facts.closedMonths.has(month));
    if (closed.length > 0) {
      const loaded = new Map(closed.map((month) => [firstDay(month), new Map<AccountId, MonthBalance>()]));
      for (const row of await selectClosedBalances(this.#sql, this.#books, closed, this.#needs.accountIds)) {
        loaded.get(row.month)!.set(row.accountId, new ClosedBalance(row));
      }
      for (const month of closed) this.#months.set(month, loaded.get(firstDay(month))!);
    }
    for (const month of missing) {
      if (!closed.includes(month)) this.#months.set(month, await this.#baseBalances(month));
    }
  }

  /** With no month closed and no line before the base month, what is computed there is the base balances, rolled up. */
  async #baseBalances(month: Month): Promise<Map<AccountId, MonthBalance>> {
    const baseline = { chartId: asId<ChartId>(0), baseMonth: month, closed: null, state: null, archived: false };
    const rows = await computeMonth(this.#sql, this.#books, baseline, month);
    const none = { closing: 0n, debits: 0n, credits: 0n };
    return new Map(rows.map((row) => [row.accountId, { accumulated: balanceOf(row), ...none }]));
  }

  async #loadDays(): Promise<void> {
    const month = this.#month;
    await this.#loadMonths([month]);
    const balances = this.#months.get(month);
    if (balances === undefined) return;
    const evenings = new Map<AccountId, ClosedDayRow[]>();
    for (const row of await selectClosedDays(this.#sql, this.#books, month, this.#needs.accountIds)) {
      const before = evenings.get(row.accountId);
      if (before === undefined) evenings.set(row.accountId, [row]);
      else before.push(row);
    }
    const dayBalance = (accountId: AccountId, day: Day) => {
      const evening = evenings.get(accountId)?.findLast((each) => each.day <= day);
      return evening === undefined ? openingOf(balances.get(accountId)) : centavosFromSql(evening.balance);
    };
    this.#reader = preloadedBalances({ ...this.#facts, dayBalance });
  }
}

/** Reads an amount when it is requested. */
class ClosedBalance implements MonthBalance {
  readonly #row: ClosedBalanceRow;

  constructor(row: ClosedBalanceRow) {
    this.#row = row;
  }

  get accumulated(): bigint {
    return centavosFromSql(this.#row.accumulated);
  }

  get closing(): bigint {
    return centavosFromSql(this.#row.closing);
  }

  get debits(): bigint {
    return centavosFromSql(this.#row.debits);
  }

  get credits(): bigint {
    return centavosFromSql(this.#row.credits);
  }
}

function openingOf(balance: MonthBalance | undefined): bigint | undefined {
  return balance && balance.accumulated - balance.debits + balance.credits - balance.closing;
}
