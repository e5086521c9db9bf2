import { nationalDay } from '../../../src/accounting/holidays.ts';
import { addDays, type Day, dayFromIso, firstDay, lastDay } from '../../../src/accounting/period.ts';
import { usePlace } from '../../data/place.ts';
import { useSearchParams } from '../../data/search-params.ts';

export interface Span {
  readonly from: Day;
  readonly to: Day;
}

/** The days of the address: those of its month where it names none. */
export function useSpan(): Span {
  const { month } = usePlace();
  const [{ de, ate }] = useSearchParams();
  return { from: (de && dayFromIso(de)) || firstDay(month), to: (ate && dayFromIso(ate)) || lastDay(month) };
}

/** The business day after a day, by the national calendar: what is proposed, the branch's own calendar decides. */
export function businessDayAfter(day: Day): Day {
  let next = addDays(day, 1);
  while (!nationalDay(next).businessDay) next = addDays(next, 1);
  return next;
}
