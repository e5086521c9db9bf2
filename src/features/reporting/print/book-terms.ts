import { monthOfDay } from '../../../accounting/period.ts';
import { reject } from '../../../accounting/problem.ts';
import { readReportingEntity } from '../statements/reporting-entity.ts';
import { pagesOfBook } from './pages-of-book.ts';
import { daysInWords, entityValues } from './report-head.ts';
import type { BookTermsRequest } from './report-request.ts';
import type { ReportContent, ReportSource } from './report-source.ts';
import { chunkRows } from './table-rows.ts';
import { termsOf } from './term-pages.ts';

/** The terms that open and close a book, each on a page of its own. */
export async function bookTerms(source: ReportSource, request: BookTermsRequest): Promise<ReportContent> {
  const { from, to, which, pages } = request;
  if (from > to) reject('INVALID_DATE_RANGE', { from, to }, 'from');
  const entity = await readReportingEntity(source, monthOfDay(to));
  const terms = await termsOf(source, entity, request);
  const printed = await pagesOfBook(source, request);
  const bound = printed === undefined ? pages : printed + request.annexedPages;
  if (bound !== pages) reject('BOOK_PAGES_DIFFER', { pages, bound }, 'pages');
  const numbers = { pages, firstPage: 1 };
  const opening = { ...terms.page('opening', request, numbers), folha: 1 };
  const closing = { ...terms.page('closing', request, numbers), folha: pages };
  return {
    values: entityValues(entity, daysInWords(from, to), source.now),
    texts: { OPENING: [opening], CLOSING: [closing], BOTH: [opening, closing] }[which],
    rows: chunkRows([]),
    templateFault: terms.fault,
  };
}
