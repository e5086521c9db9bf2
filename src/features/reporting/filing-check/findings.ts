export type Severity = 'ERRO' | 'AVISO';

/** What a file has wrong, in the words of who keeps the books. */
export interface Finding {
  /** The official code of the rule, or one of the platform's own: PARTIDAS_…, P01 to P14. */
  readonly rule: string;
  readonly severity: Severity;
  readonly line?: number | undefined;
  readonly register?: string | undefined;
  readonly field?: string | undefined;
  readonly value?: string | undefined;
  readonly message: string;
}

/** What a check found: some findings of each rule, and how many there are. */
export interface Checked {
  readonly kind: 'ECD' | '4010' | '4016' | 'UNKNOWN';
  /** Of the ECD: the form of the book. */
  readonly book?: string | undefined;
  readonly lines: number;
  readonly bytes: number;
  readonly errors: number;
  readonly warnings: number;
  readonly findings: readonly Finding[];
  /** How often each rule was broken; more than are listed. */
  readonly counts: Readonly<Record<string, number>>;
  /** Rules that this file alone cannot prove. */
  readonly notProven: readonly string[];
}

const LISTED = 1_000;
const LISTED_OF_RULE = 20;
/** Of a value; lines of a megabyte stay out of answers. */
const LONGEST_VALUE = 100;

export class Findings {
  errors = 0;
  warnings = 0;
  readonly #listed: Finding[] = [];
  readonly #counts = new Map<string, number>();
  readonly #onFinding: ((finding: Finding) => void) | undefined;

  constructor(onFinding?: (finding: Finding) => void) {
    this.#onFinding = onFinding;
  }

  add(finding: Finding): void {
    this.#onFinding?.(finding);
    const count = (this.#counts.get(finding.rule) ?? 0) + 1;
    this.#counts.set(finding.rule, count);
    if (finding.severity === 'ERRO') this.errors++;
    else this.warnings++;
    if (count > LISTED_OF_RULE || this.#listed.length >= LISTED) return;
    const { value } = finding;
    this.#listed.push(value === undefined ? finding : { ...finding, value: shortened(value) });
  }

  result(): Pick<Checked, 'errors' | 'warnings' | 'findings' | 'counts'> {
    // What a file says of itself at its end stands behind its lines.
    const findings = this.#listed.toSorted((one, other) => (one.line ?? Infinity) - (other.line ?? Infinity) || 0);
    return { errors: this.errors, warnings: this.warnings, findings, counts: Object.fromEntries(this.#counts) };
  }
}

function shortened(value: string): string {
  return value.length <= LONGEST_VALUE ? value : `${value.slice(0, LONGEST_VALUE)}…`;
}
