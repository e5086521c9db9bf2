/** Lines of a day, in the order in which days are listed. */
interface DayOfLines {
  readonly lines: number;
}

/**
 * On which of the days a page of lines lies, as places in their list, and how many lines of these days come before it:
 * a page needs only its days to be sorted, however deep it lies. There must be a line at the offset.
 */
export function daysOfPage(
  days: readonly DayOfLines[],
  offset: number,
  size: number,
): { first: number; last: number; skipped: number } {
  let before = 0;
  let first = 0;
  while (before + days[first]!.lines <= offset) before += days[first++]!.lines;
  let last = first;
  for (let reached = before + days[first]!.lines; reached < offset + size && last + 1 < days.length; )
    reached += days[++last]!.lines;
  return { first, last, skipped: offset - before };
}
