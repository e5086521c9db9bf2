import type { Centavos } from './money.ts';
import {
  addDays,
  addMonths,
  brazilianDate,
  type Day,
  dayIn,
  dayNumberOf,
  lastDay,
  monthNumberOf,
  monthOfDay,
} from './period.ts';
import { type Problem, problem } from './problem.ts';
import { quotasOfAmount, quotaValue, type Rounding, scaledToDecimal, variationOf } from './quota.ts';

/** What a movement of quotas may be (domain: quota, 2). */
export const MOVEMENT_KINDS = [
  'INITIAL',
  'SUBSCRIPTION',
  'REDEMPTION',
  'COME_COTAS',
  'AMORTIZATION',
  'ADJUSTMENT',
] as const;
export type MovementKind = (typeof MOVEMENT_KINDS)[number];

/** Decimals with which numbers of quotas and values are computed. */
export const STORED_DECIMALS = 12;

/** How a fund computes its quotas. */
export interface QuotaTerms {
  readonly quotaDecimals: number;
  readonly quantityDecimals: number;
  readonly roundingMode: Rounding;
}

export interface QuotaMovement {
  readonly id: number;
  readonly day: Day;
  readonly kind: MovementKind;
  /** Signed, with STORED_DECIMALS; undefined: given by its amount, and not computed yet. */
  readonly quotas: bigint | undefined;
  /** Without sign. */
  readonly amount: Centavos | undefined;
}

/** What a day's quota is computed from. */
export interface DayOfFund {
  readonly day: Day;
  /** Credit-positive. */
  readonly netEquity: Centavos;
  /** Where an account holds the quotas: its balance, with STORED_DECIMALS. */
  readonly heldQuotas: bigint | undefined;
}

export interface ComputedQuota {
  readonly day: Day;
  /** With the decimals of the terms. */
  readonly value: bigint;
  readonly netEquity: Centavos;
  /** With STORED_DECIMALS. */
  readonly quantity: bigint;
  readonly inflow: Centavos;
  readonly outflow: Centavos;
  /** Quotas of the movements that were given by their amount. */
  readonly conversions: readonly { readonly id: number; readonly quotas: bigint }[];
}

/** Whether a movement brings quotas or takes them away; an adjustment says so itself. */
export function signOfKind(kind: MovementKind): 1n | -1n | undefined {
  if (kind === 'ADJUSTMENT') return undefined;
  return kind === 'INITIAL' || kind === 'SUBSCRIPTION' ? 1n : -1n;
}

/**
 * The quotas of days in their order, from the number of quotas before the first and the movements since, in the order of their
 * days. Computing stops at the first problem: the days after it would stand on nothing.
 */
export function computeQuotas(
  terms: QuotaTerms,
  before: bigint,
  movements: readonly QuotaMovement[],
  days: readonly DayOfFund[],
): { readonly quotas: ComputedQuota[]; readonly problem?: Problem } {
  const quotas: ComputedQuota[] = [];
  let quantity = before;
  let next = 0;
  for (const day of days) {
    for (; movements[next] && movements[next]!.day < day.day; next++) {
      const { quotas: moved, day: pending } = movements[next]!;
      if (moved === undefined) return { quotas, problem: problem('QUOTAS_PENDING', { day: brazilianDate(pending) }) };
      quantity += moved;
    }
    const first = next;
    while (movements[next]?.day === day.day) next++;
    const computed = computeDay(terms, quantity, movements.slice(first, next), day);
    if ('code' in computed) return { quotas, problem: computed };
    quotas.push(computed);
    quantity += sumOfQuotas(movements.slice(first, next), computed.conversions);
  }
  return { quotas };
}

function computeDay(
  terms: QuotaTerms,
  before: bigint,
  movements: readonly QuotaMovement[],
  { day, netEquity, heldQuotas }: DayOfFund,
): ComputedQuota | Problem {
  const flows = flowsOf(movements);
  const conversions =
    heldQuotas === undefined ? convert(terms, before, movements, netEquity - flows.inflow + flows.outflow, day) : [];
  if ('code' in conversions) return conversions;
  const quantity = heldQuotas ?? before + sumOfQuotas(movements, conversions);
  if (quantity < 0n) return problem('REDEMPTION_ABOVE_BALANCE', { day: brazilianDate(day), balance: plain(before) });
  if (netEquity <= 0n)
    return problem('NET_EQUITY_OF_DAY', { day: brazilianDate(day), value: scaledToDecimal(netEquity, 2) });
  if (quantity === 0n) return problem('NO_QUOTAS_ON', { day: brazilianDate(day) });
  const { quotaDecimals, roundingMode } = terms;
  const value = quotaValue(netEquity, quantity, quotaDecimals, roundingMode, STORED_DECIMALS);
  return { day, value, netEquity, quantity, ...flows, conversions };
}

/** The quotas of amounts, at the quota of the day computed without its movements. */
function convert(
  { quotaDecimals, quantityDecimals, roundingMode }: QuotaTerms,
  before: bigint,
  movements: readonly QuotaMovement[],
  equityBefore: Centavos,
  day: Day,
): ComputedQuota['conversions'] | Problem {
  const pending = movements.filter(({ quotas }) => quotas === undefined);
  if (pending.length === 0) return [];
  if (before <= 0n) return problem('NO_QUOTAS_ON', { day: brazilianDate(day) });
  if (equityBefore <= 0n)
    return problem('NET_EQUITY_OF_DAY', { day: brazilianDate(day), value: scaledToDecimal(equityBefore, 2) });
  const scaled = quotaValue(equityBefore, before, quotaDecimals, roundingMode, STORED_DECIMALS);
  if (scaled === 0n) return problem('NO_QUOTAS_ON', { day: brazilianDate(day) });
  const scale = 10n ** BigInt(STORED_DECIMALS - quantityDecimals);
  return pending.map(({ id, kind, amount }) => {
    const quotas = quotasOfAmount(amount!, { scaled, decimals: quotaDecimals }, quantityDecimals, roundingMode);
    return { id, quotas: (signOfKind(kind) ?? 1n) * quotas * scale };
  });
}

function flowsOf(movements: readonly QuotaMovement[]): { inflow: Centavos; outflow: Centavos } {
  let [inflow, outflow] = [0n, 0n];
  for (const { kind, amount = 0n } of movements) {
    if (signOfKind(kind) === 1n) inflow += amount;
    else outflow += amount;
  }
  return { inflow, outflow };
}

function sumOfQuotas(movements: readonly QuotaMovement[], conversions: ComputedQuota['conversions']): bigint {
  const given = movements.reduce((sum, { quotas }) => sum + (quotas ?? 0n), 0n);
  return conversions.reduce((sum, { quotas }) => sum + quotas, given);
}

function plain(quantity: bigint): string {
  return scaledToDecimal(quantity / 10_000n, 8);
}

/** Up to which days the quotas lie that one of a day is compared with. */
export interface VariationDays {
  readonly previous: Day;
  readonly month: Day;
  readonly year: Day;
  readonly twelveMonths: Day;
}

/** `yearEnd` is the last month of the fund's own year. */
export function variationDays(day: Day, yearEnd: number): VariationDays {
  const month = monthOfDay(day);
  const lastOfYear = addMonths(month, -(((monthNumberOf(month) - yearEnd + 11) % 12) + 1));
  const yearBefore = addMonths(month, -12);
  return {
    previous: addDays(day, -1),
    month: lastDay(addMonths(month, -1)),
    year: lastDay(lastOfYear),
    twelveMonths: dayIn(yearBefore, dayNumberOf(day)) ?? lastDay(yearBefore),
  };
}

/** Per cent with eight decimals; undefined where there is nothing to compare with. */
export type Variations = { readonly [Span in 'day' | 'month' | 'year' | 'twelveMonths']: bigint | undefined };

/** Values have the same scale; `lastUpTo` gives the last quota up to a day. */
export function variationsOf(
  value: bigint,
  days: VariationDays,
  lastUpTo: (day: Day) => bigint | undefined,
): Variations & { readonly previous: bigint | undefined } {
  const since = (day: Day) => {
    const before = lastUpTo(day);
    return before === undefined || before === 0n ? undefined : variationOf(value, before);
  };
  return {
    previous: lastUpTo(days.previous),
    day: since(days.previous),
    month: since(days.month),
    year: since(days.year),
    twelveMonths: since(days.twelveMonths),
  };
}
