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
  /** What came behind the last line feed: joined once, as joining it with each chunk would copy a long line again and again. */
  #rest: Buffer[] = [];
  #restBytes = 0;
  #isInPieces = false;

  constructor(consumer: LineConsumer) {
    this.#consumer = consumer;
  }

  feed(chunk: Buffer): void {
    const end = chunk.lastIndexOf(LINE_FEED) + 1;
    if (end > 0) {
      this.#keep(chunk.subarray(0, end));
      this.#lines(this.#textOf(this.#taken()));
      // A copy: the chunk is larger than what is left of it.
      if (end < chunk.length) this.#keep(Buffer.from(chunk.subarray(end)));
      return;
    }
    this.#keep(chunk);
    if (this.#restBytes <= LONGEST) return;
    this.#consumer.piece(this.#textOf(this.#taken()), undefined);
    this.#isInPieces = true;
  }

  end(): void {
    if (this.#restBytes === 0) return;
    const text = this.#textOf(this.#taken());
    if (this.#isInPieces) this.#consumer.piece(text, 'END');
    else this.#consumer.line(text, 'END');
  }

  #keep(bytes: Buffer): void {
    this.#rest.push(bytes);
    this.#restBytes += bytes.length;
  }

  #taken(): Buffer {
    const [only, ...others] = this.#rest;
    const bytes = others.length === 0 ? only! : Buffer.concat(this.#rest, this.#restBytes);
    this.#rest = [];
    this.#restBytes = 0;
    return bytes;
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
