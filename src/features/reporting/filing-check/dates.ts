// Days of a file: '31012025' becomes 20250131, which compares as a number.

/** 0 for what is no day of the calendar. */
export function dayOf(text: string): number {
  if (text.length !== 8) return 0;
  let digits = 0;
  for (let at = 0; at < 8; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) return 0;
    digits = digits * 10 + digit;
  }
  const day = Math.trunc(digits / 1_000_000);
  const month = Math.trunc(digits / 10_000) % 100;
  const year = digits % 10_000;
  if (month < 1 || month > 12 || day < 1 || day > lastDayOf(year, month)) return 0;
  return year * 10_000 + month * 100 + day;
}

export function lastDayOf(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

export const yearOf = (day: number) => Math.trunc(day / 10_000);
export const monthOf = (day: number) => Math.trunc(day / 100) % 100;
export const dayOfMonth = (day: number) => day % 100;
export const isFirstOfMonth = (day: number) => day % 100 === 1;
export const isLastOfMonth = (day: number) => dayOfMonth(day) === lastDayOf(yearOf(day), monthOf(day));

/** A number of its own for each day of a year, less than DAYS. */
export const dayNumber = (day: number) => (monthOf(day) - 1) * 31 + dayOfMonth(day) - 1;
export const DAYS = 372;
