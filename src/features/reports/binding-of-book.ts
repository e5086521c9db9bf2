import type { Day } from '../../accounting/period.ts';
import type { Binding, TableRow, Volume } from '../../platform/render/rows.ts';
import type { BookKeeper } from './report-head.ts';
import type { BookBinding } from './report-request.ts';
import type { ReportSource } from './report-source.ts';
import { type BookFacts, termMaker } from './term-pages.ts';

/**
 * A book between its terms. Each volume is a book of its own: the next order number, folhas from 1, and the period
 * that its lines are of where the book follows the calendar.
 */
export async function bindingOfBook(
  source: ReportSource,
  keeper: BookKeeper,
  { firstPage, pagesPerVolume }: BookBinding,
  facts: BookFacts,
  dayOf?: (row: TableRow) => Day | undefined,
): Promise<Binding> {
  const termOf = await termMaker(source, keeper);
  const orderNumber = (volume: number) => facts.orderNumber + volume - 1;
  const factsOf = ({ number, isLast, firstDetail, lastDetail }: Volume): BookFacts => ({
    ...facts,
    orderNumber: orderNumber(number),
    from: number === 1 ? facts.from : ((firstDetail && dayOf?.(firstDetail)) ?? facts.from),
    to: isLast ? facts.to : ((lastDetail && dayOf?.(lastDetail)) ?? facts.to),
  });
  return {
    firstPage,
    pagesPerVolume,
    opening: (volume) => termOf('opening', factsOf(volume), volume),
    closing: (volume) => termOf('closing', factsOf(volume), volume),
    bookmark: (volume) => `Livro nº ${orderNumber(volume)}`,
  };
}
