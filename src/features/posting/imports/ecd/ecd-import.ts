import type { Month } from '../../../../accounting/period.ts';
import type { Finding } from '../../../reporting/filing-check/findings.ts';

/** How a bookkeeping file is imported. */
export interface EcdImportOptions {
  /** Everything is done and undone: nothing stays. */
  readonly dryRun: boolean;
  /** The chart that takes the accounts; undefined: the branch's own. */
  readonly chart: string | undefined;
  /** Which superior account counts: the file's, or the one that the code names. */
  readonly hierarchy: 'ARQUIVO' | 'CODIGO';
  /** Sums of accounts over cost centres, or none of these at all. */
  readonly costCentre: 'SOMAR' | 'RECUSAR';
  /** The last balances without entries. */
  readonly balancesOnly: boolean;
  /** The first months of the file; undefined: all. */
  readonly months: number | undefined;
}

/** What an import made. */
export interface EcdCreated {
  readonly accounts: number;
  readonly narrations: number;
  readonly mappings: number;
  readonly statements: number;
  readonly signatories: number;
  readonly openingBalances: number;
  readonly months: number;
  readonly batches: number;
  readonly documents: number;
  readonly entries: number;
  readonly lines: number;
}

/** What the books say against what the file says: accounts and months that were compared, and what differs. */
export interface EcdProof {
  readonly accounts: number;
  readonly months: number;
  readonly differences: number;
}

export interface EcdImportResult {
  /** false: it was only tried, or something stood against it. */
  readonly imported: boolean;
  readonly importId: number;
  /** Of the file: 9.00. */
  readonly layout: string;
  readonly book: string;
  readonly from: Month | null;
  readonly to: Month | null;
  readonly lines: number;
  readonly bytes: number;
  readonly errors: number;
  readonly warnings: number;
  /** Errors that stand against the import; the others are errors of the file. */
  readonly stops: number;
  readonly findings: readonly (Finding & { readonly stops?: boolean })[];
  readonly counts: Readonly<Record<string, number>>;
  readonly created: EcdCreated | null;
  readonly proof: EcdProof | null;
}

/** How far an import is. */
export interface EcdImportProgress {
  readonly step: 'LENDO' | 'CADASTROS' | 'LANCAMENTOS' | 'PROVA';
  readonly lines: number;
}
