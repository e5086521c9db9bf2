import type { Problem } from '../../../accounting/problem.ts';

/** What became of a calculation of all quotas of a day. */
export interface QuotaRunResult {
  readonly funds: number;
  readonly calculated: number;
  /** Those that had their quota already. */
  readonly kept: number;
  readonly failed: number;
  readonly failures: readonly FailedFund[];
}

export interface FailedFund extends Pick<Problem, 'code' | 'params'> {
  readonly branch: string;
}
