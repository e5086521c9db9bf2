import { useQuery } from '@tanstack/react-query';
import {
  addMonths,
  daysBetween,
  lastDay,
  type Month,
  monthOfDay,
  todayInSaoPaulo,
} from '../../../src/accounting/period.ts';
import { type BranchStates, monthStatesQuery } from '../../data/months.ts';
import { useGo, usePlace } from '../../data/place.ts';
import { monthsOfYear } from '../../data/queries.ts';
import { AwaitingApproval } from '../../ui/awaiting-approval.tsx';
import { monthTitle, sentence } from '../../ui/format.ts';
import type { KeyBinding } from '../../ui/keys.tsx';
import { Panel, Screen } from '../../ui/screen.tsx';
import { Empty, Result } from '../../ui/states.tsx';
import { Changes } from './changes.tsx';
import { MonthMatrix } from './month-matrix.tsx';
import { ToDoList } from './to-do-list.tsx';
import './home.css';

/** How far back months are looked for that wait. */
const RECENT = 24;

const KEYS: readonly KeyBinding[] = [
  { keys: ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'], shown: '← ↑ ↓ →', label: 'filial e mês' },
  { keys: 'Enter', label: 'abre o fechamento' },
];

/** Branches by the months of the year, what is to be done, and what has changed. */
export function HomeScreen() {
  const { company, month } = usePlace();
  const go = useGo();
  const year = monthsOfYear(month);
  const today = todayInSaoPaulo(new Date());
  const now = monthOfDay(today);
  const states = useQuery(monthStatesQuery(company, year[0]!, year.at(-1)!));
  const recent = useQuery(monthStatesQuery(company, addMonths(now, -RECENT), addMonths(now, 1)));
  const waiting = recent.data && oldestOpen(recent.data);
  return (
    <Screen title={headline(recent.data, waiting, today)} name="Início" subtitle={null} keys={KEYS}>
      <Panel title={`Meses de ${month.slice(0, 4)}`}>
        <Result query={states} rows={4}>
          {(branches) =>
            branches.length === 0 ? (
              <Empty title="Nenhuma filial com livros">
                Uma filial aparece aqui quando tem plano de contas e mês base em suas opções.
              </Empty>
            ) : (
              <MonthMatrix
                branches={branches}
                months={year}
                onOpen={(branch, of) => go({ branch, month: of, screen: 'fechamento', search: {} })}
              />
            )
          }
        </Result>
      </Panel>
      <AwaitingApproval />
      <div className="home-columns">
        <Panel title="Para fazer">
          <Result query={recent} rows={4}>
            {(branches) => <ToDoList branches={branches} waiting={waiting} now={now} />}
          </Result>
        </Panel>
        <Panel title="O que mudou">
          <Changes />
        </Panel>
      </div>
    </Screen>
  );
}

function oldestOpen(branches: readonly BranchStates[]): Month | undefined {
  const open = branches.flatMap(({ months }) =>
    months.filter(({ state }) => state === 'OPEN').map((each) => each.month),
  );
  return open.sort()[0] as Month | undefined;
}

/** 'Outubro acabou há 21 dias e espera o fechamento'. */
function headline(branches: readonly BranchStates[] | undefined, waiting: Month | undefined, today: string): string {
  if (branches === undefined) return 'Início';
  if (waiting === undefined) return branches.length === 0 ? 'Nenhum livro ainda' : 'Nenhum mês aberto';
  const name = sentence(waiting.slice(0, 4) === today.slice(0, 4) ? monthName(waiting) : monthTitle(waiting));
  const days = daysBetween(lastDay(waiting), today as ReturnType<typeof lastDay>);
  if (days <= 0) return `${name} está em curso`;
  return `${name} acabou há ${days === 1 ? '1 dia' : `${days} dias`} e espera o fechamento`;
}

function monthName(month: Month): string {
  return monthTitle(month).split(' ')[0]!;
}
