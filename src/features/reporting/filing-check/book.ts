import { Totals } from './amounts.ts';
import { Balances } from './balances.ts';
import { dayOf, monthOf, yearOf } from './dates.ts';
import { EntryNumbers } from './entry-numbers.ts';
import type { Register } from './layout.ts';
import { kept, Line } from './line.ts';
import { TooMany } from './too-many.ts';

/** An account of register I050. */
export interface Account {
  readonly number: number;
  readonly line: Line;
  readonly code: string;
  readonly nature: string;
  readonly isAnalytic: boolean;
  readonly level: number;
  readonly parentCode: string;
}

/** The entry of register I200 that the lines I250 under it belong to. */
export interface Entry {
  readonly line: Line;
  readonly day: number;
  readonly month: number;
  /** N, E or X. */
  readonly kind: string;
  debits: number;
  credits: number;
}

/** A month of balances: register I150 and what stands under it. */
export interface Period {
  readonly line: Line;
  /** 0 to 11; -1 where the dates are none. */
  readonly month: number;
  details: number;
  transfers: number;
  /** Signed sums over its balances; debits and credits without sign. */
  opening: bigint;
  debits: bigint;
  credits: bigint;
  final: bigint;
}

/** The balance I155 read last. */
export interface Balance {
  readonly line: number;
  readonly opening: bigint;
  readonly debits: bigint;
  readonly credits: bigint;
  readonly final: bigint;
  /** There was one of its account and cost centre in the month. */
  isRepeated: boolean;
  /** The final balance of the month before; none in the first one. */
  before: bigint | undefined;
}

/** A day of I300. */
export interface Day {
  readonly line: Line;
  readonly month: number;
  readonly totals: Totals;
}

/** A balance I155 of accounts of the chart before: what its lines I157 add up to. */
export interface Transfer {
  readonly line: number;
  readonly opening: bigint;
  sum: bigint;
}

/** How many lines are kept besides sums. No book comes near; a forged file must not fill the memory. */
const MOST_KEPT = 300_000;

/** Registers of which there may be millions: they are summed up and not kept. */
export const SUMMED: ReadonlySet<string> = new Set(['I155', 'I157', 'I200', 'I250', 'I310', 'I355', 'I550', 'I555']);

/** What is known of a file so far: the facts that rules ask for. */
export class Book {
  /** Lines of each register, by its place in the manual. */
  readonly counts = new Map<string, number>();
  /** Lines of each block. */
  readonly blocks = new Map<string, number>();
  /** Registers read. */
  lines = 0;
  /** Lines of the file; a document in a register has many. */
  physicalLines = 0;
  bytes = 0;
  from = 0;
  to = 0;
  form = '';
  readonly accounts = new Map<string, Account>();
  readonly accountList: Account[] = [];
  readonly costCentres = new Map<string, number>();
  readonly narrations = new Set<string>();
  readonly participants = new Map<string, Line>();
  readonly additional = new Map<string, number>();
  readonly balances = new Balances();
  readonly entryNumbers = new EntryNumbers();
  readonly periods: Period[] = [];
  readonly transfers: Transfer[] = [];
  /** Lines I155 without any amount and without I157. */
  readonly emptyBalances: number[] = [];
  readonly days: Day[] = [];
  closingEntries = 0;
  period: Period | undefined;
  entry: Entry | undefined;
  /** Debits (0) and credits (1) of the entry. */
  entryTotals = new Totals();
  /** The account and cost centre of the line being read. */
  account: Account | undefined;
  isCostCentreKnown = true;
  /** Another line of the day or date has its account and cost centre. */
  isRepeatedDetail = false;
  balance: Balance | undefined;
  /** Of register I350. */
  resultDay = 0;
  /** Of the account and cost centre; -1 when one of them is unknown. */
  pair = -1;
  readonly largestFile: number;
  readonly #rows = new Map<string, Line[]>();
  #kept = 0;

  constructor(largestFile: number) {
    this.largestFile = largestFile;
  }

  rows(register: string): readonly Line[] {
    return this.#rows.get(register) ?? [];
  }

  /** The one line of a register, such as 0000. */
  only(register: string): Line | undefined {
    return this.#rows.get(register)?.[0];
  }

  /** A field of the one line of a register; empty without it. */
  given(register: string, field: string): string {
    return this.only(register)?.of(field) ?? '';
  }

  dayGiven(register: string, field: string): number {
    return dayOf(this.given(register, field));
  }

  countOf(register: string): number {
    return this.counts.get(register) ?? 0;
  }

  contains(day: number): boolean {
    return day >= this.from && day <= this.to;
  }

  /** The month of a day of the file's year; -1 outside. */
  monthIndex(day: number): number {
    return day !== 0 && yearOf(day) === yearOf(this.from) ? monthOf(day) - 1 : -1;
  }

  keep(register: Register, number: number, fields: readonly string[], parent: Line | undefined): Line {
    this.take();
    const line = new Line(register, number, fields.map(kept), parent);
    parent?.adopt(line);
    const rows = this.#rows.get(register.code);
    if (rows === undefined) this.#rows.set(register.code, [line]);
    else rows.push(line);
    return line;
  }

  /** Counts what is kept. */
  take(): void {
    if (++this.#kept > MOST_KEPT) throw new TooMany();
  }
}
