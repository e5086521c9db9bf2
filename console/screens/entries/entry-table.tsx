import type { ReactNode, Ref } from 'react';
import { type ChartAccount, useChart } from '../../data/queries.ts';
import { Badge } from '../../ui/badge.tsx';
import { DataGrid, type GridHandle } from '../../ui/data-grid.tsx';
import { amountText } from '../../ui/format.ts';
import { amountColumn, type Column } from '../../ui/grid-columns.tsx';
import { dayNumberText } from '../../ui/typed-field.tsx';
import type { Entry, EntryLine } from './entries-data.ts';

/** A row of the table: an entry of two lines as one, of more lines each by itself. */
export interface EntryRow {
  readonly entry: Entry;
  readonly line: EntryLine;
  readonly isFirst: boolean;
}

/** The rows of entries in their order. */
export function rowsOf(entries: readonly Entry[]): EntryRow[] {
  return entries.flatMap((entry) => {
    const lines = entry.offset === undefined ? entry.lines : entry.lines.slice(0, 1);
    return lines.map((line, at) => ({ entry, line, isFirst: at === 0 }));
  });
}

interface EntryTableProps {
  readonly rows: readonly EntryRow[];
  readonly onMark: (row: EntryRow | undefined) => void;
  readonly onOpen: ((row: EntryRow) => void) | undefined;
  /** The number of the entry being changed. */
  readonly changing: string | undefined;
  /** Does not take the focus: the posting row does. */
  readonly quiet: boolean;
  readonly empty: ReactNode;
  readonly ref?: Ref<GridHandle>;
}

/** The entries of a document. */
export function EntryTable({ rows, onMark, onOpen, changing, quiet, empty, ref }: EntryTableProps) {
  const { byId } = useChart();
  return (
    <DataGrid
      label="Lançamentos do documento"
      rows={rows}
      columns={columnsOf(byId)}
      keyOf={({ line }) => line.id}
      onMark={onMark}
      {...(onOpen ? { onOpen } : {})}
      rowClass={({ entry, isFirst }) =>
        [!isFirst && 'entry-more', entry.number === changing && 'entry-changing', entry.reversedBy && 'entry-reversed']
          .filter(Boolean)
          .join(' ') || undefined
      }
      quiet={quiet}
      empty={empty}
      {...(ref ? { ref } : {})}
    />
  );
}

type Accounts = (id: number) => ChartAccount | undefined;

function columnsOf(byId: Accounts): Column<EntryRow>[] {
  const accountText = (id: number) => {
    const account = byId(id);
    return account === undefined ? String(id) : `${account.code} ${account.name}`;
  };
  const offsetText = ({ entry, isFirst }: EntryRow) =>
    entry.offset ? accountText(entry.offset.accountId) : isFirst ? 'várias partidas' : '';
  return [
    {
      id: 'number',
      title: 'Lanç.',
      text: ({ entry, isFirst }) => (isFirst ? entry.number : ''),
      look: 'faint',
    },
    {
      id: 'day',
      title: 'Dia',
      text: ({ entry, isFirst }) => (isFirst ? dayNumberText(entry.day) : ''),
      narrow: true,
    },
    { id: 'side', title: 'D/C', text: ({ line }) => line.side, align: 'center', look: 'strong', narrow: true },
    {
      id: 'account',
      title: 'Conta',
      text: ({ line }) => accountText(line.accountId),
      draw: ({ line }) => <AccountName account={byId(line.accountId)} />,
      grows: true,
      atLeast: 12,
      narrow: true,
    },
    {
      id: 'offset',
      title: 'Contrapartida',
      text: offsetText,
      draw: (row) =>
        row.entry.offset ? <AccountName account={byId(row.entry.offset.accountId)} /> : <i>{offsetText(row)}</i>,
      grows: true,
      atLeast: 12,
    },
    { id: 'code', title: 'Hist.', text: ({ entry, isFirst }) => (isFirst ? (entry.code ?? '') : '') },
    {
      id: 'narration',
      title: 'Histórico',
      text: ({ line }) => line.narration ?? '',
      draw: ({ entry, line, isFirst }) => (
        <>
          {isFirst && entry.reversedBy && <Badge tone="none">estornado</Badge>}
          {isFirst && entry.reverses && <Badge tone="none">estorno</Badge>} {line.narration}
        </>
      ),
      grows: true,
      atLeast: 14,
    },
    amountColumn<EntryRow>({
      id: 'amount',
      title: 'Valor',
      amount: ({ line }) => line.amount,
      look: 'strong',
      narrow: true,
    }),
  ];
}

function AccountName({ account }: { readonly account: ChartAccount | undefined }) {
  if (account === undefined) return null;
  return (
    <>
      <span className="code">{account.code}</span> {account.name}
    </>
  );
}

/** 'D 1.1.1 Caixa 1.650,00': an entry in one line, for questions about it. */
export function entryText(entry: Entry, byId: Accounts): string {
  const [line] = entry.lines;
  return `${entry.number}, dia ${entry.day.slice(8)}, ${byId(line!.accountId)?.name ?? ''}, ${amountText(line!.amount)}`;
}
