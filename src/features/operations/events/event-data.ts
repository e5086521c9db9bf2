import type { ApprovalKind } from '../../../accounting/four-eyes.ts';
import type { Day, Month } from '../../../accounting/period.ts';

/** Where a document stands, by ids and numbers. */
export interface DocumentPlace {
  readonly month: Month;
  readonly batchId: number;
  readonly batch: string;
  readonly documentId: number;
  readonly document: string;
}

/** A logical entry of a document. */
export interface NamedEntry {
  readonly entry: string;
  readonly day: Day;
  /** The feeding system and its key, where the entry has them. */
  readonly origin?: string;
  readonly externalId?: string;
}

/** Entries of one document that were posted together, at most ENTRIES_OF_EVENT in each event. */
interface PostedEntries extends DocumentPlace {
  readonly source: 'ENTRY' | 'BULK' | 'TEMPLATE' | 'REVERSAL' | 'CLOSING';
  readonly entries: readonly NamedEntry[];
}

/** A file, or entries for tests: they are counted, not listed. */
interface PostedTogether extends Pick<DocumentPlace, 'month' | 'batchId' | 'batch'> {
  readonly source: 'IMPORT' | 'TEST_DATA';
  /** The import that wrote them; null: no import. */
  readonly importId: number | null;
  readonly lines: number;
}

/** A request that waits, or waited, for a second person. */
export interface NamedApproval {
  readonly approvalId: number;
  readonly kind: ApprovalKind;
  /** The way in of a draft; null: no draft. */
  readonly operation: string | null;
  readonly month: Month | null;
}

/** What an event says beside its company and branch. Fields are added, never renamed: other systems read them. */
export interface EventData {
  readonly 'entry.posted': PostedEntries | PostedTogether;
  readonly 'entry.changed': DocumentPlace & NamedEntry & { readonly change: 'UPDATED' | 'DELETED' };
  readonly 'entry.reversed': DocumentPlace &
    NamedEntry & { readonly reason: string; readonly reversal: DocumentPlace & NamedEntry };
  readonly 'document.deleted':
    | (DocumentPlace & { readonly importId: null })
    /** An import that was undone: every line that it wrote, and the documents that are empty then. */
    | (Pick<DocumentPlace, 'month' | 'batchId' | 'batch'> & { readonly importId: number; readonly lines: number });
  readonly 'month.opened': { readonly month: Month };
  readonly 'month.closed': { readonly month: Month; readonly lines: number; readonly closingEntries: number };
  readonly 'month.reopened': { readonly month: Month; readonly reason: string };
  /** In the transaction that closed the month. `seal` is hexadecimal text. */
  readonly 'month.sealed': { readonly month: Month; readonly seal: string };
  /** Values are decimal text. */
  readonly 'quota.confirmed': {
    readonly day: Day;
    readonly referenceDay: Day;
    readonly quotaValue: string;
    readonly netEquity: string;
    readonly numberOfQuotas: string;
    /** Of a reprocessed quota: the one that it replaces, and why. */
    readonly replaces?: { readonly quotaValue: string; readonly reason: string };
  };
  readonly 'report.ready': { readonly jobId: number; readonly title: string; readonly bytes: number };
  readonly 'rule.failed': {
    readonly month: Month;
    readonly processId: number;
    readonly document: string;
    readonly ruleId: number;
    readonly rule: string;
    readonly severity: string;
    /** BROKEN: the rule could not be computed. */
    readonly status: 'FAILED' | 'BROKEN';
  };
  readonly 'approval.requested': NamedApproval;
  /** In the transaction that does what was asked, before the events of what is done. */
  readonly 'approval.approved': NamedApproval;
  readonly 'approval.rejected': NamedApproval & { readonly reason: string };
  readonly 'approval.withdrawn': NamedApproval;
}

export type EventType = keyof EventData;

export const EVENT_TYPES = [
  'entry.posted',
  'entry.changed',
  'entry.reversed',
  'document.deleted',
  'month.opened',
  'month.closed',
  'month.reopened',
  'month.sealed',
  'quota.confirmed',
  'report.ready',
  'rule.failed',
  'approval.requested',
  'approval.approved',
  'approval.rejected',
  'approval.withdrawn',
] as const satisfies readonly EventType[];
