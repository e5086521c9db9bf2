import type { Day } from '../../accounting/period.ts';
import { type Problem, problem } from '../../accounting/problem.ts';

/** A validity that ends before it begins. Ends that are not given are open. */
export function validityProblems(from: Day | null | undefined, to: Day | null | undefined): Problem[] {
  return from && to && from > to ? [problem('INVALID_DATE_RANGE', { from, to }, 'validTo')] : [];
}
