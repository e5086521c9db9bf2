import type { Day } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import type { BranchKey, BranchSet } from '../../access/access.ts';
import {
  countLinesByDay,
  type FoundLine,
  type LineDirection,
  type LineFilter,
  type LineKey,
  selectFoundLines,
} from './find-lines.read.sql.ts';

/** Maximum number of lines in memory per chunk of a whole listing. */
const PART_LINES = 5_000;

/**
 * All lines of a filter after the given key, in chunks. Each chunk sorts the lines of its own few days: sorting the
 * whole period for every chunk would cost the square of its lines.
 */
export async function* findAllLines(
  sql: Sql,
  branches: BranchKey | BranchSet,
  filter: LineFilter,
  start: LineKey | undefined,
  direction: LineDirection,
): AsyncGenerator<FoundLine[]> {
  const sections = sectionsOf(await countLinesByDay(sql, branches, filter, start, direction));
  for (const { from, to } of direction === 'ASC' ? sections : sections.toReversed()) {
    let after = start;
    for (;;) {
      const lines = await selectFoundLines(sql, branches, { ...filter, from, to }, after, PART_LINES, direction);
      const last = lines.at(-1);
      if (last === undefined) break;
      yield lines;
      if (lines.length < PART_LINES) break;
      after = last;
    }
  }
}

/** Neighbouring days together while their lines fit into one part; a day of more lines is alone. */
function sectionsOf(days: readonly { day: Day; lines: number }[]): { from: Day; to: Day; lines: number }[] {
  const parts: { from: Day; to: Day; lines: number }[] = [];
  for (const { day, lines } of days) {
    const open = parts.at(-1);
    if (open && open.lines + lines <= PART_LINES)
      parts[parts.length - 1] = { ...open, to: day, lines: open.lines + lines };
    else parts.push({ from: day, to: day, lines });
  }
  return parts;
}
