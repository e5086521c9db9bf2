import { useMutation } from '@tanstack/react-query';
import { type Day, type Month, monthNumberOf, slashOf, yearOf } from '../../../src/accounting/period.ts';
import { api } from '../../data/client.ts';
import type { BranchOverview } from '../../data/months.ts';
import { useMonthsChanged } from '../../data/months-changed.ts';
import { usePlace } from '../../data/place.ts';
import { dayText, monthTitle, sentence } from '../../ui/format.ts';
import { messageOf } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';

// What may be done to a month. Everything is shown as done when the server has said so; then all readings of months are
// read again.

type Branch = Pick<BranchOverview, 'branch'>;

/** Closes a day of the branch, the one that the caller sees as the current one; the notice offers to open it again. */
export function useCloseDay() {
  const { company } = usePlace();
  const changed = useMonthsChanged();
  const reopen = useReopenDay();
  return useMutation({
    mutationFn: ({ branch, day }: Branch & { readonly day: Day }) =>
      api.movements.closeCurrentDay({ path: { company, branch }, body: { day } }),
    onSuccess: ({ day }, { branch }) => {
      const run = () => reopen.mutate({ branch, day: day as Day });
      toast(`Dia ${dayText(day)} fechado na filial ${branch}`, { action: { text: 'Reabrir', run } });
    },
    onError: (error) => toast(messageOf(error), { tone: 'wrong' }),
    onSettled: changed,
  });
}

export function useReopenDay() {
  const { company } = usePlace();
  const changed = useMonthsChanged();
  return useMutation({
    mutationFn: ({ branch, day }: Branch & { readonly day: Day }) =>
      api.masterdata.saveCalendarDay({ path: { company, branch }, body: { date: day, status: 'A' } }),
    onSuccess: (_, { branch, day }) => toast(`Dia ${dayText(day)} reaberto na filial ${branch}`),
    onError: (error) => toast(messageOf(error), { tone: 'wrong' }),
    onSettled: changed,
  });
}

/** Asks for the close of the month of one branch. Rejects with what stands against it. */
export function useCloseMonth(expect: (branch: string, run: number) => void) {
  const { company, month } = usePlace();
  const changed = useMonthsChanged();
  return useMutation({
    mutationFn: async ({ branch }: Branch) => {
      const body = { year: String(yearOf(month)), month: String(monthNumberOf(month)).padStart(2, '0') };
      return await api.movements.closeMonth({ body: { company, branch, ...body } });
    },
    onSuccess: ({ id }, { branch }) => expect(branch, id),
    onSettled: changed,
  });
}

/** Opens the next month of the branch. */
export function useOpenMonth() {
  const { company } = usePlace();
  const changed = useMonthsChanged();
  return useMutation({
    mutationFn: ({ branch, month }: Branch & { readonly month: Month }) =>
      api.movements.openMonth({ path: { company, branch }, body: { newyearmonth: slashOf(month), confirmed: false } }),
    onSuccess: (_, { branch, month }) => toast(`${sentence(monthTitle(month))} aberto na filial ${branch}`),
    onError: (error) => toast(messageOf(error), { tone: 'wrong' }),
    onSettled: changed,
  });
}
