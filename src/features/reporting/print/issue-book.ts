import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { BusinessError, problem, RetryLater, reject, throwIfAny } from '../../../accounting/problem.ts';
import { PIECE_BYTES } from '../../../platform/compressed-pieces.ts';
import type { Context } from '../../../platform/context.ts';
import type { Sql, Transaction } from '../../../platform/database/sql.ts';
import type { Format } from '../../../platform/render/render-table.ts';
import type { ReportedTenant } from '../../access/access.ts';
import { recordAudit } from '../../access/audit.sql.ts';
import { readReportedBooks } from '../../master-data/companies/institution.ts';
import { insertPiece, type PiecedFile } from '../../pieces.sql.ts';
import { type BookKind, type BookOwner, ownerOf } from '../books/issued-book.ts';
import { selectBookOfRequest, selectNextBooks } from '../books/issued-books.read.sql.ts';
import { insertIssuedBook, lockBooks, updateNextNumber } from '../books/issued-books.sql.ts';
import { openIssuedBook } from '../books/open-issued-book.ts';
import { selectMonthStates } from '../statements/month-states.read.sql.ts';
import { sequenceProblems } from './book-conditions.ts';
import {
  assertWithinSize,
  type PrintedFile,
  type PrintedReport,
  printedReports,
  type ReportToPrint,
} from './print-task.ts';
import type { Printer, Watching } from './printer.ts';
import type { DailyTrialBalanceRequest, JournalRequest, LedgerBookRequest, ReportRequest } from './report-request.ts';

/** What the register says of a kind of report. */
const BOOK_KINDS = {
  journal: 'JOURNAL',
  ledgerBook: 'LEDGER',
  dailyTrialBalance: 'TRIAL_BALANCES',
} as const satisfies Partial<Record<ReportRequest['kind'], BookKind>>;

/** A book to issue. */
export interface BookToIssue {
  readonly tenant: ReportedTenant;
  readonly request: JournalRequest | LedgerBookRequest | DailyTrialBalanceRequest;
}

/**
 * The book that the printing of this report issues; undefined where it issues none. Only the PDF is what the law binds;
 * with terms in other formats, or among other reports in one file, it is a copy to work with.
 */
export function bookToIssue({ tenant, request }: ReportToPrint, format: Format): BookToIssue | undefined {
  if (format !== 'PDF' || !('includeTerms' in request)) return undefined;
  return request.includeTerms ? { tenant, request } : undefined;
}

/** On whose behalf a book is issued, and with what. */
export interface Issuing extends Pick<Context, 'sql' | 'scope' | 'transaction' | 'now' | 'caller' | 'address'> {
  readonly printer: Printer;
  /** Of a book that is kept, in bytes. */
  readonly bookSizeLimit: number;
  /** Of the answer, in bytes. */
  readonly byteLimit?: number | undefined;
}

/** Rejects who may not issue books, unless the book is issued already: then it is only read. */
export async function requireMayIssue(sql: Sql, book: BookToIssue, mayIssue: boolean): Promise<void> {
  if (mayIssue || (await selectBookOfRequest(sql, ownerOf(book.tenant), keyOf(book)))) return;
  reject('ROUTINE_DENIED', { routine: 'LEGAL_BOOKS' });
}

/**
 * Prints the book into the file and registers it, or answers the bytes that were issued for the same request, whatever
 * changed since (domain: issued books). A print that fails leaves nothing.
 */
export async function issueBook(
  issuing: Issuing,
  book: BookToIssue,
  path: string,
  watching: Watching,
): Promise<PrintedFile> {
  const known = await selectBookOfRequest(issuing.sql, ownerOf(book.tenant), keyOf(book));
  if (known) return copyIssued(issuing, ownerOf(book.tenant), known, path);
  try {
    return await printAndRegister(issuing, book, path, watching);
  } catch (error) {
    // Of two requests at once the later one does not continue the register any more: its book is there.
    const same =
      error instanceof BusinessError && (await selectBookOfRequest(issuing.sql, ownerOf(book.tenant), keyOf(book)));
    if (same) return copyIssued(issuing, ownerOf(book.tenant), same, path);
    throw error;
  }
}

async function printAndRegister(
  issuing: Issuing,
  book: BookToIssue,
  path: string,
  watching: Watching,
): Promise<PrintedFile> {
  const closings = await closingsOf(issuing.sql, book);
  const { printed, report } = await printForIssue(issuing, book, path, watching);
  const file = { path, bytes: printed.bytes, sha256: await sha256Of(path) };
  const same = await issuing.transaction((sql) => register(sql, issuing, { book, closings, report, file }));
  return same === undefined ? printed : copyIssued(issuing, ownerOf(book.tenant), same, path);
}

type IssuedFile = NonNullable<Awaited<ReturnType<typeof selectBookOfRequest>>>;

/**
 * By what an issued book is found again: everything that was asked for, but the number, which may be left out. What is
 * off or empty is left out too, so that a later version of the program, with further options, still finds it.
 */
function keyOf({ request }: BookToIssue): { kind: BookKind; request: string; number: number | undefined } {
  const { bookNumber, registers: _, ...asked } = request;
  return { kind: BOOK_KINDS[request.kind], request: JSON.stringify(asked, withoutDefaults), number: bookNumber };
}

function withoutDefaults(_key: string, value: unknown): unknown {
  return value === false || (Array.isArray(value) && value.length === 0) ? undefined : value;
}

/** When each month of the book was closed: another moment is another closing, with other figures or names. */
async function closingsOf(sql: Sql, { tenant, request }: BookToIssue): Promise<string> {
  const books = await readReportedBooks(sql, tenant);
  return JSON.stringify(await selectMonthStates(sql, books, request.from, request.to));
}

async function printForIssue(
  { printer, scope, now, byteLimit, bookSizeLimit }: Issuing,
  { tenant, request }: BookToIssue,
  path: string,
  watching: Watching,
): Promise<{ printed: PrintedFile; report: PrintedReport }> {
  const limit = Math.min(byteLimit ?? bookSizeLimit, bookSizeLimit);
  const reports = [{ tenant, request: { ...request, registers: true } }];
  const task = { reports, titled: false, format: 'PDF', scope, now: now(), path, byteLimit: limit } as const;
  try {
    const printed = await printer.print(task, watching);
    const [report] = printedReports(printed.outcomes) as [PrintedReport];
    return { printed, report };
  } catch (error) {
    const isTooLarge = error instanceof BusinessError && error.problems.some(({ code }) => code === 'REPORT_TOO_LARGE');
    if (isTooLarge && limit === bookSizeLimit) reject('BOOK_TOO_LARGE', { limit: Math.round(limit / MEBIBYTE) });
    throw error;
  }
}

interface PrintedBook {
  readonly book: BookToIssue;
  readonly closings: string;
  readonly report: PrintedReport;
  readonly file: { readonly path: string; readonly bytes: number; readonly sha256: string };
}

/** Registers the printed book. Returns the one that another request has registered meanwhile, where there is one. */
async function register(
  sql: Transaction,
  issuing: Issuing,
  { book, closings, report, file }: PrintedBook,
): Promise<IssuedFile | undefined> {
  const { request } = book;
  const owner = ownerOf(book.tenant);
  const { kind, ...key } = keyOf(book);
  await lockBooks(sql, owner);
  const same = await selectBookOfRequest(sql, owner, { kind, ...key });
  if (same) return same;
  // A month was opened again while the book was printed.
  if ((await closingsOf(sql, book)) !== closings) throw new RetryLater(problem('BUSY'), RETRY_SECONDS);
  const next = (await selectNextBooks(sql, owner)).find((each) => each.kind === kind)!;
  throwIfAny(sequenceProblems(next, { from: request.from, number: request.bookNumber }));
  const { volumes = [], annexes = [] } = report;
  // Somebody wrote another number into the options while the book was printed.
  if (next.number !== null && next.number !== volumes[0]!.number) throw new RetryLater(problem('BUSY'), RETRY_SECONDS);
  const { from, to } = request;
  const { caller, address } = issuing;
  const entry = { kind, from, to, volumes, annexes, folhas: report.pages, sha256: file.sha256, bytes: file.bytes };
  const issuedBy = caller.username;
  const id = await insertIssuedBook(sql, owner, {
    ...{ ...entry, request: key.request, printed: report, issuedAt: issuing.now(), issuedBy },
  });
  await keepBytes(sql, owner, id, file.path);
  await updateNextNumber(sql, owner, kind, volumes.at(-1)!.number + 1);
  const { companyId, branchId } = book.tenant;
  await recordAudit(
    sql,
    { caller, address },
    {
      ...{ action: 'ISSUE', entity: 'book', entityId: id, companyId, branchId, after: entry },
    },
  );
  return undefined;
}

async function keepBytes(sql: Sql, { companyId }: BookOwner, id: number, path: string): Promise<void> {
  const book: PiecedFile = { table: 'issued_book_piece', companyId, id };
  let piece = 0;
  for await (const content of createReadStream(path, { highWaterMark: PIECE_BYTES }) as AsyncIterable<Buffer>) {
    await insertPiece(sql, book, piece++, content);
  }
}

/** Writes the issued bytes into the file. */
async function copyIssued(
  { sql, byteLimit }: Issuing,
  { companyId }: BookOwner,
  { id, bytes, sha256, printed }: IssuedFile,
  path: string,
): Promise<PrintedFile> {
  assertWithinSize(byteLimit, bytes);
  await pipeline(openIssuedBook(sql, companyId, { id, sha256 }), createWriteStream(path, { mode: 0o600 }));
  return { bytes, outcomes: [{ report: printed as PrintedReport }] };
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

const MEBIBYTE = 1_048_576;
const RETRY_SECONDS = 2;
