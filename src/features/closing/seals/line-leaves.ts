import { hash } from 'node:crypto';
import { compareDocuments, type DocumentKeys, naturalKey } from '../../../accounting/book-order.ts';
import type { Day } from '../../../accounting/period.ts';
import { leafField } from '../../../accounting/seal-leaf.ts';
import { type Hash, MerkleTree } from '../../../platform/merkle-tree.ts';

/** A document of the month, by its numbers. */
export interface SealedDocument {
  readonly id: number;
  readonly batch: string;
  readonly document: string;
}

/** Hashes of leaves one after another: those of one document and day, in the order of the books. */
interface Run {
  readonly day: number;
  readonly keys: DocumentKeys;
  hashes: Buffer;
  length: number;
}

interface PlacedDocument extends DocumentKeys {
  /** Batch and document as leaves write them. */
  readonly text: Buffer;
  readonly runs: (Run | undefined)[];
}

const [TAB, LINE_FEED, ZERO] = [9, 10, 48];
const HASH_LENGTH = 32;

/**
 * The leaf hashes of a month's lines. Lines come document by document, of each in the order of its entries; kept are 32
 * bytes a line, by document and day, which are put in the order of the books at the end. A leaf is put together from the
 * bytes that COPY printed, without a text of JavaScript: a month of 200,000 lines takes a fifth of a second.
 */
export class LineLeaves {
  readonly #accounts: ReadonlyMap<number, Buffer>;
  readonly #documents = new Map<number, PlacedDocument>();
  readonly #runs: Run[] = [];
  #rest: Buffer | undefined;
  #leaf = Buffer.alloc(4096);
  #count = 0;

  constructor(documents: readonly SealedDocument[], accounts: ReadonlyMap<number, string>) {
    for (const document of documents) this.#documents.set(document.id, placed(document));
    this.#accounts = new Map([...accounts].map(([id, code]) => [id, Buffer.from(`${leafField(code)}\t`)]));
  }

  get count(): number {
    return this.#count;
  }

  /** Rows as `copySealedLines` prints them, cut anywhere. */
  add(chunk: Buffer): void {
    const bytes = this.#rest === undefined ? chunk : Buffer.concat([this.#rest, chunk]);
    let start = 0;
    for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, start)) {
      this.#addRow(bytes, start, end);
      start = end + 1;
    }
    this.#rest = start < bytes.length ? bytes.subarray(start) : undefined;
  }

  /** Leaves of a document that is not among those that were given, on one day. */
  addDocument({ batch, document }: Omit<SealedDocument, 'id'>, day: Day, leaves: readonly string[]): void {
    const run = this.#runOf(placed({ batch, document }), Number(day.slice(8)));
    for (const leaf of leaves) this.#append(run, Buffer.from(`\0${leaf}`));
  }

  /** In the order of the books, once all lines have come. */
  *[Symbol.iterator](): Generator<Hash> {
    this.#runs.sort((a, b) => a.day - b.day || compareDocuments(a.keys, b.keys));
    for (const { hashes, length } of this.#runs)
      for (let at = 0; at < length; at += HASH_LENGTH) yield hashes.subarray(at, at + HASH_LENGTH);
  }

  root(): Hash {
    const tree = new MerkleTree();
    for (const leaf of this) tree.append(leaf);
    return tree.root();
  }

  /** document ⇥ account ⇥ offset (0: none) ⇥ day ⇥ entry ⇥ sequence ⇥ the rest of the leaf. */
  #addRow(row: Buffer, start: number, end: number): void {
    const size = end - start;
    let at = start;
    const id = () => {
      let value = 0;
      for (let byte = row[at++]!; byte !== TAB; byte = row[at++]!) value = value * 10 + byte - ZERO;
      return value;
    };
    const document = this.#documents.get(id())!;
    const account = this.#accounts.get(id()) ?? NO_CODE;
    const offset = this.#accounts.get(id()) ?? NO_CODE;
    const needed = 1 + size + document.text.length + account.length + offset.length;
    if (this.#leaf.length < needed) this.#leaf = Buffer.alloc(2 * needed);
    const leaf = this.#leaf;
    const day = (row[at + 8]! - ZERO) * 10 + row[at + 9]! - ZERO;
    let length = 1;
    const copy = (from: Buffer, to: number) => {
      for (let byte = 0; byte < to; byte++) leaf[length++] = from[byte]!;
    };
    const copyField = () => {
      for (let byte = row[at++]!; byte !== TAB; byte = row[at++]!) leaf[length++] = byte;
      leaf[length++] = TAB;
    };
    leaf[0] = 0;
    copyField();
    copy(document.text, document.text.length);
    copyField();
    copyField();
    copy(account, account.length);
    copy(offset, offset.length);
    while (at < end) leaf[length++] = row[at++]!;
    this.#append(this.#runOf(document, day), leaf.subarray(0, length));
  }

  #runOf(document: PlacedDocument, day: number): Run {
    let run = document.runs[day];
    if (run === undefined) {
      run = { day, keys: document, hashes: Buffer.alloc(8 * HASH_LENGTH), length: 0 };
      document.runs[day] = run;
      this.#runs.push(run);
    }
    return run;
  }

  /** `leaf` with the 0x00 before it. */
  #append(run: Run, leaf: Buffer): void {
    if (run.length === run.hashes.length) run.hashes = Buffer.concat([run.hashes, Buffer.alloc(run.hashes.length)]);
    // As text: a buffer as the answer takes three times as long.
    const bytes = hash('sha256', leaf, 'binary');
    for (let at = 0; at < HASH_LENGTH; at++) run.hashes[run.length++] = bytes.charCodeAt(at);
    this.#count++;
  }
}

/** No offset account, or one that is not in the database. */
const NO_CODE = Buffer.of(TAB);

function placed({ batch, document }: Omit<SealedDocument, 'id'>): PlacedDocument {
  const text = Buffer.from(`${leafField(batch)}\t${leafField(document)}\t`);
  return { batchKey: naturalKey(batch), documentKey: naturalKey(document), text, runs: [] };
}
