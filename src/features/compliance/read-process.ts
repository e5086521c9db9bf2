import type { CompanyId } from '../../accounting/ids.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { type ProcessRow, selectPreviousProcess, selectProcess, selectResults } from './processes.read.sql.ts';
import type { RuleResult } from './rule-result.ts';

/** Something that a rule said: an ERRO's text, or why it could not run. */
export interface Finding {
  readonly ruleId: number;
  readonly rule: string;
  readonly message: { readonly pt: string; readonly en: string };
}

export interface Comparison {
  readonly processId: number;
  readonly appeared: readonly Finding[];
  readonly gone: readonly Finding[];
  readonly unchanged: readonly Finding[];
}

export interface ProcessDetail extends ProcessRow {
  readonly results: readonly RuleResult[];
  /** Null for the first process of a branch, document and month. */
  readonly previous: Comparison | null;
}

/** A process with its results and what changed since the run before it. */
export async function readProcess(sql: Sql, companyId: CompanyId, id: number): Promise<ProcessDetail | undefined> {
  const process = await selectProcess(sql, companyId, id);
  if (process === undefined) return undefined;
  const results = await selectResults(sql, companyId, id);
  const previous = await selectPreviousProcess(sql, process);
  if (previous === undefined) return { ...process, results, previous: null };
  const before = await selectResults(sql, companyId, previous.id);
  return { ...process, results, previous: { processId: previous.id, ...compareFindings(before, results) } };
}

/** Findings are the same when the same rule says the same; repeated findings count once. */
export function compareFindings(
  before: readonly RuleResult[],
  after: readonly RuleResult[],
): Omit<Comparison, 'processId'> {
  const old = findingsOf(before);
  const now = findingsOf(after);
  return {
    appeared: [...now].filter(([key]) => !old.has(key)).map(([, finding]) => finding),
    gone: [...old].filter(([key]) => !now.has(key)).map(([, finding]) => finding),
    unchanged: [...now].filter(([key]) => old.has(key)).map(([, finding]) => finding),
  };
}

function findingsOf(results: readonly RuleResult[]): Map<string, Finding> {
  const findings = results.flatMap(({ ruleId, rule, messages, failure }) => [
    ...messages.map(({ text }) => ({ ruleId, rule, message: { pt: text, en: text } })),
    ...(failure === null ? [] : [{ ruleId, rule, message: failure.message }]),
  ]);
  return new Map(findings.map((finding) => [`${finding.ruleId} ${finding.message.pt}`, finding]));
}
