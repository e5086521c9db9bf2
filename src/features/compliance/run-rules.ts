import type { Month } from '../../accounting/period.ts';
import { slashOf } from '../../accounting/period.ts';
import { refuse } from '../../accounting/problem.ts';
import { type BalanceNeeds, balanceNeeds } from '../../accounting/rule-language/balance-needs.ts';
import type { ChartIndex } from '../../accounting/rule-language/chart-index.ts';
import { compileScript } from '../../accounting/rule-language/compile-script.ts';
import type { Script } from '../../accounting/rule-language/script.ts';
import type { Transaction } from '../../platform/sql.ts';
import { lockMonthShared } from '../months/months.sql.ts';
import type { BranchBooks } from './books.read.sql.ts';
import { BranchBalances } from './branch-balances.ts';
import type { LookupRow } from './lookups.read.sql.ts';
import type { ProcessRow } from './processes.read.sql.ts';
import { insertProcess } from './processes.sql.ts';
import { type RuleResult, SKIPPED, scriptResult } from './rule-result.ts';
import type { RuleRow } from './rules.read.sql.ts';

/** The rules of a document, compiled once for all branches. */
export interface DocumentRules {
  readonly document: LookupRow;
  readonly rules: readonly CompiledRule[];
}

export interface CompiledRule {
  readonly rule: RuleRow;
  /** Absent where the rule has none. */
  readonly script?: Script;
  /** What the script tells of the balances that it reads. */
  readonly needs?: BalanceNeeds;
}

export interface Execution {
  readonly charts: (chartId: number) => Promise<ChartIndex>;
  readonly month: Month;
  readonly executedAt: Date;
  readonly executedBy: string;
}

export interface Process extends ProcessRow {
  readonly results: readonly RuleResult[];
}

/**
 * The rules ready to run over any branch. Saved scripts compile: they were compiled before they were saved, and the
 * language only grows.
 */
export function compiledRules(rules: readonly RuleRow[], month: Month): CompiledRule[] {
  return rules.map((rule) => {
    if (rule.script === null) return { rule };
    const script = compileScript(rule.script).script ?? unreadable(rule);
    return { rule, script, needs: balanceNeeds(script, month) };
  });
}

/**
 * Runs the rules over one branch and keeps a process for each document. The month is held together with posters: while
 * the rules read, nobody can reopen it, nor a month before it, for only the last consolidated month reopens.
 */
export async function runRules(
  sql: Transaction,
  books: BranchBooks,
  documents: readonly DocumentRules[],
  { charts, month, executedAt, executedBy }: Execution,
): Promise<Process[]> {
  const held = await lockMonthShared(sql, { ...books, month });
  if (held?.state !== 'CONSOLIDATED' || books.chartId === null) {
    refuse('MONTH_NOT_CONSOLIDATED', { month: slashOf(month) }, 'refmonth');
  }
  const balances = new BranchBalances(sql, books, await charts(books.chartId), month);
  await balances.prepare(needsOf(documents));
  const processes: Process[] = [];
  for (const { document, rules } of documents) {
    const results: RuleResult[] = [];
    for (const each of rules) results.push(await runRule(each, balances));
    const counts = countsOf(results);
    const { companyId, branchId, company, branch } = books;
    const place = { companyId, branchId, documentId: document.id, month, executedAt, executedBy };
    const id = await insertProcess(sql, { ...place, counts, results });
    processes.push({ ...place, ...counts, id, company, branch, document: document.code, results });
  }
  return processes;
}

async function runRule({ rule, script }: CompiledRule, balances: BranchBalances): Promise<RuleResult> {
  const began = performance.now();
  const result = script === undefined ? SKIPPED : scriptResult(await balances.run(script), performance.now() - began);
  const { id: ruleId, name, clueType, businessSystem, scriptVersion } = rule;
  return { ruleId, rule: name, clueType, businessSystem, scriptVersion, ...result };
}

/** The union over all rules, so that each month is read once for all of them. */
function needsOf(documents: readonly DocumentRules[]): { months: Set<Month>; days: boolean } {
  const needs = documents.flatMap(({ rules }) => rules.flatMap((rule) => rule.needs ?? []));
  return { months: new Set(needs.flatMap(({ months }) => months)), days: needs.some(({ days }) => days) };
}

function countsOf(results: readonly RuleResult[]) {
  const count = (status: RuleResult['status']) => results.filter((result) => result.status === status).length;
  return { passed: count('PASSED'), failed: count('FAILED'), broken: count('BROKEN'), skipped: count('SKIPPED') };
}

function unreadable(rule: RuleRow): never {
  throw new Error(`the saved script of rule ${rule.id} does not compile`);
}
