/** An amount of BRL in hundredths: the only shape in which the program computes with money. */
export type Centavos = bigint;

/** The largest amount of one entry line and of a JSON number: a double still represents it to the cent. */
export const MAX_ENTRY_AMOUNT: Centavos = 999_999_999_999_999n;

/** The same as formatted for people. */
export const MAX_ENTRY_AMOUNT_TEXT = { en: '9,999,999,999,999.99', pt: '9.999.999.999.999,99' } as const;

/** Plain decimal text ('1234', '-1234.5', '0.05'); undefined for anything else, or more digits than NUMERIC(18,2) holds. */
export function centavosFromDecimal(text: string): Centavos | undefined {
  const match = /^(-?)(\d{1,16})(?:\.(\d{1,2}))?$/.exec(text);
  return match === null ? undefined : centavosOf(match);
}

/** A JSON number of at most two decimals, read through its shortest decimal text so that nothing is rounded. */
export function centavosFromNumber(value: number): Centavos | undefined {
  if (!Number.isFinite(value) || Object.is(value, -0)) return undefined;
  // Exponents appear below 1e-6 (more than two decimals) and from 1e21 (beyond the bound): the pattern rejects both.
  const amount = centavosFromDecimal(String(value));
  if (amount === undefined || amount > MAX_ENTRY_AMOUNT || amount < -MAX_ENTRY_AMOUNT) return undefined;
  return amount;
}

/** Text of a NUMERIC(18,2) column or of a sum of such; COALESCE(sum(…), 0) gives a bare '0'. */
export function centavosFromSql(text: string): Centavos {
  if (!/^-?\d+(?:\.\d{2})?$/.test(text)) throw new Error(`not the text of a NUMERIC(18,2): ${text}`);
  const point = text.length - 3;
  const digits = text[point] === '.' ? text.slice(0, point) + text.slice(point + 1) : `${text}00`;
  // A report reads thousands: where a double holds all digits, through it in half the time.
  return digits.length <= EXACT_DIGITS ? BigInt(Number(digits)) : BigInt(digits);
}

/** '1234.50', '-0.05': for SQL and wire text. */
export function decimalOf(amount: Centavos): string {
  const { sign, whole, cents } = sectionsOf(amount);
  return `${sign}${whole}.${cents}`;
}

const EXACT_DIGITS = 15;

export function sumOf(values: Iterable<Centavos>): Centavos {
  let sum = 0n;
  for (const value of values) sum += value;
  return sum;
}

export function magnitudeOf(value: bigint): bigint {
  return value < 0n ? -value : value;
}

function centavosOf([, sign = '', whole = '0', cents = '']: readonly (string | undefined)[]): Centavos {
  const amount = BigInt(whole + cents.padEnd(2, '0'));
  return sign === '-' ? -amount : amount;
}

function sectionsOf(amount: Centavos): { sign: string; whole: string; cents: string } {
  const digits = magnitudeOf(amount).toString().padStart(3, '0');
  return { sign: amount < 0n ? '-' : '', whole: digits.slice(0, -2), cents: digits.slice(-2) };
}

/** '12.50' as '12.5', '12.00' as '12': the same decimal as short as it can be. */
export function withoutRedundantZeros(decimal: string): string {
  if (!decimal.includes('.')) return decimal;
  let end = decimal.length;
  while (decimal[end - 1] === '0') end--;
  return decimal.slice(0, decimal[end - 1] === '.' ? end - 1 : end);
}
