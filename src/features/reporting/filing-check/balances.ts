import { Totals } from './amounts.ts';
import { DAYS } from './dates.ts';
import { TooMany } from './too-many.ts';

export const MONTHS = 12;
/** Cost centres are numbered; 0 is none. */
const COST_CENTRES = 1 << 20;
/** Accounts with cost centres: what a month keeps of each is 100 bytes or so. */
const MOST_PAIRS = 400_000;

/** Balances and movements of each account, or account and cost centre (a pair), in each month of the file. */
export class Balances {
  /** Of each pair. */
  readonly accounts: number[] = [];
  readonly costCentres: number[] = [];
  readonly #pairs = new Map<number, number>();
  readonly #ofAccount: number[][] = [];
  /** What I155 says less what entries or days say, by pair and month. */
  readonly debits = new Totals();
  readonly credits = new Totals();
  /** Signed final balances by pair and month. */
  readonly finals = new Totals();
  /** Signed initial balance of the first month in which the pair has one, and that month by pair. */
  readonly openings = new Totals();
  readonly #firstMonths: number[] = [];
  #seen = new Int32Array(1_024);
  /** The line of I155 by pair and month, the line of the first movement; 0 without one. */
  balanceLines = new Int32Array(1_024);
  movementLines = new Int32Array(1_024);
  /** Net closing entries of an account on a day, and the line of the first one. */
  readonly closings = new DayTotals();
  /** Balances I355 of a pair on a day. */
  readonly results = new DayTotals();

  pairOf(account: number, costCentre: number): number {
    const key = account * COST_CENTRES + costCentre;
    const known = this.#pairs.get(key);
    if (known !== undefined) return known;
    if (this.accounts.length >= MOST_PAIRS) throw new TooMany();
    const pair = this.accounts.push(account) - 1;
    this.costCentres.push(costCentre);
    this.#pairs.set(key, pair);
    const pairs = this.#ofAccount[account];
    if (pairs === undefined) this.#ofAccount[account] = [pair];
    else pairs.push(pair);
    return pair;
  }

  pairsOf(account: number): readonly number[] {
    return this.#ofAccount[account] ?? [];
  }

  knownPair(account: number, costCentre: number): number | undefined {
    return this.#pairs.get(account * COST_CENTRES + costCentre);
  }

  markBalance(place: number, line: number): void {
    if (place >= this.balanceLines.length) this.balanceLines = grown(this.balanceLines, place);
    this.balanceLines[place] = line;
  }

  markMovement(place: number, line: number): void {
    if (place >= this.movementLines.length) this.movementLines = grown(this.movementLines, place);
    if (this.movementLines[place] === 0) this.movementLines[place] = line;
  }

  /** The signed balance of a pair at the end of a month. */
  finalOf(pair: number, month: number): bigint {
    const place = pair * MONTHS + month;
    return this.balanceLines[place] ? this.finals.of(place) : 0n;
  }

  /** The signed balance at the beginning of a month. */
  openingOf(pair: number, month: number): bigint {
    if (this.#firstMonths[pair] === month) return this.openings.of(pair);
    return month > 0 ? this.finalOf(pair, month - 1) : 0n;
  }

  /** Notes the first balance of a pair. */
  open(pair: number, month: number, opening: bigint): void {
    if (this.#firstMonths[pair] !== undefined) return;
    this.#firstMonths[pair] = month;
    this.openings.set(pair, opening);
  }

  /** Whether the pair was seen on the day before, and notes that it was; days come in their order. */
  isSeen(pair: number, day: number): boolean {
    if (pair >= this.#seen.length) this.#seen = grown(this.#seen, pair);
    const isSeen = this.#seen[pair] === day;
    this.#seen[pair] = day;
    return isSeen;
  }
}

/** Accounts on days: of a year's closings, hardly a tenth. */
const MOST_DAYS = 2_000_000;

/** Sums by an owner and a day of the year. */
export class DayTotals {
  readonly #slots = new Map<number, number>();
  readonly #totals = new Totals();
  readonly #lines: number[] = [];

  /** Adds the amount read last. */
  add(owner: number, day: number, sign: number, line: number): void {
    const key = owner * DAYS + day;
    let slot = this.#slots.get(key);
    if (slot === undefined) {
      if (this.#slots.size >= MOST_DAYS) throw new TooMany();
      slot = this.#lines.push(line) - 1;
      this.#slots.set(key, slot);
    }
    this.#totals.add(slot, sign);
  }

  has(owner: number, day: number): boolean {
    return this.#slots.has(owner * DAYS + day);
  }

  of(owner: number, day: number): bigint {
    const slot = this.#slots.get(owner * DAYS + day);
    return slot === undefined ? 0n : this.#totals.of(slot);
  }

  *all(): Generator<{ owner: number; day: number; sum: bigint; line: number }> {
    for (const [key, slot] of this.#slots) {
      const owner = Math.trunc(key / DAYS);
      yield { owner, day: key - owner * DAYS, sum: this.#totals.of(slot), line: this.#lines[slot]! };
    }
  }
}

function grown(old: Int32Array<ArrayBuffer>, place: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(Math.max(old.length * 2, place + 1));
  larger.set(old);
  return larger;
}
