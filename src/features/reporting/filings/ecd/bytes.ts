import { fileText, LONG_TEXT_SIZE } from './file-text.ts';

const [ZERO, MINUS, POINT, COMMA, SPACE, PIPE, BACKSLASH] = [48, 45, 46, 44, 32, 124, 92];
/** First bytes of the two halves of Latin-1 beyond ASCII in UTF-8, and the first letter of the former. */
const [LOWER_HALF, UPPER_HALF, FIRST_LETTER] = [0xc2, 0xc3, 0xa1];
const SOFT_HYPHEN = 0xad;

/** Bytes of lines one after another, growing as they need. What COPY printed is turned into what the file writes byte by byte. */
export class Bytes {
  buffer: Buffer;
  length = 0;

  constructor(size: number) {
    this.buffer = Buffer.allocUnsafeSlow(size);
  }

  clear(): void {
    this.length = 0;
  }

  /** Before anything else is put: the others do not look. */
  reserve(bytes: number): void {
    const needed = this.length + bytes;
    if (needed <= this.buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(2 * this.buffer.length, needed));
    this.buffer.copy(larger, 0, 0, this.length);
    this.buffer = larger;
  }

  byte(byte: number): void {
    this.buffer[this.length++] = byte;
  }

  /** Faster than the copying of buffers for what is as short as this. */
  put(source: Buffer, start = 0, end = source.length): void {
    const { buffer } = this;
    let to = this.length;
    for (let at = start; at < end; at++) buffer[to++] = source[at]!;
    this.length = to;
  }

  append(source: Bytes): void {
    this.reserve(source.length);
    source.buffer.copy(this.buffer, this.length, 0, source.length);
    this.length += source.length;
  }

  latin1(text: string): void {
    this.reserve(text.length);
    this.length += this.buffer.write(text, this.length, 'latin1');
  }

  /** '-1234.50' as '1234,50'. */
  amount(source: Buffer, start: number, end: number): void {
    for (let at = source[start] === MINUS ? start + 1 : start; at < end; at++) {
      const byte = source[at]!;
      this.buffer[this.length++] = byte === POINT ? COMMA : byte;
    }
  }

  /** '2026-11-23' as '23112026'. */
  day(source: Buffer, start: number): void {
    this.put(source, start + 8, start + 10);
    this.put(source, start + 5, start + 7);
    this.put(source, start, start + 4);
  }

  /**
   * A text that COPY printed, in Latin-1. ASCII and accented letters are most of all texts; whatever else is in one goes the
   * long way. Returns whether nothing was lost. Needs as much room as the source has, or as `LONG_TEXT_SIZE`.
   */
  text(source: Buffer, start: number, end: number, size = LONG_TEXT_SIZE): boolean {
    const { buffer } = this;
    let from = start;
    let to = end;
    while (from < to && source[from] === SPACE) from++;
    while (to > from && source[to - 1] === SPACE) to--;
    let at = this.length;
    for (; from < to; from++) {
      const byte = source[from]!;
      if (byte < 0x80) {
        if (byte < SPACE || byte === PIPE || byte === BACKSLASH || byte === 0x7f) break;
        buffer[at++] = byte;
      } else {
        const next = source[from + 1]!;
        if (byte === UPPER_HALF) buffer[at++] = next | 0x40;
        else if (byte === LOWER_HALF && next >= FIRST_LETTER && next !== SOFT_HYPHEN) buffer[at++] = next;
        else break;
        from++;
      }
    }
    if (from === to && at - this.length <= size) {
      this.length = at;
      return true;
    }
    const clean = fileText(copiedText(source, start, end), size);
    this.latin1(clean.text);
    return !clean.isLossy;
  }
}

/** A whole number that COPY printed, up to a tab. */
export function numberAt(bytes: Buffer, start: number, end: number): number {
  let value = 0;
  for (let at = start; at < end; at++) value = value * 10 + bytes[at]! - ZERO;
  return value;
}

export function isNegative(bytes: Buffer, start: number): boolean {
  return bytes[start] === MINUS;
}

const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/** The text of a column, without the escapes of COPY. */
export function copiedText(bytes: Buffer, start: number, end: number): string {
  return bytes.toString('utf8', start, end).replace(/\\(.)/gs, (_, escaped: string) => ESCAPES[escaped] ?? escaped);
}

/** Where the columns of a row of COPY begin and end. */
export class CopiedColumns {
  readonly starts: number[] = [];
  readonly ends: number[] = [];

  read(bytes: Buffer, start: number, end: number): void {
    let column = 0;
    this.starts[0] = start;
    for (let at = start; at < end; at++) {
      if (bytes[at] !== TAB) continue;
      this.ends[column++] = at;
      this.starts[column] = at + 1;
    }
    this.ends[column] = end;
  }
}

const TAB = 9;
