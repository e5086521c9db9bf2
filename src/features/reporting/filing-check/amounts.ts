// Sums of a file of millions of lines, exact to the cent: an amount may have nineteen digits, more than a double holds,
// and a bigint for each line would cost more than the rest of its check. So a sum is two doubles.

const UNIT = 1_000_000_000;
/** Sums are brought into order long before a double would round them. */
const LARGE = 4e15;
const ZERO = 48;

/** The amount read last: high billions of centavos, low the rest. One place, so that reading makes no object. */
export const amount = { high: 0, low: 0 };

/** '1234,56', '1234,5' or '1234' into `amount`; false for what is none, and `amount` is zero. */
export function readAmount(text: string): boolean {
  amount.high = 0;
  amount.low = 0;
  const comma = text.indexOf(',');
  const end = comma < 0 ? text.length : comma;
  const decimals = comma < 0 ? 0 : text.length - comma - 1;
  if (end === 0 || end > 17 || (comma >= 0 && (decimals === 0 || decimals > 2))) return false;
  // Fifteen digits fit into one double: all amounts of most books.
  let value = 0;
  let high = 0;
  for (let at = 0; at < end; at++) {
    const digit = text.charCodeAt(at) - ZERO;
    if (digit < 0 || digit > 9) return false;
    if (end - at === 7) {
      high = value;
      value = 0;
    }
    value = value * 10 + digit;
  }
  let cents = 0;
  for (let at = comma + 1; comma >= 0 && at < text.length; at++) {
    const digit = text.charCodeAt(at) - ZERO;
    if (digit < 0 || digit > 9) return false;
    cents = cents * 10 + digit;
  }
  amount.high = high;
  amount.low = value * 100 + (decimals === 1 ? cents * 10 : cents);
  return true;
}

/** The same as an exact number of centavos; 0 for what is no amount, which its format has reported. */
export function centavosOf(text: string): bigint {
  readAmount(text);
  return BigInt(amount.high) * BigInt(UNIT) + BigInt(amount.low);
}

/** With the sign of its side: debits positive. */
export function signedCentavos(text: string, side: string): bigint {
  const value = centavosOf(text);
  return side === 'C' ? -value : value;
}

/** 123456n → '1234,56', as files write amounts. */
export function amountText(centavos: bigint): string {
  const digits = (centavos < 0n ? -centavos : centavos).toString().padStart(3, '0');
  return `${centavos < 0n ? '-' : ''}${digits.slice(0, -2)},${digits.slice(-2)}`;
}

/** Debit-positive centavos as files write them: '1234,56 C'. */
export function sidedText(centavos: bigint): string {
  return `${amountText(centavos < 0n ? -centavos : centavos)} ${centavos < 0n ? 'C' : 'D'}`;
}

/** Sums by number, growing with the highest one used. */
export class Totals {
  #high = new Float64Array(64);
  #low = new Float64Array(64);

  /** Adds the amount read last, `sign` 1 or -1. */
  add(place: number, sign: number): void {
    if (place >= this.#high.length) this.#grow(place);
    this.#high[place]! += sign * amount.high;
    const low = this.#low[place]! + sign * amount.low;
    this.#low[place] = low;
    if (low > LARGE || low < -LARGE) this.#settle(place);
  }

  addCentavos(place: number, centavos: bigint): void {
    const high = centavos / BigInt(UNIT);
    amount.high = Number(high);
    amount.low = Number(centavos - high * BigInt(UNIT));
    this.add(place, 1);
  }

  of(place: number): bigint {
    if (place >= this.#high.length) return 0n;
    return BigInt(this.#high[place]!) * BigInt(UNIT) + BigInt(this.#low[place]!);
  }

  set(place: number, centavos: bigint): void {
    if (place >= this.#high.length) this.#grow(place);
    this.#high[place] = 0;
    this.#low[place] = 0;
    this.addCentavos(place, centavos);
  }

  #settle(place: number): void {
    const carried = Math.trunc(this.#low[place]! / UNIT);
    this.#high[place]! += carried;
    this.#low[place]! -= carried * UNIT;
  }

  #grow(place: number): void {
    this.#high = grown(this.#high, place);
    this.#low = grown(this.#low, place);
  }
}

function grown(old: Float64Array<ArrayBuffer>, place: number): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(Math.max(old.length * 2, place + 1));
  larger.set(old);
  return larger;
}
