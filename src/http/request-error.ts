import type { ProblemCode } from '../accounting/problem.ts';
import { type WireParams, type WireProblem, wireProblem } from './problem-details.ts';

/** A request that is rejected before any use case sees it: its problems name wire fields. */
export class RequestError extends Error {
  readonly problems: readonly WireProblem[];
  /** Of the response; absent: that of the first problem. */
  readonly status: number | undefined;

  constructor(problems: readonly WireProblem[], status?: number) {
    super(problems.map(({ code, field }) => `${code}${field ? ` (${field})` : ''}`).join(', '));
    this.name = 'RequestError';
    this.problems = problems;
    this.status = status;
  }
}

/** Throws a RequestError with one problem; reads well after `??`. */
export function rejectRequest<Code extends ProblemCode>(code: Code, params: WireParams<Code>, field?: string): never {
  throw new RequestError([wireProblem(code, params, field)]);
}
