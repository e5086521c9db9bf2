import { Writable } from 'node:stream';
import { BusinessError } from '../../../accounting/problem.ts';
import { renderTable } from '../../../platform/render/render-table.ts';
import type { Rows } from '../../../platform/render/rows.ts';
import { ownerOf } from '../books/issued-book.ts';
import { selectBookOfPeriod } from '../books/issued-books.read.sql.ts';
import { journal } from './journal.ts';
import { ledgerBook } from './ledger-book.ts';
import type { BookTermsRequest, JournalRequest, LedgerBookRequest } from './report-request.ts';
import type { ReportSource } from './report-source.ts';
import { readTemplate } from './report-template.ts';

/**
 * How many folhas the book of these terms has: those it or its volume was issued with, the annexes among them, else those it has when
 * it is printed with its terms. undefined for a book that is kept elsewhere: of months that are not opened here or
 * archived, or bound from many reports.
 */
export async function pagesOfBook(source: ReportSource, request: BookTermsRequest): Promise<number | undefined> {
  const { book: kind } = request;
  const period = { kind, from: request.from, to: request.to };
  const issued = await selectBookOfPeriod(source.sql, ownerOf(source.tenant), period);
  if (issued) return (issued.volumes.find(({ number }) => number === request.orderNumber) ?? issued).folhas;
  if (kind === 'TRIAL_BALANCES') return undefined;
  const binding = { bookNumber: undefined, firstPage: 1, includeTerms: false, pagesPerVolume: undefined };
  const { from, to, selection } = request;
  try {
    return (
      TERMS +
      (kind === 'JOURNAL'
        ? await pagesOf(source, { kind: 'journal', from, to, ...binding, ...selection }, journal)
        : await pagesOf(
            source,
            { kind: 'ledgerBook', from, to, accounts: [], onlyWithMovement: false, ...binding, ...selection },
            ledgerBook,
          ))
    );
  } catch (error) {
    if (error instanceof BusinessError && error.problems.every(({ code }) => ELSEWHERE.includes(code)))
      return undefined;
    throw error;
  }
}

const TERMS = 2;
const ELSEWHERE = ['MONTH_NOT_OPEN', 'MONTH_NOT_OPEN_IN_BRANCHES', 'MONTH_PURGED', 'MONTH_PURGED_IN_BRANCHES'];

/**
 * Rendered to a discarded stream, because only the painter knows where pages end. A book too large for a response is
 * not counted in a request.
 */
async function pagesOf<Request extends JournalRequest | LedgerBookRequest>(
  source: ReportSource,
  request: Request,
  make: (source: ReportSource, request: Request) => ReturnType<typeof journal>,
): Promise<number> {
  const { layout } = await readTemplate(request.kind, source.templates);
  const output = new Void();
  const content = await make(source, request);
  async function* watched(rows: Rows): Rows {
    for await (const portion of rows) {
      source.watch(output.bytes);
      yield portion;
    }
  }
  const { pages } = await renderTable('PDF', layout, { ...content, rows: watched(content.rows) }, output);
  source.watch(output.bytes);
  return pages;
}

class Void extends Writable {
  bytes = 0;

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.bytes += chunk.length;
    done();
  }
}
