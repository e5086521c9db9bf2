import { useMemo } from 'react';
import type { Month } from '../../../src/accounting/period.ts';
import type { Balance } from '../../data/balances.ts';
import { useGo } from '../../data/place.ts';
import type { ChartAccount } from '../../data/queries.ts';
import { DataGrid } from '../../ui/data-grid.tsx';
import { monthShort } from '../../ui/format.ts';
import { amountColumn, type Column } from '../../ui/grid-columns.tsx';
import { useRemembered } from '../../ui/memory.ts';
import { Empty } from '../../ui/states.tsx';
import { filterRows, openTo, type TrialRow, trialRows } from './trial-rows.ts';
import { variationText } from './variation.ts';

interface TrialGridProps {
  readonly now: readonly Balance[];
  readonly other: readonly Balance[] | undefined;
  readonly otherMonth: Month | undefined;
  readonly chart: readonly ChartAccount[] | undefined;
  readonly showsAll: boolean;
  readonly filter: string;
  readonly isInstitution: boolean;
  readonly onMark: (row: TrialRow | undefined) => void;
}

/** Levels shown at first. */
const SHOWN_LEVELS = 3;

export function TrialGrid(props: TrialGridProps) {
  const { now, other, otherMonth, chart, showsAll, filter, isInstitution, onMark } = props;
  const go = useGo();
  const all = useMemo(() => trialRows(now, other, chart, showsAll), [now, other, chart, showsAll]);
  const rows = useMemo(() => filterRows(all, filter), [all, filter]);
  const [opened, setOpened] = useRemembered<ReadonlySet<string | number> | undefined>('balancete aberto', undefined);
  const isFiltered = filter.trim() !== '';
  // A filter shows what it finds; what was open is open again without it.
  const open = useMemo(
    () => (isFiltered ? openTo(rows, Number.POSITIVE_INFINITY) : (opened ?? openTo(rows, SHOWN_LEVELS))),
    [rows, isFiltered, opened],
  );
  const hasClosing = useMemo(() => now.some(({ closing }) => closing !== 0n), [now]);
  const columns = useMemo(
    () => columnsOf(hasClosing, other === undefined ? undefined : otherMonth),
    [hasClosing, other, otherMonth],
  );
  return (
    <DataGrid
      label="Balancete"
      columns={columns}
      rows={rows}
      keyOf={({ key }) => key}
      tree={{ levelOf: ({ level }) => level, open, onOpenChange: setOpened }}
      rowClass={({ type }) => (type === 'S' ? 'grid-row-summary' : undefined)}
      onMark={onMark}
      onOpen={({ id }) => {
        if (id === null) return;
        go({ screen: 'razao', search: { conta: String(id), ...(isInstitution ? { instituicao: '1' } : {}) } });
      }}
      empty={<Nothing isFiltered={isFiltered} />}
    />
  );
}

function columnsOf(hasClosing: boolean, compared: Month | undefined): readonly Column<TrialRow>[] {
  const plain: Column<TrialRow>[] = [
    { id: 'code', title: 'Conta', text: ({ code }) => code, look: 'code' },
    { id: 'reduced', title: 'Red.', text: ({ reduced }) => reduced, look: 'code', align: 'end' },
    { id: 'name', title: 'Nome', text: ({ name }) => name, grows: true, atLeast: 16, tree: true, narrow: true },
    amountColumn({ id: 'opening', title: 'Saldo anterior', amount: ({ opening }) => opening, side: true }),
    amountColumn({ id: 'debit', title: 'Débitos', amount: ({ debit }) => debit }),
    amountColumn({ id: 'credit', title: 'Créditos', amount: ({ credit }) => credit }),
  ];
  const closing = amountColumn<TrialRow>({
    ...{ id: 'closing', title: 'Encerramento', side: true },
    amount: (row) => row.closing,
  });
  const balance = amountColumn<TrialRow>({
    ...{ id: 'balance', title: 'Saldo atual', side: true, look: 'strong', narrow: true },
    amount: (row) => row.balance,
  });
  const columns = [...plain, ...(hasClosing ? [closing] : []), balance];
  if (compared === undefined) return columns;
  return [
    ...columns,
    amountColumn<TrialRow>({
      ...{ id: 'compared', title: `Saldo em ${monthShort(compared)}`, side: true, look: 'faint' },
      amount: (row) => row.compared,
    }),
    {
      id: 'variation',
      title: 'Variação',
      text: (row) => variationText(row.compared, row.balance),
      align: 'end',
      look: 'faint',
    },
  ];
}

function Nothing({ isFiltered }: { readonly isFiltered: boolean }) {
  return isFiltered ? (
    <Empty title="Nenhuma conta com este texto">Esc no campo volta a mostrar todas.</Empty>
  ) : (
    <Empty title="Nenhuma conta com saldo ou movimento neste mês" />
  );
}
