import type { Transaction } from '../../../platform/database/sql.ts';
import type { Checked } from '../filing-check/findings.ts';
import type { EcdOptions, EcdRequest, EcdSink, Origin } from '../filings/ecd/ecd-file.ts';
import { writeEcd } from '../filings/ecd/write-ecd.ts';
import type { FoundInFile } from '../filings/filing-finding.ts';
import { CheckedPassage, mergeFindings, NOTHING_CHECKED } from './checked.ts';
import { originOfBulk, readBulkLines } from './origins-of-lines.ts';

export interface CheckedEcd extends FoundInFile {
  readonly written: boolean;
  readonly lines: number;
  readonly bytes: number;
  readonly sha256: string;
}

/** Writes the file straight into the checker, and to the sink where there is one. */
export async function writeCheckedEcd(
  sql: Transaction,
  request: EcdRequest,
  { sink, isMuted = () => false, ...options }: EcdOptions & CheckedOptions = {},
): Promise<CheckedEcd> {
  const passage = new CheckedPassage();
  const origins = new Map<number, Origin>();
  const written = await writeEcd(
    sql,
    request,
    {
      async write(bytes) {
        await sink?.(bytes);
        await passage.pass(bytes);
      },
      origin: (line, origin) => void origins.set(line, origin),
    },
    options,
  );
  const checked = written.written ? withoutMuted(await passage.end(), isMuted) : NOTHING_CHECKED;
  const unknown = checked.findings.flatMap(({ line }) => (line === undefined || origins.has(line) ? [] : line));
  if (unknown.length > 0) {
    const { company } = request;
    const books = { company, onlyBranch: written.onlyBranch, accounts: accountsIn(origins.values()) };
    for (const [line, found] of await readBulkLines(sql, request, options, new Set(unknown))) {
      const origin = originOfBulk(found, books);
      if (origin !== undefined) origins.set(line, origin);
    }
  }
  const { lines, bytes, sha256 } = written;
  return {
    ...{ written: written.written, lines, bytes, sha256 },
    ...mergeFindings(written, checked, (line) => origins.get(line)),
  };
}

interface CheckedOptions {
  readonly sink?: EcdSink['write'] | undefined;
  /** Rules that are not reported. */
  readonly isMuted?:
    | ((finding: { readonly register?: string | undefined; readonly rule: string }) => boolean)
    | undefined;
}

/** What is listed and muted goes, and with it the count; of a rule of which nothing else is listed, the whole count. */
function withoutMuted(
  checked: Checked,
  isMuted: NonNullable<CheckedOptions['isMuted']>,
): Pick<Checked, 'findings' | 'counts' | 'errors' | 'warnings'> {
  const muted = checked.findings.filter(isMuted);
  const findings = checked.findings.filter((finding) => !muted.includes(finding));
  const counts = new Map(Object.entries(checked.counts));
  let { errors, warnings } = checked;
  for (const { rule, severity } of new Map(muted.map((finding) => [finding.rule, finding])).values()) {
    const all = counts.get(rule) ?? 0;
    const isGone = findings.every((finding) => finding.rule !== rule);
    const gone = isGone ? all : muted.filter((finding) => finding.rule === rule).length;
    if (isGone) counts.delete(rule);
    else counts.set(rule, all - gone);
    if (severity === 'ERRO') errors -= gone;
    else warnings -= gone;
  }
  return { findings, counts: Object.fromEntries(counts), errors, warnings };
}

function accountsIn(origins: Iterable<Origin>): ReadonlyMap<string, Origin> {
  const accounts = new Map<string, Origin>();
  for (const origin of origins) if (origin.resource === 'account') accounts.set(origin.code!, origin);
  return accounts;
}
