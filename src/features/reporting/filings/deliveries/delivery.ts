import type { Day } from '../../../../accounting/period.ts';
import type { EcdBook } from '../ecd/ecd-file.ts';

/** ECD: the bookkeeping file of the federal revenue service; 4010 and 4016: documents of the central bank. */
export const FILING_KINDS = ['ECD', '4010', '4016'] as const;
export type FilingKind = (typeof FILING_KINDS)[number];

export const DELIVERY_STATUSES = ['GENERATED', 'SENT', 'ACCEPTED', 'REJECTED', 'REPLACED'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** I: the first one of a document and month. S: in the place of an accepted one. */
export const REMITTANCES = ['I', 'S'] as const;
export type Remittance = (typeof REMITTANCES)[number];

/**
 * What a person may record of a delivery. A rejected file may be sent again when the regulator was wrong; REPLACED follows
 * from the acceptance of another one and is never recorded.
 */
const NEXT: Readonly<Record<DeliveryStatus, readonly DeliveryStatus[]>> = {
  GENERATED: ['SENT', 'ACCEPTED', 'REJECTED'],
  SENT: ['ACCEPTED', 'REJECTED'],
  ACCEPTED: [],
  REJECTED: ['SENT'],
  REPLACED: [],
};

/** What may be recorded next of a delivery that is in this state. */
export function nextStatuses(status: DeliveryStatus): readonly DeliveryStatus[] {
  return NEXT[status];
}

export function mayBecome(status: DeliveryStatus, next: DeliveryStatus): boolean {
  return status === next || NEXT[status].includes(next);
}

/** What was written. */
export interface NewDelivery {
  readonly kind: FilingKind;
  readonly from: Day;
  readonly to: Day;
  readonly book?: EcdBook | undefined;
  readonly orderNumber?: number | undefined;
  readonly remittance?: Remittance | undefined;
  readonly sha256: string;
  readonly bytes: number;
  readonly lines: number;
  readonly errors: number;
  readonly warnings: number;
  readonly replacesId?: number | undefined;
  readonly jobId: number;
}
