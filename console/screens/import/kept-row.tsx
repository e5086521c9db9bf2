import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { api } from '../../data/client.ts';
import { usePlace } from '../../data/place.ts';
import { DataGrid, type GridHandle } from '../../ui/data-grid.tsx';
import { instantText } from '../../ui/format.ts';
import type { Column } from '../../ui/grid-columns.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Result } from '../../ui/states.tsx';

interface Written {
  readonly row: number;
  readonly cells: readonly string[];
  readonly text: string | null;
}

/** Rows above the one that is looked for. */
const ABOVE = 20;
const SHOWN = 100;

/** The row of the imported file that a line of the ledger came from, among its neighbours. */
export function KeptRow({ line, onClose }: { readonly line: string; readonly onClose: () => void }) {
  const { company, branch } = usePlace();
  const query = useQuery({
    queryKey: ['imported row', company, branch, line],
    queryFn: async ({ signal }) => {
      const found = await api.movements.getImportedRow({ path: { id: Number(line) } }, { signal });
      const path = { company, branch, id: found.import.id };
      const from = Math.max(1, found.row - ABOVE);
      const { rows } = await api.movements.listImportRows({ path, query: { from, size: SHOWN } }, { signal });
      return { ...found, rows };
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { data } = query;
  return (
    <Screen
      title={data?.import.fileName ?? 'Arquivo importado'}
      subtitle={
        data
          ? `linha ${data.row} · importado em ${instantText(data.import.startedAt)} por ${data.import.requestedBy}`
          : null
      }
      keys={[{ keys: 'Escape', label: 'importações', run: onClose }]}
    >
      <Result query={query}>
        {(found) => <FileRows columns={found.columns} rows={found.rows} marked={found.row} />}
      </Result>
    </Screen>
  );
}

function FileRows(props: {
  readonly columns: readonly string[];
  readonly rows: readonly Written[];
  readonly marked: number;
}) {
  const { rows, marked } = props;
  const grid = useRef<GridHandle>(null);
  const at = rows.findIndex(({ row }) => row === marked);
  useEffect(() => grid.current?.markRow(Math.max(0, at)), [at]);
  const columns: Column<Written>[] = [
    { id: 'row', title: 'Linha', text: ({ row }) => String(row), align: 'end', look: 'faint', narrow: true },
    ...props.columns.map((name, place) => ({
      id: name,
      title: name,
      text: ({ cells }: Written) => cells[place] ?? '',
      ...(name === 'historico' ? { grows: true } : {}),
      ...(name === 'valor' ? { align: 'end' as const } : {}),
      narrow: name === 'conta' || name === 'valor',
    })),
  ];
  return (
    <DataGrid
      ref={grid}
      label="Linhas do arquivo"
      columns={columns}
      rows={rows}
      keyOf={({ row }) => row}
      rowClass={({ row }) => (row === marked ? 'grid-row-summary' : undefined)}
    />
  );
}
