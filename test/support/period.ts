import { type Day, dayFromIso, type Month, monthFromIso } from '../../src/accounting/period.ts';

/** A month as tests write it: '2026-01'. */
export function month(text: string): Month {
  return monthFromIso(text) ?? missing(text);
}

/** A day as tests write it: '2026-01-31'. */
export function day(text: string): Day {
  return dayFromIso(text) ?? missing(text);
}

function missing(text: string): never {
  throw new Error(`the calendar has no ${text}`);
}
