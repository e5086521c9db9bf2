import { checkFile } from '../filing-check/check-file.ts';
import type { Checked } from '../filing-check/findings.ts';
import type { Origin } from '../filings/ecd/ecd-file.ts';
import { type FilingFinding, type FoundInFile, LISTED_OF_RULE } from '../filings/filing-finding.ts';

/** What a writer hands over while it writes, checked as it comes. */
export class CheckedPassage {
  readonly checked: Promise<Checked>;
  #next: PromiseWithResolvers<Buffer | undefined> = Promise.withResolvers();
  #taken: PromiseWithResolvers<void> = Promise.withResolvers();

  constructor() {
    this.checked = checkFile(this.#portions());
    // Whoever gives up does not ask.
    this.checked.catch(() => {});
  }

  /** Fulfilled when the checker has read the portion: it is never further behind than one. */
  async pass(portion: Buffer): Promise<void> {
    this.#next.resolve(portion);
    await Promise.race([this.#taken.promise, this.checked]);
    this.#taken = Promise.withResolvers();
  }

  end(): Promise<Checked> {
    this.#next.resolve(undefined);
    return this.checked;
  }

  async *#portions(): AsyncGenerator<Buffer> {
    for (let portion = await this.#next.promise; portion !== undefined; portion = await this.#next.promise) {
      this.#next = Promise.withResolvers();
      // The checker keeps the head of a file, and the writer its buffer.
      yield Buffer.from(portion);
      this.#taken.resolve();
    }
  }
}

/** What the writer found together with what the checker found, whose lines are those of records. */
export function mergeFindings(
  written: Pick<FoundInFile, 'findings' | 'counts'>,
  checked: Pick<Checked, 'findings' | 'counts' | 'errors' | 'warnings'>,
  originOf: (line: number) => Origin | undefined,
): FoundInFile {
  const severities = new Map(written.findings.map(({ rule, severity }) => [rule, severity]));
  const own = { ERRO: 0, AVISO: 0 };
  for (const [rule, count] of Object.entries(written.counts)) own[severities.get(rule)!] += count;
  const counts = new Map(Object.entries(checked.counts));
  for (const [rule, count] of Object.entries(written.counts)) counts.set(rule, (counts.get(rule) ?? 0) + count);
  const found = checked.findings.map(
    (finding): FilingFinding => ({
      ...finding,
      origin: finding.line === undefined ? undefined : originOf(finding.line),
    }),
  );
  return {
    errors: checked.errors + own.ERRO,
    warnings: checked.warnings + own.AVISO,
    findings: [...written.findings, ...found],
    counts: Object.fromEntries(counts),
  };
}

export const NOTHING_CHECKED = { findings: [], counts: {}, errors: 0, warnings: 0 } as const;

export function countsOf(findings: readonly FilingFinding[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { rule } of findings) counts[rule] = (counts[rule] ?? 0) + 1;
  return counts;
}

/** Those of each rule that are listed. */
export function firstOfRule(findings: readonly FilingFinding[]): FilingFinding[] {
  const listed = new Map<string, number>();
  return findings.filter(({ rule }) => {
    const count = (listed.get(rule) ?? 0) + 1;
    listed.set(rule, count);
    return count <= LISTED_OF_RULE;
  });
}
