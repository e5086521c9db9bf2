import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { addMonths } from '../../../src/accounting/period.ts';
import { type BranchStates, monthOverviewsQuery, monthStatesQuery } from '../../data/months.ts';
import { usePlace } from '../../data/place.ts';
import { monthTitle } from '../../ui/format.ts';
import { toast } from '../../ui/toast.tsx';
import { sentence, useMonthsChanged } from './closing-actions.ts';

interface ClosingWatch {
  /** The states of this month and the one before it. */
  readonly states: readonly BranchStates[];
  /** Branches that close now, and how many there were since none did. */
  readonly left: number;
  readonly total: number;
}

const NONE: readonly BranchStates[] = [];

/**
 * Watches which branches close the month, whoever asked for it and also after a reload; says how each has ended and reads
 * the table again.
 */
export function useClosingWatch(): ClosingWatch {
  const { company, month } = usePlace();
  const client = useQueryClient();
  const changed = useMonthsChanged();
  const { data: states = NONE } = useQuery(monthStatesQuery(company, addMonths(month, -1), month));
  const closing = states
    .filter(({ months }) => months.some((each) => each.month === month && each.closing))
    .map(({ branch }) => branch);
  const before = useRef<readonly string[]>([]);
  const [total, setTotal] = useState(0);
  const key = closing.join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the branches that close are others
  useEffect(() => {
    const ended = before.current.filter((branch) => !closing.includes(branch));
    before.current = closing;
    setTotal((most) => (closing.length === 0 ? 0 : Math.max(most, closing.length)));
    if (ended.length === 0) return;
    const tell = async () => {
      await changed();
      const overviews = await client.fetchQuery(monthOverviewsQuery(company, month));
      const closed = overviews.filter(({ branch, state }) => ended.includes(branch) && state === 'CLOSED');
      if (closed.length > 0) {
        const where = closed.length === 1 ? `na filial ${closed[0]!.branch}` : `em ${closed.length} filiais`;
        toast(`${sentence(monthTitle(month))} consolidado ${where}`);
      }
      for (const { branch, state, lastRun } of overviews) {
        if (ended.includes(branch) && state === 'OPEN' && lastRun?.status === 'ERROR') {
          toast(`A filial ${branch} não consolidou: ${lastRun.message ?? ''}`, { tone: 'wrong' });
        }
      }
    };
    void tell();
  }, [key]);
  return { states, left: closing.length, total };
}
