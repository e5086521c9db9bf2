import { Link } from '@tanstack/react-router';
import { type KeyboardEvent, useId, useLayoutEffect, useRef } from 'react';
import type { Month } from '../../../src/accounting/period.ts';
import type { BranchStates } from '../../data/months.ts';
import { addressOf, usePlace } from '../../data/place.ts';
import { arriveAt } from '../../ui/arrival.ts';
import { classes } from '../../ui/classes.ts';
import { monthShort, monthTitle } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { useRemembered } from '../../ui/memory.ts';

interface MonthMatrixProps {
  readonly branches: readonly BranchStates[];
  readonly months: readonly Month[];
  readonly onOpen: (branch: string, month: Month) => void;
}

type State = 'closed' | 'purged' | 'open' | 'closing' | 'none';

const WORDS: Readonly<Record<State, string>> = {
  closed: 'consolidado',
  purged: 'expurgado',
  open: 'aberto',
  closing: 'consolidando',
  none: 'não aberto',
};

/** Branches by months; one stop of Tab, in which the arrows walk. Each cell opens the close of its month. */
export function MonthMatrix({ branches, months, onOpen }: MonthMatrixProps) {
  const { branch, month } = usePlace();
  const id = useId();
  const grid = useRef<HTMLDivElement>(null);
  const start = {
    row: Math.max(
      0,
      branches.findIndex((each) => each.branch === branch),
    ),
    column: Math.max(0, months.indexOf(month)),
  };
  const [mark, setMark] = useRemembered('Meses', start);
  const row = Math.min(mark.row, branches.length - 1);
  useLayoutEffect(() => {
    if (grid.current) arriveAt(grid.current);
  }, []);
  const moveTo = (to: { row: number; column: number }) => {
    const next = {
      row: Math.max(0, Math.min(branches.length - 1, to.row)),
      column: Math.max(0, Math.min(months.length - 1, to.column)),
    };
    setMark(next);
    grid.current
      ?.querySelector(`#${CSS.escape(`${id}-${next.row}-${next.column}`)}`)
      ?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (step) moveTo({ row: row + step[0], column: mark.column + step[1] });
    else if (event.key === 'Enter') onOpen(branches[row]!.branch, months[mark.column]!);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <div
        ref={grid}
        className="matrix"
        role="grid"
        aria-label="Filiais por meses"
        aria-activedescendant={`${id}-${row}-${mark.column}`}
        tabIndex={0}
        onKeyDown={onKeyDown}
      >
        <div className="matrix-row matrix-head" role="row">
          <span role="columnheader">Filial</span>
          {months.map((each) => (
            <span key={each} role="columnheader" className={narrowClass(each, month)}>
              {monthShort(each)}
            </span>
          ))}
        </div>
        {branches.map((each, at) => (
          <div key={each.branch} className="matrix-row" role="row">
            <span role="rowheader" className="matrix-branch" title={`${each.branch} ${each.name}`}>
              <span className="code">{each.branch}</span> {each.name}
            </span>
            {months.map((of, column) => (
              <MatrixCell
                key={of}
                id={`${id}-${at}-${column}`}
                branch={each}
                month={of}
                isMarked={at === row && column === mark.column}
                className={narrowClass(of, month)}
              />
            ))}
          </div>
        ))}
      </div>
      <p className="matrix-legend">
        {(['closed', 'open', 'none'] as const).map((state) => (
          <span key={state}>
            <span className={`matrix-sample matrix-${state}`} aria-hidden="true" /> {WORDS[state]}
          </span>
        ))}
      </p>
    </>
  );
}

const STEPS: Readonly<Record<string, readonly [row: number, column: number]>> = {
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
  PageDown: [10, 0],
  PageUp: [-10, 0],
  Home: [0, -12],
  End: [0, 12],
};

interface MatrixCellProps {
  readonly id: string;
  readonly branch: BranchStates;
  readonly month: Month;
  readonly isMarked: boolean;
  readonly className: string | undefined;
}

function MatrixCell({ id, branch, month, isMarked, className }: MatrixCellProps) {
  const { company } = usePlace();
  const state = stateOf(branch, month);
  const to = addressOf({ company, branch: branch.branch, month, screen: 'fechamento' });
  return (
    <span
      id={id}
      role="gridcell"
      aria-selected={isMarked}
      data-marked={isMarked || undefined}
      className={classes('matrix-cell', className)}
    >
      <Link
        to={to}
        preload={false}
        tabIndex={-1}
        className={`matrix-mark matrix-${state}`}
        title={`${branch.branch}, ${monthTitle(month)}: ${WORDS[state]}`}
      >
        {(state === 'closed' || state === 'purged') && <Icon name={state === 'closed' ? 'check' : 'folder'} />}
        {state === 'open' && <span className="matrix-ring" aria-hidden="true" />}
        {state === 'closing' && <Icon name="clock" />}
        <span className="visually-hidden">{`${branch.branch}, ${monthTitle(month)}: ${WORDS[state]}`}</span>
      </Link>
    </span>
  );
}

function stateOf({ months }: BranchStates, month: Month): State {
  const found = months.find((each) => each.month === month);
  if (found === undefined) return 'none';
  if (found.closing) return 'closing';
  if (found.state === 'OPEN') return 'open';
  return found.purged ? 'purged' : 'closed';
}

/** Where the page is narrow the quarter that the month of the address ends stays. */
function narrowClass(month: Month, here: Month): string | undefined {
  const first = Math.max(1, Math.min(9, Number(here.slice(5)) - 2));
  const number = Number(month.slice(5));
  return number >= first && number < first + 4 ? undefined : 'matrix-wide-only';
}
