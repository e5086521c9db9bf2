import type { Tone } from '../ui/badge.tsx';
import { countText } from '../ui/format.ts';
import { type BranchOverview, isUnderWay } from './months.ts';

// How far a branch's month is, step by step: the same words in the table and in the panel beside it.

/** What stands in a cell of a step. */
export interface StepMark {
  readonly tone: Tone;
  readonly text: string;
}

const NOTHING: StepMark = { tone: 'none', text: '–' };

/** The reports that a month is finished with. */
export const MONTH_REPORTS = {
  monthlyTrialBalance: 'Balancete',
  patrimonialBalance: 'Balanço',
  relatorioRazao: 'Razão',
  relatorioDiarioGeral: 'Diário',
} as const;
export type MonthReport = keyof typeof MONTH_REPORTS;

export function openedMark({ state }: BranchOverview): StepMark {
  return state === 'NOT_OPENED' ? { tone: 'none', text: 'não' } : { tone: 'done', text: 'sim' };
}

/** Business days: those of a weekend close with the next business day. */
export function daysMark({ state, businessDays, closedBusinessDays }: BranchOverview): StepMark {
  if (state === 'NOT_OPENED') return NOTHING;
  const text = `${closedBusinessDays}/${businessDays}`;
  if (closedBusinessDays === businessDays) return { tone: 'done', text };
  return { tone: closedBusinessDays === 0 || state === 'CLOSED' ? 'none' : 'open', text };
}

export function importsMark({ imports: { done, refused } }: BranchOverview): StepMark {
  if (refused > 0) return { tone: 'wrong', text: refused === 1 ? '1 recusada' : `${countText(refused)} recusadas` };
  if (done === 0) return NOTHING;
  return { tone: 'done', text: done === 1 ? '1 arquivo' : `${countText(done)} arquivos` };
}

export function balanceMark({ state, logicalEntries, difference }: BranchOverview): StepMark {
  if (state === 'NOT_OPENED') return NOTHING;
  if (isDifferent(difference)) return { tone: 'wrong', text: 'diferem' };
  return logicalEntries === 0 ? { tone: 'none', text: 'vazio' } : { tone: 'done', text: 'batem' };
}

export function isDifferent(difference: string): boolean {
  return !/^-?0(?:\.0+)?$/.test(difference);
}

export function closedMark({ state, purged, lastRun }: BranchOverview): StepMark {
  if (isUnderWay(lastRun)) return { tone: 'open', text: 'em curso' };
  if (state === 'CLOSED') return { tone: 'done', text: purged ? 'expurgado' : 'sim' };
  return lastRun?.status === 'ERROR' ? { tone: 'wrong', text: 'falhou' } : { tone: 'none', text: 'não' };
}

export function sealMark({ seal }: BranchOverview): StepMark {
  return seal === null ? NOTHING : { tone: 'seal', text: 'selado' };
}

export function rulesMark({ compliance }: BranchOverview): StepMark {
  if (compliance.length === 0) return NOTHING;
  const failed = failedRules(compliance);
  if (failed > 0) return { tone: 'open', text: failed === 1 ? '1 aponta' : `${countText(failed)} apontam` };
  return compliance.some(({ stale }) => stale) ? { tone: 'open', text: 'antigas' } : { tone: 'done', text: 'passaram' };
}

export function failedRules(compliance: BranchOverview['compliance']): number {
  return compliance.reduce((sum, { failed }) => sum + failed, 0);
}

export function reportsMark(overview: BranchOverview): StepMark {
  if (overview.state === 'NOT_OPENED') return NOTHING;
  const all = Object.keys(MONTH_REPORTS).length;
  const printed = printedReports(overview).size;
  return { tone: printed === all ? 'done' : printed > 0 ? 'open' : 'none', text: `${printed} de ${all}` };
}

/** Those of MONTH_REPORTS that were printed of the closed month as it stands. */
export function printedReports({ reports }: BranchOverview): ReadonlySet<string> {
  return new Set(reports.filter(({ tipo, stale }) => tipo in MONTH_REPORTS && !stale).map(({ tipo }) => tipo));
}

export function missingReports(overview: BranchOverview): readonly MonthReport[] {
  const printed = printedReports(overview);
  return (Object.keys(MONTH_REPORTS) as MonthReport[]).filter((tipo) => !printed.has(tipo));
}
