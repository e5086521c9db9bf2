import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { addMonths, type Month } from '../../../src/accounting/period.ts';
import { type BranchStates, monthOverviewsQuery } from '../../data/months.ts';
import { addressOf, usePlace } from '../../data/place.ts';
import { screenAt } from '../../routes.tsx';
import { countText } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { Empty, Failure, Loading } from '../../ui/states.tsx';
import { type ToDo, toDosOf } from './to-dos.ts';

/** Shown before the rest is counted. */
const SHOWN = 12;

interface ToDoListProps {
  readonly branches: readonly BranchStates[];
  /** The oldest month that is open anywhere. */
  readonly waiting: Month | undefined;
  readonly now: Month;
}

/** What the oldest open month and the one before it ask for. */
export function ToDoList({ branches, waiting, now }: ToDoListProps) {
  const { company } = usePlace();
  const last = waiting === undefined ? lastOpened(branches) : addMonths(waiting, -1);
  const months = [waiting, last].filter((month) => month !== undefined);
  const queries = useQueries({ queries: months.map((month) => monthOverviewsQuery(company, month)) });
  const failed = queries.find(({ error }) => error);
  if (failed) return <Failure error={failed.error} onRepeat={() => failed.refetch()} />;
  if (queries.some(({ data }) => data === undefined)) return <Loading rows={4} />;
  const read = queries.map(({ data }, at) => ({ month: months[at]!, branches: data ?? [] }));
  const toDos = toDosOf(read, branches, { waiting, now });
  if (toDos.length === 0) return <Empty title="Nada a fazer">O que já foi aberto está em ordem.</Empty>;
  return (
    <ul className="to-dos">
      {toDos.slice(0, SHOWN).map((toDo) => (
        <ToDoEntry key={`${toDo.title} ${toDo.detail}`} toDo={toDo} />
      ))}
      {toDos.length > SHOWN && <li className="to-do-rest">{`e mais ${countText(toDos.length - SHOWN)}`}</li>}
    </ul>
  );
}

function ToDoEntry({ toDo: { icon, title, detail, screen, branch, month, search } }: { readonly toDo: ToDo }) {
  const { company } = usePlace();
  // Where the console has no such screen, the steps of the month say more.
  const to = screenAt(screen) === undefined ? 'fechamento' : screen;
  return (
    <li>
      <Link to={addressOf({ company, branch, month, screen: to }, search)} preload={false} className="to-do">
        <Icon name={icon} />
        <span className="to-do-words">
          <strong>{title}</strong>
          <small>{detail}</small>
        </span>
        <Icon name="right" />
      </Link>
    </li>
  );
}

function lastOpened(branches: readonly BranchStates[]): Month | undefined {
  return branches
    .flatMap(({ months }) => months.map(({ month }) => month))
    .sort()
    .at(-1) as Month | undefined;
}
