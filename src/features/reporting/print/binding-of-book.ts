import { type Day, dayFromIso } from '../../../accounting/period.ts';
import type { TableRow, Volume } from '../../../platform/render/rows.ts';
import { type BookKind, type BoundVolume, ownerOf } from '../books/issued-book.ts';
import { type NextBook, selectBookOfPeriod, selectNextBooks } from '../books/issued-books.read.sql.ts';
import type { ReportingEntity } from '../statements/reporting-entity.ts';
import type { WantedBook } from './book-conditions.ts';
import { institutionNotes } from './institution-notes.ts';
import type { BookBinding } from './report-request.ts';
import type { ReportContent, ReportSource } from './report-source.ts';
import { type BookInput, termsOf } from './term-pages.ts';

/**
 * A book between its terms. Each volume is a book of its own: the next order number, folhas from 1, and the period
 * that its lines are of where the book follows the calendar. What is issued must continue the register; what is only
 * printed has the number of the book of its period, else the next one.
 */
export async function bindingOfBook(
  source: ReportSource,
  entity: ReportingEntity,
  request: BookBinding & WantedBook['selection'],
  { kind, from, to }: { readonly kind: BookKind; readonly from: Day; readonly to: Day },
): Promise<Pick<ReportContent, 'binding' | 'bound' | 'templateFault' | 'warnings'>> {
  const { firstPage, pagesPerVolume, registers, annexes } = request;
  const next = await nextBook(source, kind);
  const sequence = registers ? { next, number: request.bookNumber } : undefined;
  const terms = await termsOf(source, entity, { from, to, selection: request, annexes, sequence });
  const issued = registers
    ? undefined
    : await selectBookOfPeriod(source.sql, ownerOf(source.tenant), { kind, from, to });
  const first = request.bookNumber ?? issued?.firstNumber ?? next.number ?? 1;
  const bound: BoundVolume[] = [];
  const factsOf = ({ number, isLast, firstDetail, lastDetail }: Volume): BookInput => ({
    book: kind,
    orderNumber: first + number - 1,
    from: number === 1 ? from : (dayOfRow(firstDetail) ?? from),
    to: isLast ? to : (dayOfRow(lastDetail) ?? to),
  });
  return {
    binding: {
      firstPage,
      pagesPerVolume,
      opening: (volume) => terms.page('opening', factsOf(volume), volume),
      closing: (volume) => {
        const facts = factsOf(volume);
        const { orderNumber: number } = facts;
        bound.push({ number, folhas: volume.pages, firstFolha: volume.firstPage, from: facts.from, to: facts.to });
        return terms.page('closing', facts, volume);
      },
      bookmark: (volume) => `Livro nº ${first + volume - 1}`,
    },
    bound,
    templateFault: terms.fault,
    warnings: [...institutionNotes({ entity }), ...(registers ? [] : [COPY])],
  };
}

const COPY = 'cópia para conferência, sem registro: o livro se emite em PDF, sozinho no arquivo';

async function nextBook({ sql, tenant }: ReportSource, kind: BookKind): Promise<NextBook> {
  return (await selectNextBooks(sql, ownerOf(tenant))).find((each) => each.kind === kind)!;
}

function dayOfRow(row: TableRow | undefined): Day | undefined {
  return row?.date === undefined ? undefined : dayFromIso(row.date);
}
