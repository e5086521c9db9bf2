import { queryOptions } from '@tanstack/react-query';
import type { Side } from '../../../src/accounting/entry.ts';
import type { Centavos } from '../../../src/accounting/money.ts';
import { type Day, dayIn, type Month, monthNumberOf, monthOf, yearOf } from '../../../src/accounting/period.ts';
import { api } from '../../data/client.ts';
import type { Place } from '../../data/place.ts';
import { centavosOf } from '../../ui/format.ts';

// What the screen reads: batches with their documents, and the entries of one document.

/** Entries of a page; the last page is shown first, because new entries go there. */
export const PAGE_ENTRIES = 500;
/** Milliseconds after which an open document is read again: what others post in it appears. */
const LOOK_AGAIN = 5_000;

export interface EntryLine {
  readonly id: number;
  readonly side: Side;
  readonly accountId: number;
  readonly amount: Centavos;
  readonly narration: string | null;
}

export interface EntryKey {
  readonly documentId: number;
  readonly lancamento: string;
}

/** A logical entry. */
export interface Entry {
  readonly number: string;
  readonly day: Day;
  readonly lines: readonly EntryLine[];
  /** The other account of an entry of one debit and one credit. */
  readonly offset: EntryLine | undefined;
  readonly code: string | null;
  readonly narration: string | null;
  readonly factDay: Day | undefined;
  readonly isClosing: boolean;
  readonly reversedBy: EntryKey | null;
  readonly reverses: EntryKey | null;
  readonly createdAt: string;
  readonly createdBy: string | null;
  readonly updatedAt: string;
  readonly updatedBy: string | null;
  readonly importId: number | undefined;
}

export interface DocumentEntries {
  readonly batchId: number;
  readonly batch: string;
  readonly document: string;
  readonly month: Month;
  readonly entries: readonly Entry[];
  /** Of all pages. */
  readonly count: number;
  readonly page: number;
  readonly debit: Centavos;
  readonly credit: Centavos;
}

type WireEntry = Awaited<ReturnType<typeof api.movements.getEntriesOfDocument>>['content'][number];

export function entryFromWire(entry: WireEntry, month: Month): Entry {
  const lines = entry.partidas.map((line) => ({
    id: line.id,
    side: line.debcre,
    accountId: line.contaId,
    amount: centavosOf(line.valor),
    narration: line.historico,
  }));
  const isPair = lines.length === 2 && entry.partidas[0]!.contrapartida === lines[1]!.accountId;
  return {
    number: entry.lancamento,
    day: dayIn(month, Number(entry.day))!,
    lines,
    offset: isPair ? lines[1] : undefined,
    code: entry.cdhistorico,
    narration: entry.historico,
    factDay: entry.dataFato as Day | undefined,
    isClosing: entry.encerramento,
    reversedBy: entry.estornadoPor,
    reverses: entry.estornoDe,
    createdAt: entry.createdAt,
    createdBy: entry.createdBy,
    updatedAt: entry.updatedAt,
    updatedBy: entry.updatedBy,
    importId: entry.importId,
  };
}

/** Key of what an open document shows, whichever page. */
export const entriesKey = (documentId: number) => ['entries', documentId] as const;

/** A page of a document's entries; `page` 'last' is the one that new entries go to. */
export const entriesQuery = (documentId: number, page: number | 'last') =>
  queryOptions({
    queryKey: [...entriesKey(documentId), page],
    refetchInterval: LOOK_AGAIN,
    queryFn: async ({ signal }): Promise<DocumentEntries> => {
      const read = (number: number) =>
        api.movements.getEntriesOfDocument(
          { path: { id: documentId }, query: { page: number, size: PAGE_ENTRIES, totais: 'true' } },
          { signal },
        );
      let found = await read(page === 'last' ? (lastPages.get(documentId) ?? 0) : page);
      if (page === 'last' && found.number !== Math.max(0, found.totalPages - 1))
        found = await read(found.totalPages - 1);
      lastPages.set(documentId, Math.max(0, found.totalPages - 1));
      const month = monthOf(found.ano, found.mes)!;
      return {
        batchId: found.batchId,
        batch: found.lote,
        document: found.documento,
        month,
        entries: found.content.map((entry) => entryFromWire(entry, month)),
        count: found.totalElements,
        page: found.number,
        debit: centavosOf(found.totalDebit ?? '0'),
        credit: centavosOf(found.totalCredit ?? '0'),
      };
    },
  });

/** Where the last page of a document was, so that it is asked for at once. */
const lastPages = new Map<number, number>();

export interface BatchNode {
  readonly id: number;
  readonly number: string;
  readonly text: string | null;
}

export interface Totals {
  readonly documents: number;
  readonly entries: number;
  readonly difference: Centavos;
}

export const BATCHES_KEY = 'batches';
const MOST_NODES = 1_000;

const monthQuery = ({ month }: Pick<Place, 'month'>) => ({ ano: yearOf(month), mes: monthNumberOf(month) });

/** The batches of the month. */
export const batchesQuery = ({ company, branch, month }: Place) =>
  queryOptions({
    queryKey: [BATCHES_KEY, company, branch, month],
    queryFn: async ({ signal }): Promise<BatchNode[]> => {
      const { content } = await api.movements.getBatchPage(
        { path: { company, branch }, query: { ...monthQuery({ month }), size: MOST_NODES } },
        { signal },
      );
      return content.map(({ id, lote, descricao }) => ({ id, number: lote, text: descricao }));
    },
  });

/** What they hold, by id: counted apart, because a large month takes a while. */
export const batchTotalsQuery = ({ company, branch, month }: Place) =>
  queryOptions({
    queryKey: [BATCHES_KEY, company, branch, month, 'totals'],
    queryFn: async ({ signal }): Promise<ReadonlyMap<number, Totals>> => {
      const { content } = await api.movements.getBatchPage(
        { path: { company, branch }, query: { ...monthQuery({ month }), size: MOST_NODES, totais: 'true' } },
        { signal },
      );
      return new Map(
        content.map((each) => [
          each.id,
          {
            documents: each.totalDocuments ?? 0,
            entries: each.logicalEntryCount ?? 0,
            difference: centavosOf(each.difference ?? '0'),
          },
        ]),
      );
    },
  });

export interface DocumentNode extends BatchNode {
  readonly entries: number;
  readonly difference: Centavos;
  readonly importId: number | undefined;
}

/** The documents of a batch with what they hold. */
export const documentsQuery = (batchId: number) =>
  queryOptions({
    queryKey: [BATCHES_KEY, 'documents', batchId],
    queryFn: async ({ signal }): Promise<DocumentNode[]> => {
      const { content } = await api.movements.getDocumentPage(
        { path: { batchId }, query: { size: MOST_NODES, totais: 'true' } },
        { signal },
      );
      return content.map((each) => ({
        id: each.id,
        number: each.documento,
        text: each.texto,
        entries: each.logicalEntryCount ?? 0,
        difference: centavosOf(each.difference ?? '0'),
        importId: each.importId,
      }));
    },
  });

export interface Narration {
  readonly code: string;
  readonly text: string;
  readonly needsComplement: boolean;
}

/** The standard narrations that entries of the branch may name. */
export const narrationsQuery = ({ company, branch }: Pick<Place, 'company' | 'branch'>) =>
  queryOptions({
    queryKey: ['narrations', company, branch],
    staleTime: 5 * 60_000,
    queryFn: async ({ signal }): Promise<Narration[]> => {
      const rows = await api.masterdata.listNarrations({ query: { company, branch } }, { signal });
      return rows.flatMap((row) =>
        row.active
          ? [
              {
                code: row.cdHistory as string,
                text: row.description as string,
                needsComplement: row.requiresComplement === true,
              },
            ]
          : [],
      );
    },
  });

/** The closed days of the month. */
export const closedDaysQuery = ({ company, branch, month }: Place) =>
  queryOptions({
    queryKey: ['closed days', company, branch],
    queryFn: async ({ signal }): Promise<Day[]> => {
      const days = await api.masterdata.listClosedDays({ path: { company, branch } }, { signal });
      return days.map(({ date }) => date as Day);
    },
    select: (days): ReadonlySet<string> => new Set(days.filter((day) => day.startsWith(month))),
  });
