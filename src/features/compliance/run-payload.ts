import type { BranchId } from '../../accounting/ids.ts';

/** Without a document: the rules that run on their own after a month close, each for its documents. */
export interface RunPayload {
  readonly documentId: number | null;
  readonly branchIds: readonly BranchId[];
}

/** What a finished run in the background answers. */
export interface RunSummary {
  readonly processes: readonly number[];
}
