import { useQuery } from '@tanstack/react-query';
import { addMonths, type Month, yearOf } from '../../src/accounting/period.ts';
import { useGo, usePlace } from '../data/place.ts';
import { branchMonthsQuery, type MonthState, monthsOfYear, stateOfMonth } from '../data/queries.ts';
import { monthShort, monthTitle } from '../ui/format.ts';
import { Icon } from '../ui/icon.tsx';

const STATE_TEXT: Readonly<Record<MonthState, string>> = {
  OPEN: 'aberto',
  CLOSED: 'consolidado',
  NONE: 'não aberto',
};

/** The twelve months of the year with their state; the search of the address stays where it still fits. */
export function MonthRuler() {
  const { company, branch, month } = usePlace();
  const go = useGo();
  const { data } = useQuery(branchMonthsQuery(company, branch));
  const year = yearOf(month);
  const toYear = (by: number) => go({ month: addMonths(month, 12 * by) });
  return (
    <nav className="ruler" aria-label="Meses">
      <button type="button" aria-label={`Ano de ${year - 1}`} onClick={() => toYear(-1)}>
        <Icon name="left" />
      </button>
      <strong>{year}</strong>
      <ol>
        {monthsOfYear(month).map((each) => (
          <RulerMonth key={each} month={each} isHere={each === month} state={data && stateOfMonth(data, each)} />
        ))}
      </ol>
      <button type="button" aria-label={`Ano de ${year + 1}`} onClick={() => toYear(1)}>
        <Icon name="right" />
      </button>
    </nav>
  );
}

interface RulerMonthProps {
  readonly month: Month;
  readonly isHere: boolean;
  readonly state: MonthState | undefined;
}

function RulerMonth({ month, isHere, state }: RulerMonthProps) {
  const go = useGo();
  const title = `${monthTitle(month)}${state === undefined ? '' : `: ${STATE_TEXT[state]}`}`;
  return (
    <li>
      <button
        type="button"
        className={`ruler-month ruler-${(state ?? 'NONE').toLowerCase()}`}
        aria-current={isHere ? 'date' : undefined}
        title={title}
        onClick={() => go({ month })}
      >
        <span aria-hidden="true">{monthShort(month)}</span>
        <span className="visually-hidden">{title}</span>
      </button>
    </li>
  );
}
