import { addMonths, type Month } from '../../../src/accounting/period.ts';
import { isDifferent, missingReports } from '../../data/month-steps.ts';
import type { BranchOverview, BranchStates } from '../../data/months.ts';
import { countText, monthTitle } from '../../ui/format.ts';
import type { IconName } from '../../ui/icon.tsx';

/** Something to be done, and where it is done. */
export interface ToDo {
  readonly icon: IconName;
  readonly title: string;
  readonly detail: string;
  readonly screen: string;
  readonly branch: string;
  readonly month: Month;
  readonly search?: Readonly<Record<string, string>>;
}

interface ReadMonth {
  readonly month: Month;
  readonly branches: readonly BranchOverview[];
}

/** What the months that were read ask for: the close first, then what is wrong, then what is missing. */
export function toDosOf(
  read: readonly ReadMonth[],
  states: readonly BranchStates[],
  { waiting, now }: { readonly waiting: Month | undefined; readonly now: Month },
): readonly ToDo[] {
  return [
    ...read.filter(({ month }) => month === waiting && month < now).flatMap(toClose),
    ...toOpen(states, now),
    ...read.flatMap(toMend),
    ...read.flatMap(rulesToSee),
    ...read.flatMap(toPrint),
  ];
}

/** Branches that are named one by one. */
const NAMED = 3;

function toClose({ month, branches }: ReadMonth): ToDo[] {
  const open = branches.filter(({ state }) => state === 'OPEN');
  const [first] = open;
  if (first === undefined) return [];
  const detail =
    open.length > NAMED
      ? `${countText(open.length)} de ${countText(branches.length)} filiais abertas`
      : open.map(stepsLeft).join('; ');
  return [
    {
      icon: 'closing',
      title: `Fechar ${monthTitle(month)}`,
      detail,
      screen: 'fechamento',
      branch: first.branch,
      month,
    },
  ];
}

function stepsLeft({ branch, closedBusinessDays, businessDays, imports, difference }: BranchOverview): string {
  const left = [
    `${closedBusinessDays} de ${businessDays} dias fechados`,
    imports.refused > 0 ? 'importação recusada' : undefined,
    isDifferent(difference) ? 'débitos e créditos diferem' : 'falta consolidar',
  ];
  return `${branch}: ${left.filter((each) => each !== undefined).join(', ')}`;
}

/** Months up to the current one that are not open yet. */
function toOpen(states: readonly BranchStates[], now: Month): ToDo[] {
  const byMonth = new Map<Month, string[]>();
  for (const { branch, months } of states) {
    const last = months.at(-1)?.month as Month | undefined;
    if (last !== undefined && last < now)
      byMonth.set(addMonths(last, 1), [...(byMonth.get(addMonths(last, 1)) ?? []), branch]);
  }
  return [...byMonth].map(([month, branches]) => ({
    icon: 'plus',
    title: `Abrir ${monthTitle(month)}`,
    detail: branches.length > NAMED ? `${countText(branches.length)} filiais` : `filial ${branches.join(', ')}`,
    screen: 'fechamento',
    branch: branches[0]!,
    month,
  }));
}

function toMend({ month, branches }: ReadMonth): ToDo[] {
  return branches.flatMap(({ branch, state, lastRun, imports, difference }): ToDo[] => [
    ...(state === 'OPEN' && lastRun?.status === 'ERROR'
      ? [
          {
            icon: 'alert',
            title: `A filial ${branch} não consolidou ${monthTitle(month)}`,
            detail: lastRun.message ?? 'sem motivo registrado',
            screen: 'fechamento',
            branch,
            month,
          } as const,
        ]
      : []),
    ...(imports.refused > 0
      ? [
          {
            icon: 'alert',
            title: `${imports.refused === 1 ? '1 importação recusada' : `${countText(imports.refused)} importações recusadas`} na filial ${branch}`,
            detail: `${monthTitle(month)}: nada foi gravado; corrija o arquivo e importe de novo`,
            screen: 'importar',
            branch,
            month,
          } as const,
        ]
      : []),
    ...(isDifferent(difference)
      ? [
          {
            icon: 'alert',
            title: `Débitos e créditos diferem na filial ${branch}`,
            detail: monthTitle(month),
            screen: 'lancamentos',
            branch,
            month,
          } as const,
        ]
      : []),
  ]);
}

function rulesToSee({ month, branches }: ReadMonth): ToDo[] {
  return branches.flatMap(({ branch, compliance }) =>
    compliance
      .filter(({ failed }) => failed > 0)
      .map(
        ({ processId, document, passed, failed }): ToDo => ({
          icon: 'rules',
          title: `${failed === 1 ? '1 regra aponta' : `${countText(failed)} regras apontam`} algo na filial ${branch}`,
          detail: `documento ${document} de ${monthTitle(month)}; ${countText(passed)} passaram`,
          screen: 'regras',
          branch,
          month,
          search: { processo: String(processId) },
        }),
      ),
  );
}

function toPrint({ month, branches }: ReadMonth): ToDo[] {
  const missing = branches.filter((each) => each.state === 'CLOSED' && missingReports(each).length > 0);
  const [first] = missing;
  if (first === undefined) return [];
  const where =
    missing.length > NAMED
      ? `${countText(missing.length)} filiais`
      : `filial ${missing.map(({ branch }) => branch).join(', ')}`;
  return [
    {
      icon: 'print',
      title: `Imprimir os relatórios de ${monthTitle(month)}`,
      detail: where,
      screen: 'fechamento',
      branch: first.branch,
      month,
    },
  ];
}
