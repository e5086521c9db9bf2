import type { Centavos } from './money.ts';
import { type Problem, problem } from './problem.ts';
import { roundedQuotient } from './quota.ts';

// Administration fees of funds (domain: fund fees). Rates are percent with six decimals: 2.5 % is 2_500_000n.

/** What a whole is in percent with six decimals. */
export const ONE_HUNDRED_PERCENT = 100_000_000n;

/** A part of the equity and the rate of a year on it; `to` is the first amount beyond it, undefined for the last band. */
export interface FeeBand {
  readonly from: Centavos;
  readonly to: Centavos | undefined;
  readonly rate: bigint;
}

/** What of an equity lies in a band. */
export interface BandPart {
  readonly band: FeeBand;
  readonly amount: Centavos;
}

/** Business days of a year, or calendar days. */
export type DayBasis = 252 | 365;

/** Bands begin with zero and follow each other without overlap and without gap; the last one has no end. */
export function bandProblems(bands: readonly FeeBand[]): Problem[] {
  const wrong = (reason: 'BANDS_OVERLAP' | 'BANDS_LEAVE_A_GAP', at: number) =>
    problem('INVALID_FIELD', { reason }, `bands[${at}]`);
  let next: Centavos | undefined = 0n;
  for (const [at, { from, to }] of bands.entries()) {
    if (next === undefined || from < next) return [wrong('BANDS_OVERLAP', at)];
    if (from > next) return [wrong('BANDS_LEAVE_A_GAP', at)];
    if (to !== undefined && to <= from) return [wrong('BANDS_OVERLAP', at)];
    next = to;
  }
  return next === undefined ? [] : [wrong('BANDS_LEAVE_A_GAP', bands.length - 1)];
}

/** Each band takes the part of the base that lies within it, so that a fee never falls because the equity grows. */
export function bandParts(base: Centavos, bands: readonly FeeBand[]): BandPart[] {
  return bands.flatMap((band) => {
    const end = band.to === undefined || base < band.to ? base : band.to;
    return end > band.from ? [{ band, amount: end - band.from }] : [];
  });
}

/** The fee of so many days on a base, all bands together rounded once: half a centavo rounds up. */
export function administrationFee(
  base: Centavos,
  bands: readonly FeeBand[],
  days: number,
  dayBasis: DayBasis,
): Centavos {
  let weighted = 0n;
  for (const { band, amount } of bandParts(base, bands)) weighted += amount * band.rate;
  return roundedQuotient(weighted * BigInt(days), BigInt(dayBasis) * ONE_HUNDRED_PERCENT, 'HALF_UP');
}
