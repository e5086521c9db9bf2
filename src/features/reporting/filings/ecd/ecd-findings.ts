import { LISTED_OF_RULE } from '../filing-finding.ts';
import type { EcdFinding, WrittenEcd } from './ecd-file.ts';

/** What the writer itself finds wrong with the books. */
export class EcdFindings {
  hasErrors = false;
  readonly #listed: EcdFinding[] = [];
  readonly #counts = new Map<string, number>();

  add(finding: EcdFinding): void {
    const count = (this.#counts.get(finding.rule) ?? 0) + 1;
    this.#counts.set(finding.rule, count);
    if (finding.severity === 'ERRO') this.hasErrors = true;
    if (count <= LISTED_OF_RULE) this.#listed.push(finding);
  }

  result(): Pick<WrittenEcd, 'findings' | 'counts'> {
    return { findings: this.#listed, counts: Object.fromEntries(this.#counts) };
  }
}
