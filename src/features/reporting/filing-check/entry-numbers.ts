/** Numbers of entries that are remembered: 134 MB at the most. */
const MOST = 12_000_000;
const FULL = 0.75;

/**
 * The numbers of entries seen, as hashes of 64 bits: of ten million numbers, two have the same hash by chance once in
 * 370,000 files.
 */
export class EntryNumbers {
  #slots = new BigUint64Array(1_024);
  #words = new Uint32Array(this.#slots.buffer);
  #count = 0;
  /** Whether all numbers were remembered. */
  isWhole = true;

  /** Whether the number is new. */
  add(number: string): boolean {
    if (this.#count >= MOST) {
      this.isWhole = false;
      return true;
    }
    if (this.#count >= (this.#slots.length * FULL) >>> 0) this.#grow();
    let high = 0x811c9dc5;
    let low = 0x9e3779b9;
    for (let at = 0; at < number.length; at++) {
      const code = number.charCodeAt(at);
      high = Math.imul(high ^ code, 0x01000193);
      low = Math.imul(low + code, 0x85ebca6b);
      low ^= low >>> 13;
    }
    high = mixed(high ^ number.length);
    low = mixed(low);
    if (high === 0 && low === 0) low = 1;
    if (!this.#put(high >>> 0, low >>> 0)) return false;
    this.#count++;
    return true;
  }

  #put(high: number, low: number): boolean {
    const words = this.#words;
    const mask = words.length / 2 - 1;
    for (let slot = low & mask; ; slot = (slot + 1) & mask) {
      const at = slot * 2;
      if (words[at] === 0 && words[at + 1] === 0) {
        words[at] = high;
        words[at + 1] = low;
        return true;
      }
      if (words[at] === high && words[at + 1] === low) return false;
    }
  }

  #grow(): void {
    const old = this.#words;
    this.#slots = new BigUint64Array(this.#slots.length * 2);
    this.#words = new Uint32Array(this.#slots.buffer);
    for (let at = 0; at < old.length; at += 2) {
      if (old[at] !== 0 || old[at + 1] !== 0) this.#put(old[at]!, old[at + 1]!);
    }
  }
}

function mixed(value: number): number {
  let bits = value ^ (value >>> 16);
  bits = Math.imul(bits, 0x21f0aaad);
  bits ^= bits >>> 15;
  bits = Math.imul(bits, 0x735a2d97);
  return bits ^ (bits >>> 15);
}
