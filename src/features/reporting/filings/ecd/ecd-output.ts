import { createHash } from 'node:crypto';
import { reject } from '../../../../accounting/problem.ts';
import { Bytes } from './bytes.ts';
import type { EcdOptions, EcdSink, WrittenEcd } from './ecd-file.ts';
import type { EcdLine } from './ecd-line.ts';

const PORTION = 262_144;
const MEBIBYTE = 1_048_576;
/** Chapter 4 of the manual. */
const LARGEST_FILE = 1024 * MEBIBYTE;

/** The file on its way to its sink: gathered into portions, hashed and counted. */
export class EcdOutput {
  readonly bytes = new Bytes(2 * PORTION);
  readonly #sink: EcdSink;
  readonly #options: EcdOptions;
  readonly #limit: number;
  readonly #hash = createHash('sha256');
  readonly #linesOf = new Map<string, number>();
  #lines = 0;
  #written = 0;

  /** `isOneMonth`: it cannot be cut into smaller ones. */
  constructor(sink: EcdSink, options: EcdOptions, isOneMonth: boolean) {
    this.#sink = sink;
    this.#limit = isOneMonth ? Number.POSITIVE_INFINITY : (options.largestFile ?? LARGEST_FILE);
    this.#options = options;
  }

  /** Counts lines that were put into `bytes`. */
  count(register: string, lines = 1): void {
    this.#lines += lines;
    this.#linesOf.set(register, (this.#linesOf.get(register) ?? 0) + lines);
  }

  async lines(lines: readonly EcdLine[]): Promise<void> {
    for (const { register, fields, origin } of lines) {
      this.count(register);
      if (origin !== undefined) this.#sink.origin?.(this.#lines, origin);
      this.bytes.latin1(`|${register}|${fields.join('|')}|\r\n`);
      await this.passOn();
    }
  }

  /** When a portion is full; a promise only then. */
  passOn(): Promise<void> | undefined {
    return this.bytes.length < PORTION ? undefined : this.#pass();
  }

  async #pass(): Promise<void> {
    const { bytes } = this;
    const portion = bytes.buffer.subarray(0, bytes.length);
    this.#hash.update(portion);
    this.#written += portion.length;
    if (this.#written > this.#limit) reject('ECD_TOO_LARGE', { limit: Math.round(this.#limit / MEBIBYTE) });
    this.#options.onProgress?.(this.#lines);
    await this.#sink.write(portion);
    bytes.clear();
  }

  /** Throws when what was written is not what was counted before. */
  async end(expected: ReadonlyMap<string, number>): Promise<Omit<WrittenEcd, 'written' | 'findings' | 'counts'>> {
    for (const register of new Set([...expected.keys(), ...this.#linesOf.keys()])) {
      const [counted, written] = [expected.get(register) ?? 0, this.#linesOf.get(register) ?? 0];
      if (counted !== written) throw new Error(`${register}: ${counted} lines were counted, ${written} written`);
    }
    if (this.bytes.length > 0) await this.#pass();
    return {
      lines: this.#lines,
      bytes: this.#written,
      sha256: this.#hash.digest('hex'),
      linesOf: Object.fromEntries(this.#linesOf),
    };
  }
}
