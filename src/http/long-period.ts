import { type Month, monthsBetween } from '../accounting/period.ts';
import { rejectRequest } from './request-error.ts';

/** Rejects a period of more months than one request may have; the field is that of its end. */
export function rejectLongPeriod(from: Month, to: Month, most: number, field: string): void {
  if (monthsBetween(from, to) < most) return;
  rejectRequest('INVALID_FIELD', { reason: { en: `more than ${most} months`, pt: `mais de ${most} meses` } }, field);
}
