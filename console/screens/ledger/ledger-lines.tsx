import { useEffect, useMemo, useRef, useState } from 'react';
import { dayNumberOf, lastDay, monthOfDay } from '../../../src/accounting/period.ts';
import type { ChartAccount } from '../../data/queries.ts';
import { DataGrid, type GridHandle } from '../../ui/data-grid.tsx';
import { countText } from '../../ui/format.ts';
import { usePages } from '../../ui/grid-rows.ts';
import { Empty, Failure, messageOf } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { type Ledger, type LedgerLine, type LedgerPlace, PAGE, readLines } from './ledger-data.ts';
import { lineColumns } from './line-columns.tsx';

interface LedgerLinesProps {
  readonly ledger: Ledger;
  readonly place: LedgerPlace;
  readonly byId: (id: number) => ChartAccount | undefined;
  readonly isCompact: boolean;
  readonly isPrinting: boolean;
  readonly onPrinted: () => void;
  readonly onOpen: (line: LedgerLine) => void;
  readonly onMark: (line: LedgerLine | undefined) => void;
}

/** Largest page that the server gives. */
const PRINT_PAGE = 1_000;
/** Longer ledgers are printed as a report. */
const MOST_PRINTED = 5_000;

/** All lines of the month with the running balance, a page at a time; any day is one reading away. */
export function LedgerLines({
  ledger,
  place,
  byId,
  isCompact,
  isPrinting,
  onPrinted,
  onOpen,
  onMark,
}: LedgerLinesProps) {
  const grid = useRef<GridHandle>(null);
  const firsts = useMemo(() => new Set(ledger.days.map(({ from }) => from)), [ledger]);
  const rows = usePages<LedgerLine>({
    count: ledger.lines,
    pageSize: PAGE,
    of: `${Object.values(place).join(' ')} ${ledger.version}`,
    load: async (page, signal) => {
      const lines = page === 0 ? ledger.first : await readLines(place, page * PAGE, PAGE, signal);
      return withFirsts(lines, page * PAGE, firsts);
    },
  });
  const whole = useWhole(place, ledger, firsts, isPrinting, onPrinted);
  const columns = lineColumns({
    ...{ byId, isCompact, hasAccounts: ledger.type === 'S', hasBranches: place.branch === '*', hasBalance: true },
    widest: ledger,
  });
  return (
    <>
      {rows.error ? <Failure error={rows.error} onRepeat={rows.repeat} /> : null}
      {ledger.lines > 0 && <DayJump ledger={ledger} onJump={(index) => grid.current?.markRow(index)} />}
      <DataGrid
        ref={grid}
        label="Razão"
        columns={columns}
        rows={whole ?? rows}
        keyOf={({ id }) => id}
        onOpen={onOpen}
        onMark={onMark}
        rowClass={({ isFirstOfDay }) => (isFirstOfDay ? 'ledger-first' : undefined)}
        empty={<Empty title="Nenhum lançamento nesta conta neste mês" />}
      />
    </>
  );
}

function withFirsts(lines: readonly LedgerLine[], from: number, firsts: ReadonlySet<number>): readonly LedgerLine[] {
  return lines.map((line, at) => ({ ...line, isFirstOfDay: firsts.has(from + at) }));
}

/** How many lines there are, and the days of the month that have any: each leads to its first line. */
function DayJump({ ledger, onJump }: { readonly ledger: Ledger; readonly onJump: (index: number) => void }) {
  const byDay = new Map(ledger.days.map((each) => [dayNumberOf(each.day), each]));
  const days = Array.from({ length: dayNumberOf(lastDay(monthOfDay(ledger.days[0]!.day))) }, (_, at) => at + 1);
  return (
    <div className="ledger-bar">
      <span className="ledger-count">
        {countText(ledger.lines)} {ledger.lines === 1 ? 'lançamento' : 'lançamentos'}
      </span>
      <div className="ledger-days" role="group" aria-label="Dias com lançamentos">
        {days.map((day) => {
          const found = byDay.get(day);
          return found === undefined ? null : (
            <button
              key={day}
              type="button"
              title={`${countText(found.lines)} no dia`}
              onClick={() => {
                onJump(found.from);
                document.querySelector<HTMLElement>('main .grid')?.focus();
              }}
            >
              {String(day).padStart(2, '0')}
            </button>
          );
        })}
      </div>
    </div>
  );
}

/** The lines for the printer: read whole, drawn, printed, and forgotten. */
function useWhole(
  place: LedgerPlace,
  ledger: Ledger,
  firsts: ReadonlySet<number>,
  isPrinting: boolean,
  onPrinted: () => void,
): readonly LedgerLine[] | undefined {
  const [whole, setWhole] = useState<readonly LedgerLine[]>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: begins when the printing is asked for
  useEffect(() => {
    if (!isPrinting) return;
    const gone = new AbortController();
    if (ledger.lines > MOST_PRINTED) {
      toast(`São ${countText(ledger.lines)} lançamentos: em Relatórios, o Razão sai como livro em PDF.`);
      onPrinted();
      return;
    }
    readWhole(place, ledger, firsts, gone.signal)
      .then(setWhole)
      .catch((error: unknown) => {
        if (gone.signal.aborted) return;
        toast(messageOf(error), { tone: 'wrong' });
        onPrinted();
      });
    return () => gone.abort();
  }, [isPrinting]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: prints what has just been drawn
  useEffect(() => {
    if (whole === undefined) return;
    window.print();
    setWhole(undefined);
    onPrinted();
  }, [whole]);
  return whole;
}

async function readWhole(
  place: LedgerPlace,
  { lines }: Ledger,
  firsts: ReadonlySet<number>,
  signal: AbortSignal,
): Promise<readonly LedgerLine[]> {
  const whole: LedgerLine[] = [];
  for (let from = 0; from < lines; from += PRINT_PAGE) {
    whole.push(...withFirsts(await readLines(place, from, PRINT_PAGE, signal), from, firsts));
  }
  return whole;
}
