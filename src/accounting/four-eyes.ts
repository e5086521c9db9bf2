import type { Centavos } from './money.ts';

/** What a branch may let wait for a second person. */
export const FOUR_EYES = ['MONTH_CLOSE', 'REOPENING', 'ARCHIVING', 'QUOTA', 'QUOTA_REPROCESSING'] as const;
export type FourEyesKind = (typeof FOUR_EYES)[number];

/** Every kind of request that may wait: also a change of these options, and lines of a batch above its limit. */
export const APPROVAL_KINDS = [...FOUR_EYES, 'OPTIONS', 'DRAFT'] as const;
export type ApprovalKind = (typeof APPROVAL_KINDS)[number];

/** What becomes of a request for approval. */
export const APPROVAL_STATES = ['PENDING', 'APPROVED', 'REJECTED', 'WITHDRAWN', 'EXPIRED'] as const;
export type ApprovalState = (typeof APPROVAL_STATES)[number];

/** The options of a branch. */
export interface FourEyes {
  readonly kinds: readonly FourEyesKind[];
  /** Total debits above which the lines of a batch wait; undefined: no limit. */
  readonly batchLimit: Centavos | undefined;
}

/** Whether less waits for a second person than before. */
export function isLoosened(before: FourEyes, after: FourEyes): boolean {
  if (before.kinds.some((kind) => !after.kinds.includes(kind))) return true;
  return before.batchLimit !== undefined && (after.batchLimit === undefined || after.batchLimit > before.batchLimit);
}
