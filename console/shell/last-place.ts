import { monthFromIso } from '../../src/accounting/period.ts';
import type { Place } from '../data/place.ts';

const KEY = 'partidas.place';

/** Company, branch and month that this browser was at last. */
export function lastPlace(): Omit<Place, 'screen'> | undefined {
  const [company, branch, text] = (localStorage.getItem(KEY) ?? '').split('/');
  const month = monthFromIso(text ?? '');
  return company && branch && month ? { company, branch, month } : undefined;
}

export function rememberPlace({ company, branch, month }: Place): void {
  localStorage.setItem(KEY, [company, branch, month].join('/'));
}
