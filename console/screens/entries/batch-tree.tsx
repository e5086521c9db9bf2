import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { usePlace } from '../../data/place.ts';
import { DataGrid } from '../../ui/data-grid.tsx';
import { amountText, countText, fold } from '../../ui/format.ts';
import type { Column } from '../../ui/grid-columns.tsx';
import { Empty, Result } from '../../ui/states.tsx';
import { TextField } from '../../ui/text-field.tsx';
import {
  type BatchNode,
  batchesQuery,
  batchTotalsQuery,
  type DocumentNode,
  documentsQuery,
  type Totals,
} from './entries-data.ts';

export interface TreeNode {
  readonly key: string;
  readonly level: 1 | 2;
  readonly batch: BatchNode;
  readonly document?: DocumentNode | undefined;
  readonly totals?: Totals | DocumentNode | undefined;
}

interface BatchTreeProps {
  /** The batch that is open by the address. */
  readonly batchId: number | undefined;
  readonly documentId: number | undefined;
  readonly onOpenDocument: (id: number) => void;
  readonly onMark: (node: TreeNode | undefined) => void;
}

/** The batches of the month, and below an open one its documents, with what they hold. */
export function BatchTree({ batchId, documentId, onOpenDocument, onMark }: BatchTreeProps) {
  const place = usePlace();
  const [filter, setFilter] = useState('');
  const [open, setOpen] = useState<ReadonlySet<string | number>>(new Set());
  const batches = useQuery(batchesQuery(place));
  const { data: totals } = useQuery(batchTotalsQuery(place));
  useEffect(() => {
    if (batchId !== undefined) setOpen((before) => new Set([...before, `batch ${batchId}`]));
  }, [batchId]);
  const shown = (batches.data ?? []).filter(({ number, text }) =>
    fold(`${number} ${text ?? ''}`).includes(fold(filter)),
  );
  const documentsOf = useDocuments(shown, open);
  const rows = useMemo(() => nodesOf(shown, totals, documentsOf), [shown, totals, documentsOf]);
  return (
    <nav className="batches" aria-label="Lotes e documentos">
      <TextField
        label="Filtrar lotes"
        hiddenLabel
        type="search"
        placeholder="Filtrar lotes"
        value={filter}
        onChange={setFilter}
      />
      <Result query={batches} rows={6}>
        {() => (
          <DataGrid
            label="Lotes"
            rows={rows}
            columns={COLUMNS}
            keyOf={({ key }) => key}
            tree={{ levelOf: ({ level }) => level, open, onOpenChange: setOpen }}
            rowClass={({ document }) => (document?.id === documentId && document ? 'batch-here' : undefined)}
            onMark={onMark}
            onOpen={({ key, document, level }) => {
              if (document) onOpenDocument(document.id);
              else if (level === 1) setOpen((before) => toggled(before, key));
            }}
            quiet={documentId !== undefined}
            empty={<Empty title="Nenhum lote neste mês" />}
          />
        )}
      </Result>
    </nav>
  );
}

function toggled(open: ReadonlySet<string | number>, key: string): ReadonlySet<string | number> {
  const next = new Set(open);
  if (!next.delete(key)) next.add(key);
  return next;
}

/** The documents of open batches that have come. */
function useDocuments(
  batches: readonly BatchNode[],
  open: ReadonlySet<string | number>,
): ReadonlyMap<number, readonly DocumentNode[]> {
  const wanted = batches.filter(({ id }) => open.has(`batch ${id}`));
  const client = useQueryClient();
  const results = useQueries({ queries: wanted.map(({ id }) => documentsQuery(id)) });
  const signature = results.map(({ dataUpdatedAt }) => dataUpdatedAt).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: made anew when other documents have come
  return useMemo(
    () => new Map(wanted.map(({ id }) => [id, client.getQueryData(documentsQuery(id).queryKey) ?? []])),
    [signature, wanted.map(({ id }) => id).join()],
  );
}

/** Closed batches have a place holder below them, so that they can be opened. */
function nodesOf(
  batches: readonly BatchNode[],
  totals: ReadonlyMap<number, Totals> | undefined,
  documentsOf: ReadonlyMap<number, readonly DocumentNode[]>,
): TreeNode[] {
  return batches.flatMap((batch): TreeNode[] => {
    const node = { key: `batch ${batch.id}`, level: 1, batch, totals: totals?.get(batch.id) } as const;
    const documents = documentsOf.get(batch.id);
    const below: TreeNode[] =
      documents === undefined || documents.length === 0
        ? [{ key: `none ${batch.id}`, level: 2, batch }]
        : documents.map((document) => ({
            key: `document ${document.id}`,
            level: 2,
            batch,
            document,
            totals: document,
          }));
    return [node, ...below];
  });
}

const COLUMNS: readonly Column<TreeNode>[] = [
  {
    id: 'name',
    title: 'Lote',
    tree: true,
    grows: true,
    atLeast: 8,
    narrow: true,
    text: nameOf,
    draw: (node) => (
      <>
        <b>{node.level === 1 ? node.batch.number : (node.document?.number ?? '')}</b>{' '}
        {node.level === 1 ? node.batch.text : node.document ? node.document.text : 'sem documentos'}
      </>
    ),
  },
  {
    id: 'entries',
    title: 'Lanç.',
    align: 'end',
    look: 'faint',
    narrow: true,
    text: ({ totals }) =>
      totals === undefined ? '' : `${countText(totals.entries)}${totals.difference === 0n ? '' : ' ≠'}`,
    draw: ({ totals }) =>
      totals === undefined ? null : totals.difference === 0n ? (
        countText(totals.entries)
      ) : (
        <span className="batch-wrong" title={`Diferença de ${amountText(totals.difference)}`}>
          {countText(totals.entries)} ≠
        </span>
      ),
  },
];

function nameOf({ level, batch, document }: TreeNode): string {
  return level === 1
    ? `Lote ${batch.number} ${batch.text ?? ''}`
    : `Documento ${document?.number ?? ''} ${document?.text ?? ''}`;
}
