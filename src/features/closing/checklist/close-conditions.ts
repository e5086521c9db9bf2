import { addMonths, type Month, slashOf } from '../../../accounting/period.ts';
import { type Problem, problem } from '../../../accounting/problem.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import type { BranchKey } from '../../access/access.ts';
import type { BalanceBaseline } from '../balances/balances.read.sql.ts';
import { checkEntries } from '../month-close/prove-entries.read.sql.ts';
import { type CloseFindings, findingsOfClose } from './findings-of-close.ts';

/** Maximum number of unbalanced entries that a rejection names. */
const MAX_NAMED = 5;

/** What a month close looks at before it computes anything; `lines` and logical `entries` count those of the month. */
export interface CloseConditions extends CloseFindings {
  readonly lines: number;
  readonly entries: number;
}

/**
 * Every reason against closing an open month of the branch, for the close itself and for its preview. `counted` is called
 * when the lines of the month have been read.
 */
export async function closeConditions(
  sql: Sql,
  branch: BranchKey,
  month: Month,
  baseline: BalanceBaseline,
  counted: (lines: number) => void = () => {},
): Promise<CloseConditions> {
  const previous = addMonths(month, -1);
  const isPreviousOpen = month !== baseline.baseMonth && baseline.closed !== previous;
  const checked = await checkEntries(sql, branch, month, MAX_NAMED);
  counted(checked.lines);
  const { problems, warning } = await findingsOfClose(sql, branch, month);
  return {
    lines: checked.lines,
    entries: checked.entries,
    problems: [
      ...(isPreviousOpen ? [problem('PREVIOUS_MONTH_OPEN', { month: slashOf(previous) })] : []),
      ...checked.unbalanced.map(
        ({ batch, document, entry, ...sums }): Problem =>
          problem('UNBALANCED_ENTRY', { entry: `${entry} (${batch}/${document})`, ...sums }),
      ),
      ...problems,
    ],
    warning,
  };
}
