import { type Centavos, centavosFromSql, decimalOf } from '../../../accounting/money.ts';
import { problem } from '../../../accounting/problem.ts';
import type { FileProblems } from './staged-row.ts';

/** What the sender says that a file has: what it leaves out is not checked. */
export interface ControlTotals {
  /** Rows with data, as the import counts them. */
  readonly rows?: number | undefined;
  /** Sums of the lines that the rows stand for: a row with an offset account counts on both sides. */
  readonly debits?: Centavos | undefined;
  readonly credits?: Centavos | undefined;
}

/**
 * Reports each total that differs. Sums are compared only when no row is at fault: a wrong row is not in them, and
 * its own message says more.
 */
export function checkControlTotals(
  control: ControlTotals | undefined,
  found: { readonly rows: number; readonly debits: string; readonly credits: string },
  problems: FileProblems,
): void {
  if (control === undefined) return;
  const isRight = problems.count === 0;
  if (control.rows !== undefined && control.rows !== found.rows) {
    const differs = problem('CONTROL_COUNT_DIFFERS', { said: control.rows, found: found.rows });
    problems.add({ row: 1, place: 'controlRows', problem: differs });
  }
  if (!isRight) return;
  for (const [side, place] of [
    ['debits', 'controlDebits'],
    ['credits', 'controlCredits'],
  ] as const) {
    const said = control[side];
    if (said === undefined || said === centavosFromSql(found[side])) continue;
    const differs = problem('CONTROL_SUM_DIFFERS', { value: decimalOf(said), sum: found[side] });
    problems.add({ row: 1, place, problem: differs });
  }
}
