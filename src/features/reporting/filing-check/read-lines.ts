import { isAscii, isUtf8 } from 'node:buffer';

/** A line longer than this comes in pieces: no line but those with an attached text is. */
const LONGEST = 1 << 20;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

export type Ending = 'CRLF' | 'LF' | 'END';

export interface LineConsumer {
  line(text: string, ending: Ending): void;
  /** A part of a line that is too long; the last one has its ending. */
  piece(text: string, ending: Ending | undefined): void;
  /** Whether more is wanted. */
  readonly isDone: boolean;
}

/** Cuts bytes into lines: ISO-8859-1, or UTF-8 where the first bytes beyond ASCII say so. */
export class LineReader {
  /** Undefined as long as all bytes are ASCII. */
  encoding: 'latin1' | 'utf8' | undefined;
  readonly #consumer: LineConsumer;
  #rest: Buffer = Buffer.alloc(0);
  #isInPieces = false;

  constructor(consumer: LineConsumer) {
    this.#consumer = consumer;
  }

  feed(chunk: Buffer): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const end = bytes.lastIndexOf(LINE_FEED) + 1;
    if (end === 0 && bytes.length <= LONGEST) {
      this.#rest = bytes;
      return;
    }
    if (end === 0) {
      this.#consumer.piece(this.#textOf(bytes), undefined);
      this.#isInPieces = true;
      this.#rest = Buffer.alloc(0);
      return;
    }
    this.#lines(this.#textOf(bytes.subarray(0, end)));
    // A copy: the chunk is larger than what is left of it.
    this.#rest = Buffer.from(bytes.subarray(end));
  }

  end(): void {
    if (this.#rest.length === 0) return;
    const text = this.#textOf(this.#rest);
    if (this.#isInPieces) this.#consumer.piece(text, 'END');
    else this.#consumer.line(text, 'END');
  }

  #lines(text: string): void {
    let start = 0;
    while (start < text.length && !this.#consumer.isDone) {
      const end = text.indexOf('\n', start);
      const hasReturn = end > start && text.charCodeAt(end - 1) === CARRIAGE_RETURN;
      const line = text.slice(start, hasReturn ? end - 1 : end);
      const ending = hasReturn ? 'CRLF' : 'LF';
      start = end + 1;
      if (this.#isInPieces) {
        this.#isInPieces = false;
        this.#consumer.piece(line, ending);
      } else if (line.length > LONGEST) this.#consumer.piece(line, ending);
      else this.#consumer.line(line, ending);
    }
  }

  #textOf(bytes: Buffer): string {
    if (this.encoding === undefined && !isAscii(bytes)) this.encoding = isUtf8(bytes) ? 'utf8' : 'latin1';
    return this.encoding === 'utf8' ? bytes.toString('utf8') : bytes.toString('latin1');
  }
}
