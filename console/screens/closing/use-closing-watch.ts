import { useEffect, useRef, useState } from 'react';
import { type BranchOverview, isUnderWay } from '../../data/months.ts';
import { useMonthsChanged } from '../../data/months-changed.ts';
import { usePlace } from '../../data/place.ts';
import { monthTitle, sentence } from '../../ui/format.ts';
import { toast } from '../../ui/toast.tsx';

interface ClosingWatch {
  /** Branches that close now, and how many there were since none did. */
  readonly left: number;
  readonly total: number;
  /** A close was asked for: its end is told even where it comes before the table has seen it run. */
  readonly expect: (branch: string, run: number) => void;
}

/** Tells how each month close ends, whoever asked for it and also after a reload, and reads what it changed again. */
export function useClosingWatch(overviews: readonly BranchOverview[] | undefined): ClosingWatch {
  const { month } = usePlace();
  const changed = useMonthsChanged();
  const awaited = useRef(new Map<string, number>());
  const [counts, setCounts] = useState({ left: 0, total: 0 });
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each reading of the table
  useEffect(() => {
    const ended: BranchOverview[] = [];
    for (const overview of overviews ?? []) {
      const { branch, lastRun } = overview;
      if (lastRun === null) continue;
      if (isUnderWay(lastRun)) awaited.current.set(branch, lastRun.id);
      else if (lastRun.id >= (awaited.current.get(branch) ?? Number.POSITIVE_INFINITY)) ended.push(overview);
    }
    for (const { branch } of ended) awaited.current.delete(branch);
    const left = awaited.current.size;
    setCounts(({ total }) => ({ left, total: left === 0 ? 0 : Math.max(total, left + ended.length) }));
    if (ended.length === 0) return;
    tellEnds(ended, monthTitle(month));
    void changed();
  }, [overviews]);
  return { ...counts, expect: (branch, run) => awaited.current.set(branch, run) };
}

function tellEnds(ended: readonly BranchOverview[], month: string): void {
  const closed = ended.filter(({ lastRun }) => lastRun?.status === 'DONE');
  if (closed.length > 0) {
    const where = closed.length === 1 ? `na filial ${closed[0]!.branch}` : `em ${closed.length} filiais`;
    toast(`${sentence(month)} consolidado ${where}`);
  }
  for (const { branch, lastRun } of ended) {
    if (lastRun?.status !== 'ERROR') continue;
    toast(`A filial ${branch} não consolidou: ${lastRun.message ?? ''}`, { tone: 'wrong' });
  }
}
