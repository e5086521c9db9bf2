import { type Centavos, magnitudeOf } from './money.ts';

/** TRUNC drops the rest, HALF_UP rounds half away from zero, HALF_EVEN rounds half to the even neighbour. */
export type Rounding = 'TRUNC' | 'HALF_UP' | 'HALF_EVEN';

/**
 * Net equity over number of quotas, scaled by 10^decimals. `quotas` is scaled by 10^quotasDecimals, by default with the
 * same decimals, and greater than zero: callers reject a fund without quotas before they divide.
 */
export function quotaValue(
  netEquity: Centavos,
  quotas: bigint,
  decimals: number,
  rounding: Rounding,
  quotasDecimals: number = decimals,
): bigint {
  if (quotas <= 0n) throw new Error('the number of quotas must be greater than zero');
  return roundedQuotient(netEquity * 10n ** BigInt(decimals + quotasDecimals), quotas * 100n, rounding);
}

/** Quotas that an amount is worth at a value, which is greater than zero; both quotients with their own decimals. */
export function quotasOfAmount(
  amount: Centavos,
  value: { readonly scaled: bigint; readonly decimals: number },
  decimals: number,
  rounding: Rounding,
): bigint {
  return roundedQuotient(amount * 10n ** BigInt(decimals + value.decimals), value.scaled * 100n, rounding);
}

/** Per cent between two values of the same scale, with eight decimals, truncated; the earlier one is not zero. */
export function variationOf(value: bigint, before: bigint): bigint {
  return ((value - before) * 10n ** 10n) / before;
}

/** '12.5' with 8 decimals → 1250000000n; undefined for other text, or more decimals than asked. */
export function scaledFromDecimal(text: string, decimals: number): bigint | undefined {
  const match = /^(-?)(\d{1,30})(?:\.(\d+))?$/.exec(text);
  const [, sign = '', whole = '', fraction = ''] = match ?? [];
  if (match === null || fraction.length > decimals) return undefined;
  const scaled = BigInt(whole + fraction.padEnd(decimals, '0'));
  return sign === '-' ? -scaled : scaled;
}

/** With all its decimals and a decimal point: '12.50000000'. */
export function scaledToDecimal(scaled: bigint, decimals: number): string {
  const digits = magnitudeOf(scaled)
    .toString()
    .padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  return `${scaled < 0n ? '-' : ''}${whole}${decimals === 0 ? '' : `.${digits.slice(-decimals)}`}`;
}

/** `divisor` is greater than zero. */
export function roundedQuotient(dividend: bigint, divisor: bigint, rounding: Rounding): bigint {
  const quotient = dividend / divisor;
  const twiceRest = magnitudeOf(dividend % divisor) * 2n;
  const half = twiceRest === divisor;
  const roundsAway =
    rounding === 'HALF_UP'
      ? twiceRest >= divisor
      : rounding === 'HALF_EVEN' && (twiceRest > divisor || (half && quotient % 2n !== 0n));
  if (!roundsAway) return quotient;
  return dividend < 0n ? quotient - 1n : quotient + 1n;
}
