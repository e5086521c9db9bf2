import { ONE_HUNDRED_PERCENT } from './fund-fee.ts';
import type { Centavos } from './money.ts';
import type { Day } from './period.ts';
import { roundedQuotient } from './quota.ts';

// Performance fees of funds: a share of what the equity exceeds its mark by (domain: fund fees). The mark is the equity
// of the last time that a fee became due, carried forward day by day. Rates are percent with six decimals.

/** Decimals of reais that the mark is kept with. */
export const MARK_DECIMALS = 12;
const MARK_PER_CENTAVO = 10n ** BigInt(MARK_DECIMALS - 2);

/** Decimals of the rate of a day, as the financial market publishes daily rates of interbank deposits. */
const DAILY_DECIMALS = 8;
const DAILY_SCALE = 10n ** BigInt(DAILY_DECIMALS);
const BUSINESS_DAYS_OF_A_YEAR = 252n;

/** A rate of a year on 252 business days, in force from a day until the next one. */
export interface BenchmarkRate {
  readonly from: Day;
  readonly rate: bigint;
}

/** A business day on which the mark is carried forward. */
export interface MarkDay {
  /** The benchmark's rate of the day. */
  readonly dailyRate: bigint;
  readonly subscriptions: Centavos;
  readonly amortizations: Centavos;
  /** Quotas in circulation before those of the day left, and how many left; of the same scale. */
  readonly quotas: bigint;
  readonly redeemed: bigint;
}

export interface PerformanceState {
  /** What the equity has to exceed, in reais with MARK_DECIMALS. */
  readonly mark: bigint;
  /** Accrued and not due yet. */
  readonly provision: Centavos;
}

/** The rate in force on a day; zero before the first one. */
export function benchmarkOn(day: Day, rates: readonly BenchmarkRate[]): bigint {
  let found = 0n;
  for (const { from, rate } of rates) if (from <= day) found = rate;
  return found;
}

/** The rate of one business day that makes so much in a year: the 252nd root, rounded to eight decimals (a fraction). */
export function dailyRate(yearly: bigint): bigint {
  const exponent = BUSINESS_DAYS_OF_A_YEAR;
  // k is the nearest whole number to the root where (2k - 1)^252 <= (2 root)^252 < (2k + 1)^252.
  const doubled = (ONE_HUNDRED_PERCENT + yearly) * 2n ** exponent * DAILY_SCALE ** exponent;
  let [low, high] = [DAILY_SCALE, DAILY_SCALE * 2n];
  while ((2n * high + 1n) ** exponent * ONE_HUNDRED_PERCENT <= doubled) high *= 2n;
  while (low < high) {
    const middle = (low + high + 1n) / 2n;
    if ((2n * middle - 1n) ** exponent * ONE_HUNDRED_PERCENT <= doubled) low = middle;
    else high = middle - 1n;
  }
  return low - DAILY_SCALE;
}

/**
 * The state at the end of the day: the mark grows by the share of the benchmark, takes in what was subscribed, and loses
 * what was paid out; quotas that left take their part of mark and provision with them, which is due then.
 */
export function carryMark({ mark, provision }: PerformanceState, day: MarkDay, share: bigint): PerformanceState {
  const one = DAILY_SCALE * ONE_HUNDRED_PERCENT;
  const grown = roundedQuotient(mark * (one + day.dailyRate * share), one, 'HALF_UP');
  const stayed = day.quotas - day.redeemed;
  const remaining = (amount: bigint) =>
    day.redeemed === 0n || day.quotas <= 0n ? amount : roundedQuotient(amount * stayed, day.quotas, 'HALF_UP');
  const moved = (day.subscriptions - day.amortizations) * MARK_PER_CENTAVO;
  const carried = remaining(grown) + moved;
  return { mark: carried > 0n ? carried : 0n, provision: remaining(provision) };
}

/** The mark that an equity sets. */
export function markOf(equity: Centavos): bigint {
  return equity * MARK_PER_CENTAVO;
}

export interface PerformanceFee {
  /** The whole fee on what exceeds the mark. */
  readonly due: Centavos;
  /** What is posted for the day: negative where less is due than has been accrued. */
  readonly change: Centavos;
  /** After the day: where the fee becomes due, what is left of the equity is the new mark. */
  readonly state: PerformanceState;
}

/** The fee on an equity that the provision has been taken from. Nothing due leaves the mark where it was. */
export function performanceFee(
  equity: Centavos,
  { mark, provision }: PerformanceState,
  rate: bigint,
  becomesDue: boolean,
): PerformanceFee {
  const before = equity + provision;
  const excess = markOf(before) - mark;
  const due = excess > 0n ? roundedQuotient(excess * rate, MARK_PER_CENTAVO * ONE_HUNDRED_PERCENT, 'HALF_UP') : 0n;
  const change = due - provision;
  if (!becomesDue || due === 0n) return { due, change, state: { mark, provision: due } };
  // Half a centavo of rounding must not make the mark fall.
  const left = markOf(before - due);
  return { due, change, state: { mark: left > mark ? left : mark, provision: 0n } };
}
