declare const unit: unique symbol;

/** A month as 'YYYY-MM'; text order is time order. What makes one is here, in the fields of the doors and in rows of SQL. */
export type Month = string & { readonly [unit]: 'month' };

/** A calendar day as 'YYYY-MM-DD'; text order is time order. Made where months are. */
export type Day = string & { readonly [unit]: 'day' };

/** Before every day that can be posted to. */
export const BEFORE_ALL_DAYS = '0001-01-01' as Day;

const FIRST_YEAR = 1900;
const LAST_YEAR = 9999;

export function monthOf(year: number, month: number): Month | undefined {
  if (!Number.isInteger(year) || year < FIRST_YEAR || year > LAST_YEAR) return undefined;
  if (!Number.isInteger(month) || month < 1 || month > 12) return undefined;
  return monthText(year, month);
}

/** From 'MM/YYYY'. */
export function monthFromSlash(text: string): Month | undefined {
  const match = /^(\d{2})\/(\d{4})$/.exec(text);
  return match === null ? undefined : monthOf(Number(match[2]), Number(match[1]));
}

/** From 'YYYY-MM'. */
export function monthFromIso(text: string): Month | undefined {
  const match = /^(\d{4})-(\d{2})$/.exec(text);
  return match === null ? undefined : monthOf(Number(match[1]), Number(match[2]));
}

/** 'MM/YYYY'. */
export function slashOf(month: Month): string {
  return `${month.slice(-2)}/${month.slice(0, -3)}`;
}

export function yearOf(month: Month): number {
  return Number(month.slice(0, -3));
}

export function monthNumberOf(month: Month): number {
  return Number(month.slice(-2));
}

export function addMonths(month: Month, count: number): Month {
  const index = indexOf(month) + count;
  return monthText(Math.floor(index / 12), (index % 12) + 1);
}

/** How many months `to` lies after `from`; negative when before it. */
export function monthsBetween(from: Month, to: Month): number {
  return indexOf(to) - indexOf(from);
}

/** Every month from the first to the last, both included; empty when the first is after the last. */
export function monthRange(from: Month, to: Month): Month[] {
  const length = Math.max(0, monthsBetween(from, to) + 1);
  return Array.from({ length }, (_, offset) => addMonths(from, offset));
}

export function firstDay(month: Month): Day {
  return dayText(month, 1);
}

export function lastDay(month: Month): Day {
  return dayText(month, daysInMonth(month));
}

export function daysOf(month: Month): Day[] {
  return Array.from({ length: daysInMonth(month) }, (_, offset) => dayText(month, offset + 1));
}

/** The day of that number in the month, or undefined (there is no 31/02). */
export function dayIn(month: Month, dayNumber: number): Day | undefined {
  if (!Number.isInteger(dayNumber) || dayNumber < 1 || dayNumber > daysInMonth(month)) return undefined;
  return dayText(month, dayNumber);
}

/** That day, or undefined where the calendar has none. */
export function dayOf(year: number, month: number, dayNumber: number): Day | undefined {
  const of = monthOf(year, month);
  return of === undefined ? undefined : dayIn(of, dayNumber);
}

/** From 'YYYY-MM-DD', only when the calendar has that day. */
export function dayFromIso(text: string): Day | undefined {
  const match = /^(\d{4}-\d{2})-(\d{2})$/.exec(text);
  const month = match === null ? undefined : monthFromIso(match[1]!);
  return month === undefined ? undefined : dayIn(month, Number(match![2]));
}

export function monthOfDay(day: Day): Month {
  return day.slice(0, -3) as Month;
}

export function dayNumberOf(day: Day): number {
  return Number(day.slice(-2));
}

export function addDays(day: Day, count: number): Day {
  const date = dateOf(day);
  date.setUTCDate(date.getUTCDate() + count);
  return date.toISOString().slice(0, 10) as Day;
}

/** How many days the second day is after the first. */
export function daysBetween(from: Day, to: Day): number {
  return (Date.parse(to) - Date.parse(from)) / 86_400_000;
}

/** 0 is Sunday, 6 is Saturday. */
export function weekdayOf(day: Day): 0 | 1 | 2 | 3 | 4 | 5 | 6 {
  return dateOf(day).getUTCDay() as 0 | 1 | 2 | 3 | 4 | 5 | 6;
}

/** 'dd/MM/yyyy'. */
export function brazilianDate(day: Day): string {
  return day.split('-').reverse().join('/');
}

/** 'YYYY.MM.DD', the date shape of the legacy integration. */
export function dotDate(day: Day): string {
  return day.replaceAll('-', '.');
}

/** The civil day in America/Sao_Paulo, the time zone of the Brazilian financial system. */
export function todayInSaoPaulo(now: Date): Day {
  const parts = Object.fromEntries(saoPaulo.formatToParts(now).map(({ type, value }) => [type, value]));
  return `${parts.year}-${parts.month}-${parts.day}` as Day;
}

const saoPaulo = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/Sao_Paulo',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
});

function daysInMonth(month: Month): number {
  return new Date(Date.UTC(yearOf(month), monthNumberOf(month), 0)).getUTCDate();
}

function dateOf(day: Day): Date {
  return new Date(`${day}T00:00:00Z`);
}

function indexOf(month: Month): number {
  return yearOf(month) * 12 + monthNumberOf(month) - 1;
}

function monthText(year: number, month: number): Month {
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}` as Month;
}

function dayText(month: Month, dayNumber: number): Day {
  return `${month}-${String(dayNumber).padStart(2, '0')}` as Day;
}
