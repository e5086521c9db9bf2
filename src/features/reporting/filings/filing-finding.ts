import type { Origin } from './ecd/ecd-file.ts';

/** What is wrong with a file or with the books behind it, and which record to mend. */
export interface FilingFinding {
  /** The official code of the rule, or one of the platform's own: PARTIDAS_…, P01 to P14. */
  readonly rule: string;
  readonly severity: 'ERRO' | 'AVISO';
  readonly line?: number | undefined;
  readonly register?: string | undefined;
  readonly field?: string | undefined;
  readonly value?: string | undefined;
  readonly message: string;
  readonly origin?: Origin | undefined;
}

/** At most as many findings of a rule are listed; all are counted. */
export const LISTED_OF_RULE = 20;

/** Some findings of each rule, and how many there are. */
export interface FoundInFile {
  readonly errors: number;
  readonly warnings: number;
  readonly findings: readonly FilingFinding[];
  readonly counts: Readonly<Record<string, number>>;
}
