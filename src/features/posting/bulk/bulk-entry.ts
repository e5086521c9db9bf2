import type { AccountId } from '../../../accounting/ids.ts';
import type { Centavos } from '../../../accounting/money.ts';
import type { Day, Month } from '../../../accounting/period.ts';
import type { Problem } from '../../../accounting/problem.ts';
import type { Tenant } from '../../access/access.ts';

/** A logical entry as a feeding system sends it: accounts and places by code, number or id. */
export interface BulkEntry {
  readonly tenant: Tenant;
  readonly month: Month;
  readonly place: BulkPlace;
  /** Absent: the number after the document's highest. */
  readonly number: string | undefined;
  readonly dayNumber: number;
  readonly narrationCode: string | null;
  /** Day of a fact that was not posted on its day; absent: that of posting. */
  readonly factDay?: Day | undefined;
  readonly source: BulkSource | undefined;
  readonly lines: readonly BulkLine[];
}

/** A document by its id, or by its number in a batch, which itself is named by id or number: named and absent, both are made. */
export type BulkPlace =
  | { readonly documentId: number }
  | { readonly batchId: number; readonly document: string }
  | { readonly batch: string; readonly document: string };

export interface BulkLine {
  readonly side: 'D' | 'C';
  /** Code, short code or digits; an id is a number. */
  readonly account: string | AccountId;
  readonly amount: Centavos;
  readonly narration: string | null;
}

/** What a feeding system says of an entry beside its figures. */
export interface BulkSource {
  /** Empty: the system does not say who it is. */
  readonly origin: string;
  /** Unique in company and origin, for ever. */
  readonly externalId: string | undefined;
  /** A flat object, its keys in order. */
  readonly metadata: Readonly<Record<string, string | number | boolean | null>> | undefined;
}

/** What became of an entry. The paths of its problems begin at the entry: `lines[1].account`. */
export type BulkOutcome =
  | { readonly status: 'CREATED' | 'REPEATED'; readonly documentId: number; readonly number: string }
  | { readonly status: 'REJECTED'; readonly problems: readonly Problem[] };
