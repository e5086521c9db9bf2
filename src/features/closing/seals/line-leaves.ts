import { compareDocuments, type DocumentKeys, naturalKey } from '../../../accounting/book-order.ts';
import type { Day } from '../../../accounting/period.ts';
import { leafField } from '../../../accounting/seal-leaf.ts';
import { HASH_LENGTH, type Hash, hashInto, MerkleTree } from '../../../platform/merkle-tree.ts';
import { EntryPlaces } from './entry-places.ts';

/** A document of the month, by its numbers. */
export interface SealedDocument {
  readonly id: number;
  readonly batch: string;
  readonly document: string;
}

/** Lines of one document and day: the hashes of their leaves one after another, and the places of these (`EntryPlaces`). */
interface Run {
  readonly day: number;
  readonly keys: DocumentKeys;
  hashes: Buffer;
  places: Float64Array;
  count: number;
  isInOrder: boolean;
}

interface PlacedDocument extends DocumentKeys {
  /** Batch and document as leaves write them. */
  readonly text: Buffer;
  readonly runs: (Run | undefined)[];
}

const [TAB, ZERO, MINUS] = [9, 48, 45];

/**
 * The leaf hashes of a month's lines. Lines come in any order; kept are 40 bytes a line, by document and day, which are put
 * in the order of the books at the end: most lines of a document came in their order. A leaf is put together from the bytes
 * that COPY printed, without a text of JavaScript: a month of 200,000 lines takes a sixth of a second.
 */
export class LineLeaves {
  readonly #accounts: ReadonlyMap<number, Buffer>;
  readonly #documents = new Map<number, PlacedDocument>();
  readonly #runs: Run[] = [];
  readonly #places = new EntryPlaces();
  /** The leaf that is hashed now, and its first bytes by their number: making a view of them costs as much as the rest. */
  #leaf = Buffer.alloc(4096);
  #views: Buffer[] = [];
  #count = 0;
  /** The tree of the days before one. */
  #before = { day: 0, tree: new MerkleTree() };

  constructor(documents: readonly SealedDocument[], accounts: ReadonlyMap<number, string>) {
    for (const document of documents) this.#documents.set(document.id, placed(document));
    this.#accounts = new Map([...accounts].map(([id, code]) => [id, Buffer.from(`${leafField(code)}\t`)]));
  }

  get count(): number {
    return this.#count;
  }

  /**
   * A row as `copySealedLines` prints it: document ⇥ account ⇥ offset (0: none) ⇥ day ⇥ entry ⇥ sequence ⇥ the rest of the
   * leaf. Those of other documents are none of the month.
   */
  add(row: Buffer, start: number, end: number): void {
    const afterDocument = afterTab(row, start);
    const afterAccount = afterTab(row, afterDocument);
    const day = afterTab(row, afterAccount);
    const entry = afterTab(row, day);
    const sequence = afterTab(row, entry);
    const rest = afterTab(row, sequence);
    const document = this.#documents.get(wholeNumber(row, start));
    if (document === undefined) return;
    const account = this.#accounts.get(wholeNumber(row, afterDocument)) ?? NO_CODE;
    const offset = this.#accounts.get(wholeNumber(row, afterAccount)) ?? NO_CODE;
    const leaf = this.#leafOf(1 + end - start + document.text.length + account.length + offset.length);
    let length = copyBytes(leaf, 1, row, day, entry);
    length = copyBytes(leaf, length, document.text, 0, document.text.length);
    length = copyBytes(leaf, length, row, entry, rest);
    length = copyBytes(leaf, length, account, 0, account.length);
    length = copyBytes(leaf, length, offset, 0, offset.length);
    length = copyBytes(leaf, length, row, rest, end);
    const place = this.#places.placeOf(row, entry, sequence - 1, wholeNumber(row, sequence));
    this.#append(this.#runOf(document, (row[day + 8]! - ZERO) * 10 + row[day + 9]! - ZERO), place, length);
  }

  /** Leaves of a document that is not among those that were given, on one day and in their order. */
  addDocument({ batch, document }: Omit<SealedDocument, 'id'>, day: Day, leaves: readonly string[]): void {
    const run = this.#runOf(placed({ batch, document }), Number(day.slice(8)));
    for (const text of leaves) {
      const needed = 1 + Buffer.byteLength(text);
      this.#leafOf(needed).write(text, 1);
      this.#append(run, run.count, needed);
    }
  }

  /** In the order of the books, once all lines have come. */
  *[Symbol.iterator](): Generator<Hash> {
    for (const { hashes } of this.#inOrder())
      for (let at = 0; at < hashes.length; at += HASH_LENGTH) yield hashes.subarray(at, at + HASH_LENGTH);
  }

  /** Of the lines so far. The tree of all days but the last stays: a document that comes for that day costs little. */
  root(): Hash {
    const runs = this.#inOrder();
    const last = runs.at(-1)?.day ?? 0;
    const { day, tree } = this.#before;
    for (const run of runs) if (run.day >= day && run.day < last) tree.appendAll(run.hashes);
    this.#before = { day: last, tree };
    const whole = tree.copy();
    for (const run of runs) if (run.day === last) whole.appendAll(run.hashes);
    return whole.root();
  }

  /** Room for a leaf, behind the 0x00 before it. */
  #leafOf(bytes: number): Buffer {
    if (this.#leaf.length < bytes) {
      this.#leaf = Buffer.alloc(2 * bytes);
      this.#views = [];
    }
    return this.#leaf;
  }

  #runOf(document: PlacedDocument, day: number): Run {
    let run = document.runs[day];
    if (run === undefined) {
      const [hashes, places] = [Buffer.alloc(FIRST_LINES * HASH_LENGTH), new Float64Array(FIRST_LINES)];
      run = { day, keys: document, hashes, places, count: 0, isInOrder: true };
      document.runs[day] = run;
      this.#runs.push(run);
    }
    return run;
  }

  /** The leaf of this length that was put together. */
  #append(run: Run, place: number, length: number): void {
    const { count } = run;
    if (count === run.places.length) {
      const places = new Float64Array(2 * count);
      places.set(run.places);
      run.places = places;
      run.hashes = Buffer.concat([run.hashes], 2 * count * HASH_LENGTH);
    }
    this.#views[length] ??= this.#leaf.subarray(0, length);
    hashInto(this.#views[length], run.hashes, count * HASH_LENGTH);
    if (place < 0 || (count > 0 && place < run.places[count - 1]!)) run.isInOrder = false;
    if (run.day < this.#before.day) this.#before = { day: 0, tree: new MerkleTree() };
    run.places[count] = place;
    run.count++;
    this.#count++;
  }

  /** The runs in the order of the books, each with its hashes in order. */
  #inOrder(): { readonly day: number; readonly hashes: Buffer }[] {
    this.#runs.sort((a, b) => a.day - b.day || compareDocuments(a.keys, b.keys));
    return this.#runs.map((run) => {
      if (!run.isInOrder) this.#putInOrder(run);
      return { day: run.day, hashes: run.hashes.subarray(0, run.count * HASH_LENGTH) };
    });
  }

  #putInOrder(run: Run): void {
    const { places, hashes, count } = run;
    const order = this.#places.ordered(places.subarray(0, count));
    run.places = new Float64Array(places.length);
    run.hashes = Buffer.alloc(hashes.length);
    for (const [to, from] of order.entries()) {
      run.places[to] = places[from]!;
      hashes.copy(run.hashes, to * HASH_LENGTH, from * HASH_LENGTH, (from + 1) * HASH_LENGTH);
    }
    run.isInOrder = true;
  }
}

const FIRST_LINES = 8;
/** No offset account, or one that is not in the database. */
const NO_CODE = Buffer.of(TAB);

function placed({ batch, document }: Omit<SealedDocument, 'id'>): PlacedDocument {
  const text = Buffer.from(`${leafField(batch)}\t${leafField(document)}\t`);
  return { batchKey: naturalKey(batch), documentKey: naturalKey(document), text, runs: [] };
}

/** Where the next field begins. */
function afterTab(bytes: Buffer, start: number): number {
  let at = start;
  while (bytes[at++] !== TAB);
  return at;
}

/** Faster than the copying of buffers for texts as short as these. Returns where the copied bytes end. */
function copyBytes(target: Buffer, at: number, source: Buffer, start: number, end: number): number {
  for (let byte = start; byte < end; byte++) target[at + byte - start] = source[byte]!;
  return at + end - start;
}

/** The number that stands at a place, up to a tab. */
function wholeNumber(bytes: Buffer, start: number): number {
  const isNegative = bytes[start] === MINUS;
  let value = 0;
  for (let at = isNegative ? start + 1 : start; bytes[at] !== TAB; at++) value = value * 10 + bytes[at]! - ZERO;
  return isNegative ? -value : value;
}
