import { type Day, dayFromIso } from '../../../accounting/period.ts';
import type { TableRow, Volume } from '../../../platform/render/rows.ts';
import type { ReportingEntity } from '../statements/reporting-entity.ts';
import type { WantedBook } from './book-conditions.ts';
import type { BookBinding } from './report-request.ts';
import type { ReportContent, ReportSource } from './report-source.ts';
import { type BookInput, termsOf } from './term-pages.ts';

/**
 * A book between its terms. Each volume is a book of its own: the next order number, folhas from 1, and the period
 * that its lines are of where the book follows the calendar.
 */
export async function bindingOfBook(
  source: ReportSource,
  entity: ReportingEntity,
  request: BookBinding & WantedBook['selection'],
  facts: BookInput,
): Promise<Pick<ReportContent, 'binding' | 'templateFault'>> {
  const { firstPage, pagesPerVolume } = request;
  const terms = await termsOf(source, entity, { from: facts.from, to: facts.to, selection: request });
  const orderNumber = (volume: number) => facts.orderNumber + volume - 1;
  const factsOf = ({ number, isLast, firstDetail, lastDetail }: Volume): BookInput => ({
    ...facts,
    orderNumber: orderNumber(number),
    from: number === 1 ? facts.from : (dayOfRow(firstDetail) ?? facts.from),
    to: isLast ? facts.to : (dayOfRow(lastDetail) ?? facts.to),
  });
  return {
    binding: {
      firstPage,
      pagesPerVolume,
      opening: (volume) => terms.page('opening', factsOf(volume), volume),
      closing: (volume) => terms.page('closing', factsOf(volume), volume),
      bookmark: (volume) => `Livro nº ${orderNumber(volume)}`,
    },
    templateFault: terms.fault,
  };
}

function dayOfRow(row: TableRow | undefined): Day | undefined {
  return row?.date === undefined ? undefined : dayFromIso(row.date);
}
