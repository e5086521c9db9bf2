import { type EntryForm, EntrySums, entryFinding, entryForm, type PostingFacts } from '../../../accounting/posting.ts';
import type { Problem } from '../../../accounting/problem.ts';
import { MAX_REPORTED, type StagedRow } from './staged-row.ts';

/** An entry whose rows stand together, complete. */
export interface EntryRun {
  readonly document: string;
  readonly entry: string;
  /** Of its first row. */
  readonly row: number;
  readonly rows: number;
}

/** An entry that the rules reject. */
export interface WrongEntry extends EntryRun {
  readonly place: 'day' | 'amount' | 'account';
  readonly problem: Problem;
}

/** Where rows go: each when it is read, and word of each entry when its last row was. */
export interface RunReceiver {
  row(row: StagedRow, sequence: number): void;
  end(run: EntryRun, form: EntryForm): void;
}

/** The file has to be read again: an entry's rows stand apart, or the books changed before they were locked. */
export class ReadAgain extends Error {
  readonly reason: 'SCATTERED' | 'BOOKS_CHANGED';

  constructor(reason: 'SCATTERED' | 'BOOKS_CHANGED') {
    super(reason);
    this.reason = reason;
  }
}

/** More than this are only counted: of those kept, some may be left out because a row of theirs is at fault. */
const MAX_KEPT = 2 * MAX_REPORTED + 1;

/**
 * Brings the rows of a file together to entries and holds the rules against each. Rows of an entry stand together in
 * nearly every file, so that only one entry is open at a time; for an entry that comes again it throws ReadAgain.
 */
export class EntryRuns {
  /** Sums of the lines that the rows of sound entries stand for. */
  debits = 0n;
  credits = 0n;
  readonly wrong: WrongEntry[] = [];
  /** Entries beyond those kept, and their rows. */
  readonly beyond = { entries: 0, rows: 0 };
  private readonly facts: PostingFacts;
  private readonly receiver: RunReceiver;
  private readonly ended: SeenEntries | undefined;
  private first: StagedRow | undefined;
  private sums = new EntrySums();

  /** Rows that are `gathered` come entry by entry. */
  constructor(facts: PostingFacts, receiver: RunReceiver, gathered: boolean) {
    this.facts = facts;
    this.receiver = receiver;
    this.ended = gathered ? undefined : new SeenEntries();
  }

  add(row: StagedRow): void {
    const { first } = this;
    if (first === undefined || row.entry !== first.entry || row.document !== first.document) this.begin(row);
    this.sums.add(row, this.facts);
    this.receiver.row(row, this.sums.lines);
  }

  /** After the last row of an entry. */
  end(): void {
    const { first, sums } = this;
    if (first === undefined) return;
    const run = { document: first.document, entry: first.entry, row: first.row, rows: sums.lines };
    const found = entryFinding(run.entry, sums, this.facts);
    if (found) this.reject({ ...run, ...(found as Pick<WrongEntry, 'place' | 'problem'>) });
    else this.pass(run, entryForm(sums)!);
    this.first = undefined;
  }

  private begin(row: StagedRow): void {
    this.end();
    if (this.ended?.add(row.document, row.entry) === false) throw new ReadAgain('SCATTERED');
    this.first = row;
    this.sums = new EntrySums();
  }

  private pass(run: EntryRun, form: EntryForm): void {
    const { debits, credits } = this.sums;
    this.debits += form === 'LINES' ? debits : debits + credits;
    this.credits += form === 'LINES' ? credits : debits + credits;
    this.receiver.end(run, form);
  }

  private reject(entry: WrongEntry): void {
    if (this.wrong.length < MAX_KEPT) {
      this.wrong.push(entry);
    } else {
      this.beyond.entries++;
      this.beyond.rows += entry.rows;
    }
  }
}

/** Document and entry as 53 bits of hash: a million take 16 MB, and two that agree only make the file be read again. */
class SeenEntries {
  private slots = new Float64Array(1 << 12);
  private count = 0;

  /** False when it was there. */
  add(document: string, entry: string): boolean {
    if (this.count * 2 > this.slots.length) this.grow();
    const at = this.placeOf(hashOf(document, entry));
    if (this.slots[at] !== 0) return false;
    this.slots[at] = hashOf(document, entry);
    this.count++;
    return true;
  }

  /** Where the hash is, or would be. */
  private placeOf(hash: number): number {
    const mask = this.slots.length - 1;
    let at = hash & mask;
    while (this.slots[at] !== 0 && this.slots[at] !== hash) at = (at + 1) & mask;
    return at;
  }

  private grow(): void {
    const before = this.slots;
    this.slots = new Float64Array(before.length * 2);
    for (const hash of before) if (hash !== 0) this.slots[this.placeOf(hash)] = hash;
  }
}

/** Two FNV-1a hashes in one number above 0. */
function hashOf(document: string, entry: string): number {
  const key = `${document}\u0000${entry}`;
  let low = 0x811c9dc5;
  let high = 0x01000193;
  for (let at = 0; at < key.length; at++) {
    const code = key.charCodeAt(at);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x85ebca6b);
  }
  return (high >>> 11) * 0x1_0000_0000 + (low >>> 0) || 1;
}
