import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { ChartAccount } from '../../data/queries.ts';
import { Amount } from '../../ui/amount.tsx';
import { Button } from '../../ui/button.tsx';
import { DataGrid } from '../../ui/data-grid.tsx';
import { countText } from '../../ui/format.ts';
import { Empty, Failure, Loading } from '../../ui/states.tsx';
import { foundLinesQuery, type Ledger, type LedgerLine, type LedgerPlace, type LineFilter } from './ledger-data.ts';
import { lineColumns } from './line-columns.tsx';

interface FoundLinesProps {
  readonly ledger: Ledger;
  readonly place: LedgerPlace;
  readonly filter: LineFilter;
  readonly byId: (id: number) => ChartAccount | undefined;
  readonly isCompact: boolean;
  readonly isPrinting: boolean;
  readonly onPrinted: () => void;
  readonly onOpen: (line: LedgerLine) => void;
  readonly onMark: (line: LedgerLine | undefined) => void;
}

/** The lines that fit the filter, with their sums; a running balance would say nothing beside the gaps. */
export function FoundLines({
  ledger,
  place,
  filter,
  byId,
  isCompact,
  isPrinting,
  onPrinted,
  onOpen,
  onMark,
}: FoundLinesProps) {
  const { data, error, hasNextPage, isFetching, fetchNextPage, refetch } = useInfiniteQuery(
    foundLinesQuery(place, filter),
  );
  const rows = useMemo(() => withFirsts(data?.pages.flatMap(({ lines }) => lines) ?? []), [data]);
  const columns = lineColumns({
    ...{ byId, isCompact, hasAccounts: ledger.type === 'S', hasBranches: place.branch === '*', hasBalance: false },
    widest: ledger,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: prints what is shown
  useEffect(() => {
    if (!isPrinting) return;
    window.print();
    onPrinted();
  }, [isPrinting]);
  if (data === undefined) return error ? <Failure error={error} onRepeat={() => refetch()} /> : <Loading />;
  const totals = data.pages[0]?.totals;
  return (
    <>
      {error && <Failure error={error} onRepeat={() => refetch()} />}
      <DataGrid
        label="Lançamentos encontrados"
        columns={columns}
        rows={rows}
        keyOf={({ id }) => id}
        onOpen={onOpen}
        onMark={onMark}
        empty={<Empty title="Nenhum lançamento com este filtro" />}
      />
      {totals && (
        <p className="ledger-bar">
          <span>
            {rows.length < totals.lines ? `${countText(rows.length)} de ` : ''}
            {countText(totals.lines)} {totals.lines === 1 ? 'lançamento' : 'lançamentos'}
          </span>
          <span>
            débitos <Amount value={totals.debit} />
          </span>
          <span>
            créditos <Amount value={totals.credit} />
          </span>
          {hasNextPage && (
            <Button busy={isFetching} onClick={() => fetchNextPage()}>
              Mostrar mais
            </Button>
          )}
        </p>
      )}
    </>
  );
}

function withFirsts(lines: readonly LedgerLine[]): readonly LedgerLine[] {
  return lines.map((line, at) => ({ ...line, isFirstOfDay: lines[at - 1]?.day !== line.day }));
}
