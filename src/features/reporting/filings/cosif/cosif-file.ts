import type { CompanyId } from '../../../../accounting/ids.ts';
import type { Month } from '../../../../accounting/period.ts';
import type { Remittance } from '../deliveries/delivery.ts';
import type { Origin } from '../ecd/ecd-file.ts';
import type { FilingFinding } from '../filing-finding.ts';

/** 4010: balances of a month before its closing entries. 4016: those of June and December after them. */
export const COSIF_DOCUMENTS = ['4010', '4016'] as const;
export type CosifDocument = (typeof COSIF_DOCUMENTS)[number];

/**
 * The sign of balances, which no official source at hand says. PUBLISHED: groups 1 to 3 positive on the debit side, the others on
 * the credit side, as in the open data of the central bank. DEBIT_NEGATIVE: every debit balance negative. ABSOLUTE: no sign.
 */
export const COSIF_SIGNS = ['PUBLISHED', 'DEBIT_NEGATIVE', 'ABSOLUTE'] as const;
export type CosifSign = (typeof COSIF_SIGNS)[number];

/** What is asked for; plain data, so that it can be the payload of a job. */
export interface CosifRequest {
  readonly companyId: CompanyId;
  /** The company's code. */
  readonly company: string;
  readonly document: CosifDocument;
  readonly month: Month;
  /** Undefined: S where a delivery of the document and month is accepted, else I. */
  readonly remittance?: Remittance | undefined;
}

export interface WrittenCosif {
  /** Undefined: the errors among the findings left nothing to write. */
  readonly text: string | undefined;
  /** The same document with the published sign, which is the one that its rules are known for. */
  readonly published: string;
  readonly remittance: Remittance;
  /** The accepted delivery that this one takes the place of. */
  readonly replacesId: number | undefined;
  readonly findings: readonly FilingFinding[];
  /** The record behind each line, the first of them 1. */
  readonly origins: ReadonlyMap<number, Origin>;
}
