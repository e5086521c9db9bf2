import { createHash } from 'node:crypto';
import { Zip, ZipDeflate } from 'fflate';
import { firstDay, lastDay, monthOfDay, monthRange } from '../../../accounting/period.ts';
import { BusinessError } from '../../../accounting/problem.ts';
import type { Transaction } from '../../../platform/database/sql.ts';
import type { EcdRequest } from '../filings/ecd/ecd-file.ts';
import type { FoundInFile } from '../filings/filing-finding.ts';
import type { WrittenBook } from '../filings/filing-order.ts';
import { firstOfRule } from './checked.ts';
import { type CheckedEcd, writeCheckedEcd } from './write-checked-ecd.ts';

type Write = (portion: Uint8Array) => Promise<void>;

/** Makes one file: what was begun before is gone. */
export type MakeFile = <Done>(work: (write: Write) => Promise<Done>) => Promise<Done>;

interface BooksOptions {
  /** Bytes beyond which the months are written one by one; undefined: the official limit. */
  readonly largestFile?: number | undefined;
  readonly onProgress?: ((lines: number) => void) | undefined;
}

/** What the file is: one book, or a ZIP of a book for each month. `lines` are those of all books, `sha256` and `bytes` those of the file. */
export interface CheckedBooks extends CheckedEcd {
  readonly isZip: boolean;
  readonly books: readonly CheckedBook[];
}

/** A book with what was found in it alone. */
export interface CheckedBook extends WrittenBook, Pick<FoundInFile, 'errors' | 'warnings'> {
  readonly lines: number;
  readonly bytes: number;
  readonly sha256: string;
}

type NumberedRequest = EcdRequest & { readonly orderNumber: number };

/**
 * Writes and checks an ECD. Where one file would be larger than the official programs take (manual, chapter 4), each month is
 * a book of its own, with consecutive order numbers; statements stand where the fiscal year ends. All from one snapshot.
 */
export async function writeCheckedBooks(
  sql: Transaction,
  request: NumberedRequest,
  makeFile: MakeFile,
  options: BooksOptions = {},
): Promise<CheckedBooks> {
  try {
    const whole = await makeFile((sink) => writeCheckedEcd(sql, request, { sink, ...options }));
    return { ...whole, isZip: false, books: whole.written ? [bookOf(request, whole)] : [] };
  } catch (error) {
    // A book that takes the place of another is one book.
    if (!isTooLarge(error) || request.replacedHash !== undefined) throw error;
  }
  return makeFile((write) => writeMonths(sql, request, write, options));
}

function isTooLarge(error: unknown): boolean {
  return error instanceof BusinessError && error.problems.some(({ code }) => code === 'ECD_TOO_LARGE');
}

async function writeMonths(
  sql: Transaction,
  request: NumberedRequest,
  write: Write,
  { onProgress }: BooksOptions,
): Promise<CheckedBooks> {
  const archive = new Archive(write);
  const found: (CheckedEcd & { readonly orderNumber: number })[] = [];
  const books: CheckedBook[] = [];
  let lines = 0;
  for (const [at, part] of monthsOf(request).entries()) {
    const file = archive.add(`ecd-${part.company}-${part.book}-${monthOfDay(part.from)}.txt`);
    const book = { ...part, orderNumber: request.orderNumber + at };
    const before = lines;
    const checked = await writeCheckedEcd(sql, book, {
      sink: (portion) => file.write(portion),
      onProgress: (written) => onProgress?.(before + written),
    });
    await file.end();
    found.push({ ...checked, orderNumber: book.orderNumber });
    books.push(bookOf(book, checked));
    lines += checked.lines;
  }
  const end = await archive.end();
  return { ...end, ...together(found), lines, books, isZip: true, written: found.every(({ written }) => written) };
}

/** One request for each month; situations are those of the first and the last day. */
function monthsOf(request: EcdRequest): EcdRequest[] {
  const months = monthRange(monthOfDay(request.from), monthOfDay(request.to));
  return months.map((month, at) => {
    const [isFirst, isLast] = [at === 0, at === months.length - 1];
    return {
      ...request,
      from: isFirst ? request.from : firstDay(month),
      to: isLast ? request.to : lastDay(month),
      startSituation: isFirst ? request.startSituation : undefined,
      specialSituation: isLast ? request.specialSituation : undefined,
    };
  });
}

function bookOf({ book, from, to, orderNumber }: NumberedRequest, checked: CheckedEcd): CheckedBook {
  const { lines, bytes, sha256, errors, warnings } = checked;
  return { book, orderNumber, from, to, lines, bytes, sha256, errors, warnings };
}

/** What was found in all books. Each finding names its book, of which its line is one. */
function together(all: readonly (CheckedEcd & { readonly orderNumber: number })[]): FoundInFile {
  const counts: Record<string, number> = {};
  for (const [rule, count] of all.flatMap((found) => Object.entries(found.counts)))
    counts[rule] = (counts[rule] ?? 0) + count;
  const findings = all.flatMap(({ orderNumber, findings }) =>
    findings.map((finding) => ({ ...finding, message: `Livro nº ${orderNumber}: ${finding.message}` })),
  );
  return {
    errors: all.reduce((sum, { errors }) => sum + errors, 0),
    warnings: all.reduce((sum, { warnings }) => sum + warnings, 0),
    ...{ counts, findings: firstOfRule(findings) },
  };
}

/** A ZIP that goes on its way as it is made; the same files make the same bytes. */
class Archive {
  readonly #write: Write;
  readonly #hash = createHash('sha256');
  readonly #zip: Zip;
  #made: Uint8Array[] = [];
  #bytes = 0;

  constructor(write: Write) {
    this.#write = write;
    this.#zip = new Zip((error, part) => {
      if (error) throw error;
      this.#made.push(part);
    });
  }

  add(name: string): { write(portion: Uint8Array): Promise<void>; end(): Promise<void> } {
    const file = new ZipDeflate(name, { level: 6 });
    file.mtime = new Date(1980, 0, 1);
    this.#zip.add(file);
    return {
      write: (portion) => {
        file.push(portion);
        return this.#pass();
      },
      end: () => {
        file.push(new Uint8Array(0), true);
        return this.#pass();
      },
    };
  }

  async end(): Promise<{ readonly bytes: number; readonly sha256: string }> {
    this.#zip.end();
    await this.#pass();
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }

  async #pass(): Promise<void> {
    const made = this.#made;
    this.#made = [];
    for (const part of made) {
      this.#hash.update(part);
      this.#bytes += part.length;
      await this.#write(part);
    }
  }
}
