import type { Transaction } from '../../../../platform/database/sql.ts';
import { SQL } from '../../../../platform/database/statement.ts';
import { findBrokenOpenings, writeBalances } from './balances.ts';
import { closingLines, expectedLines } from './counts.ts';
import { writeDailyBalances } from './daily.ts';
import { countDailyMovements } from './ecd-balances.read.sql.ts';
import { type EcdBooks, readEcdBooks } from './ecd-books.ts';
import { type CountedLines, countLines } from './ecd-entries.read.sql.ts';
import type { EcdOptions, EcdRequest, EcdSink, WrittenEcd } from './ecd-file.ts';
import { EcdFindings } from './ecd-findings.ts';
import { EcdOutput } from './ecd-output.ts';
import { type EcdParts, makeParts } from './ecd-parts.ts';
import { writeEntries } from './entries.ts';
import { FileCodes } from './file-codes.ts';

/**
 * Writes a bookkeeping file (ECD, layout 9) of what one snapshot shows: `sql` is that of `context.snapshot`, under a scope that
 * reaches the whole company. The same books and request make the same bytes. Lines are counted before and again while
 * they are written; a difference throws.
 */
export async function writeEcd(
  sql: Transaction,
  request: EcdRequest,
  sink: EcdSink,
  options: EcdOptions = {},
): Promise<WrittenEcd> {
  await sql.run(SQL`SET LOCAL work_mem = '64MB'`);
  const findings = new EcdFindings();
  const books = await readEcdBooks(sql, request, findings);
  const counted = books && (await countBulk(sql, books, options, findings));
  if (books === undefined || counted === undefined || findings.hasErrors) {
    return { written: false, lines: 0, bytes: 0, sha256: '', linesOf: {}, ...findings.result() };
  }
  const parts = await makeParts(sql, books, counted, findings);
  const expected = expectedLines(parts, bulkLines(books, counted));
  const output = new EcdOutput(sink, options, books.months.length === 1);
  await writeParts(sql, books, parts, counted, expected, output, findings);
  const written = await output.end(expected);
  const { members } = books.institution;
  const onlyBranch = members.length === 1 ? members[0]!.branch : undefined;
  return { written: true, onlyBranch, ...written, ...findings.result() };
}

/** Lines that are not gathered before they are written. */
interface Bulk extends CountedLines {
  readonly days: number;
  readonly dailyLines: number;
}

const NO_LINES: CountedLines = { entries: 0, lines: 0, outside: 0, narrations: [], long: new Map() };

async function countBulk(
  sql: Transaction,
  books: EcdBooks,
  { withoutEntries }: EcdOptions,
  findings: EcdFindings,
): Promise<Bulk> {
  const { request, rows } = books;
  const isWanted = (book: EcdRequest['book']) => withoutEntries !== true && request.book === book;
  const lines = isWanted('G') ? await countLines(sql, rows, request.from, request.to) : NO_LINES;
  const daily = isWanted('B') ? await countDailyMovements(sql, rows) : { days: 0, lines: 0 };
  if (lines.outside > 0) {
    findings.add({
      ...{
        rule: 'PARTIDAS_PERIODO',
        severity: 'ERRO',
        register: 'I200',
        field: 'DT_LCTO',
        value: String(lines.outside),
      },
      message: 'Há partidas nos meses do arquivo, fora dos dias dele.',
    });
  }
  await findBrokenOpenings(sql, books, findings);
  return { ...lines, days: daily.days, dailyLines: daily.lines };
}

function bulkLines({ months, balanceLines }: EcdBooks, { entries, lines, days, dailyLines }: Bulk) {
  return { I150: months.length, I155: balanceLines, I200: entries, I250: lines, I300: days, I310: dailyLines };
}

async function writeParts(
  sql: Transaction,
  books: EcdBooks,
  parts: EcdParts,
  counted: Bulk,
  expected: ReadonlyMap<string, number>,
  output: EcdOutput,
  findings: EcdFindings,
): Promise<void> {
  const { make } = parts;
  const closing = closingLines(make, expected);
  const codes = new FileCodes(books);
  await output.lines([...parts.head, closing.ofBlock('0')]);
  await output.lines([...parts.book(closing.total), ...parts.chart]);
  await writeBalances(sql, books, codes, output);
  if (counted.lines > 0) await writeEntries(sql, books, counted, codes, output, findings);
  if (counted.dailyLines > 0) await writeDailyBalances(sql, books, codes, output);
  await output.lines([...parts.results, closing.ofBlock('I'), make.line('J001', ['0']), ...parts.statements]);
  await output.lines([parts.closing(closing.total), ...parts.signatories, closing.ofBlock('J'), ...closing.ofFile]);
}
