/**
 * An exact decimal number: coefficient ÷ 10^scale, always in lowest terms (no trailing zero after the point), so that
 * equal numbers have equal fields.
 */
export interface Decimal {
  readonly coefficient: bigint;
  readonly scale: number;
}

export const ZERO: Decimal = { coefficient: 0n, scale: 0 };
export const HUNDRED: Decimal = { coefficient: 100n, scale: 0 };

export function decimal(coefficient: bigint, scale = 0): Decimal {
  if (coefficient === 0n) return ZERO;
  let shortened = coefficient;
  let decimals = scale;
  while (decimals > 0 && shortened % 10n === 0n) {
    shortened /= 10n;
    decimals--;
  }
  return { coefficient: shortened, scale: decimals };
}

/** From '12' or '12.50'; the caller has checked the shape. */
export function decimalFromText(text: string): Decimal {
  const point = text.indexOf('.');
  if (point < 0) return decimal(BigInt(text));
  return decimal(BigInt(text.slice(0, point) + text.slice(point + 1)), text.length - point - 1);
}

export function decimalFromCentavos(centavos: bigint): Decimal {
  return decimal(centavos, 2);
}

export function add(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  return decimal(scaledTo(a, scale) + scaledTo(b, scale), scale);
}

export function subtract(a: Decimal, b: Decimal): Decimal {
  return add(a, negate(b));
}

export function multiply(a: Decimal, b: Decimal): Decimal {
  return decimal(a.coefficient * b.coefficient, a.scale + b.scale);
}

/** To so many decimals, half to even: over many divisions the errors of that rounding cancel out. */
export function divide(dividend: Decimal, divisor: Decimal, decimals: number): Decimal {
  const numerator = dividend.coefficient * 10n ** BigInt(divisor.scale + decimals);
  const denominator = divisor.coefficient * 10n ** BigInt(dividend.scale);
  const quotient = magnitude(numerator) / magnitude(denominator);
  const twice = 2n * (magnitude(numerator) % magnitude(denominator));
  const isUp = twice > magnitude(denominator) || (twice === magnitude(denominator) && quotient % 2n === 1n);
  const rounded = isUp ? quotient + 1n : quotient;
  return decimal(numerator < 0n === denominator < 0n ? rounded : -rounded, decimals);
}

export function negate(x: Decimal): Decimal {
  return { coefficient: -x.coefficient, scale: x.scale };
}

export function absolute(x: Decimal): Decimal {
  return { coefficient: magnitude(x.coefficient), scale: x.scale };
}

export function isZero(x: Decimal): boolean {
  return x.coefficient === 0n;
}

/** Negative, zero or positive, as a is below, equal to or above b. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  const scale = Math.max(a.scale, b.scale);
  const difference = scaledTo(a, scale) - scaledTo(b, scale);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

export function roundHalfAwayFromZero(x: Decimal, decimals: number): Decimal {
  if (x.scale <= decimals) return x;
  const unit = 10n ** BigInt(x.scale - decimals);
  const rounded = (magnitude(x.coefficient) + unit / 2n) / unit;
  return decimal(x.coefficient < 0n ? -rounded : rounded, decimals);
}

/** Whether it can be written with so many digits, those after the point included. */
export function fitsDigits(x: Decimal, digits: number): boolean {
  return x.scale <= digits && magnitude(x.coefficient) < powerOfTen(digits);
}

/** The number as an integer of JavaScript, or undefined when it has decimals or lies outside ±10^9. */
export function wholeNumber(x: Decimal): number | undefined {
  return x.scale === 0 && magnitude(x.coefficient) <= 1_000_000_000n ? Number(x.coefficient) : undefined;
}

/** '-1234.5': all digits, a point; valid as a JSON number. */
export function decimalText(x: Decimal): string {
  const { sign, whole, decimals } = sectionsOf(x);
  return decimals === '' ? `${sign}${whole}` : `${sign}${whole}.${decimals}`;
}

/** '-1.234,50': as Brazilians write it, at least two decimals and no more than needed up to the maximum. */
export function formatDecimal(x: Decimal, maximumDecimals: number): string {
  const { sign, whole, decimals } = sectionsOf(roundHalfAwayFromZero(x, maximumDecimals));
  return `${sign}${groupedByThree(whole)},${decimals.padEnd(2, '0')}`;
}

function groupedByThree(whole: string): string {
  const first = whole.length % 3 || 3;
  return whole.slice(0, first) + whole.slice(first).replace(/\d{3}/g, '.$&');
}

function sectionsOf(x: Decimal): { sign: string; whole: string; decimals: string } {
  const digits = magnitude(x.coefficient)
    .toString()
    .padStart(x.scale + 1, '0');
  const point = digits.length - x.scale;
  return { sign: x.coefficient < 0n ? '-' : '', whole: digits.slice(0, point), decimals: digits.slice(point) };
}

function scaledTo(x: Decimal, scale: number): bigint {
  return x.scale === scale ? x.coefficient : x.coefficient * 10n ** BigInt(scale - x.scale);
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}

let lastPower = { digits: 0, value: 1n };

/** Asked for the same exponent at every operation, so the last one is kept. */
function powerOfTen(digits: number): bigint {
  if (lastPower.digits !== digits) lastPower = { digits, value: 10n ** BigInt(digits) };
  return lastPower.value;
}
