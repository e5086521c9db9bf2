import { naturalKey } from '../../../accounting/book-order.ts';
import { textOfField } from '../../../accounting/seal-leaf.ts';

const [ZERO, NINE] = [48, 57];
/** Entry and sequence are one number as long as both are below these. */
const [ENTRIES, SEQUENCES] = [2 ** 33, 2 ** 20];
const MOST_DIGITS = 10;
/** Sequence and length of the text before the text itself. */
const HEAD = 8;

interface EntryKey {
  readonly key: string;
  readonly sequence: number;
}

/**
 * Where lines stand in their document: by their entries in natural order, then by sequence. A place is a number: that of
 * entry and sequence themselves, or below zero where the text of the entry is kept, outside of the heap of JavaScript.
 */
export class EntryPlaces {
  #texts: Buffer = Buffer.alloc(1_024);
  #end = 1;

  /** Of a line whose entry is written, as a field of a leaf, from `start` to before `end`. */
  placeOf(bytes: Buffer, start: number, end: number, sequence: number): number {
    const entry = smallNumber(bytes, start, end);
    if (entry !== undefined && sequence >= 0 && sequence < SEQUENCES) return entry * SEQUENCES + sequence;
    const place = this.#end;
    this.#end += HEAD + end - start;
    if (this.#end > this.#texts.length) this.#texts = Buffer.concat([this.#texts], 2 * this.#end);
    this.#texts.writeInt32LE(sequence, place);
    this.#texts.writeUInt32LE(end - start, place + 4);
    bytes.copy(this.#texts, place + HEAD, start, end);
    return -place;
  }

  /** The places from the first to the last, as positions in the list. */
  ordered(places: Float64Array): Uint32Array {
    const keys: EntryKey[] = [];
    const compare = (a: number, b: number) => {
      const [one, other] = [places[a]!, places[b]!];
      if (one >= 0 && other >= 0) return one - other;
      keys[a] ??= this.#keyOf(one);
      keys[b] ??= this.#keyOf(other);
      return compareKeys(keys[a], keys[b]);
    };
    return Uint32Array.from(places, (_, at) => at).sort(compare);
  }

  #keyOf(place: number): EntryKey {
    if (place >= 0) return { key: naturalKey(`${Math.floor(place / SEQUENCES)}`), sequence: place % SEQUENCES };
    const at = -place;
    const text = this.#texts.toString('utf8', at + HEAD, at + HEAD + this.#texts.readUInt32LE(at + 4));
    return { key: naturalKey(textOfField(text)), sequence: this.#texts.readInt32LE(at) };
  }
}

/** Whole number as people count entries: without zeros before it. */
function smallNumber(bytes: Buffer, start: number, end: number): number | undefined {
  if (end - start > MOST_DIGITS || end === start || (bytes[start] === ZERO && end - start > 1)) return undefined;
  let value = 0;
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    if (byte < ZERO || byte > NINE) return undefined;
    value = value * 10 + byte - ZERO;
  }
  return value < ENTRIES ? value : undefined;
}

function compareKeys(a: EntryKey, b: EntryKey): number {
  return a.key < b.key ? -1 : a.key > b.key ? 1 : a.sequence - b.sequence;
}
