import { useQueryClient } from '@tanstack/react-query';
import { MONTHS_KEY } from './queries.ts';

/** Reads again whatever shows months: after a day, a month or a quota has changed. */
export function useMonthsChanged(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: [MONTHS_KEY] });
}
