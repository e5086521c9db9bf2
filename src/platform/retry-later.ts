import type { Problem } from '../accounting/problem.ts';

/** Asks the client to come again: seconds for the Retry-After header. */
export class RetryLater extends Error {
  readonly problem: Problem;
  readonly seconds: number;

  constructor(reason: Problem, seconds: number) {
    super(reason.code);
    this.problem = reason;
    this.seconds = seconds;
  }
}
