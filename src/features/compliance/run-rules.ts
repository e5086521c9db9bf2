import type { ChartId } from '../../accounting/ids.ts';
import type { Month } from '../../accounting/period.ts';
import { type BalanceNeeds, balanceNeeds } from '../../accounting/rule-language/balance-needs.ts';
import { compileScript } from '../../accounting/rule-language/compile-script.ts';
import type { Script } from '../../accounting/rule-language/script.ts';
import type { Transaction } from '../../platform/database/sql.ts';
import { yieldToEventLoop } from '../../platform/yield-to-event-loop.ts';
import type { BranchKey } from '../access/access.ts';
import { type NewEvent, recordEvents } from '../operations/events/record-events.sql.ts';
import type { BranchBooks } from './books.read.sql.ts';
import { lockClosed } from './books.sql.ts';
import { BranchBalances, type ChartNeeds, needsInChart } from './branch-balances.ts';
import { loadIndexedChart } from './indexed-chart.ts';
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
  /** The balances that the script reads, as far as known beforehand. */
  readonly needs?: BalanceNeeds;
}

export interface Execution {
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
export async function compileRules(rules: readonly RuleRow[], month: Month): Promise<CompiledRule[]> {
  const breathe = yieldToEventLoop();
  const compiled: CompiledRule[] = [];
  for (const rule of rules) {
    compiled.push(compileRule(rule, month));
    await breathe();
  }
  return compiled;
}

function compileRule(rule: RuleRow, month: Month): CompiledRule {
  if (rule.script === null) return { rule };
  const script = compileScript(rule.script).script ?? unreadable(rule);
  return { rule, script, needs: balanceNeeds(script, month) };
}

/**
 * Runs the rules over the branches that have the month closed, one after the other, and keeps a process for each
 * branch and document; gives the processes of one branch at a time. While one branch is computed, the database reads the
 * balances of the next.
 */
export async function* runRules(
  sql: Transaction,
  branches: readonly BranchBooks[],
  documents: readonly DocumentRules[],
  execution: Execution,
): AsyncGenerator<Process[]> {
  const held = await lockClosed(sql, branches, execution.month);
  const ready = branches.filter(({ branchId }) => held.has(branchId));
  const needs = await needsByChart(sql, ready, documents);
  const load = (books: BranchBooks) => BranchBalances.load(sql, books, needs.get(books.chartId)!, execution.month);
  let balances = ready.length === 0 ? undefined : await load(ready[0]!);
  for (const [index, books] of ready.entries()) {
    const following = ready[index + 1];
    const [next, processes] = await awaitBoth(
      following && load(following),
      runOverBranch(sql, books, balances!, documents, execution),
    );
    balances = next;
    yield processes;
  }
}

/** Like Promise.all, but nothing is left running when one fails: a statement sent late would miss the transaction. */
async function awaitBoth<A, B>(a: A, b: B): Promise<[Awaited<A>, Awaited<B>]> {
  await Promise.allSettled([a, b]);
  return Promise.all([a, b]);
}

/** Account texts are looked up once for each chart, not for each of the branches that share it. */
export async function needsByChart(
  sql: Transaction,
  branches: readonly BranchBooks[],
  documents: readonly DocumentRules[],
): Promise<Map<ChartId | null, ChartNeeds>> {
  const needs = documents.flatMap(({ rules }) => rules.flatMap((rule) => rule.needs ?? []));
  const byChart = new Map<ChartId | null, ChartNeeds>();
  for (const { chartId } of branches) {
    if (!byChart.has(chartId)) byChart.set(chartId, needsInChart(needs, await loadIndexedChart(sql, chartId!)));
  }
  return byChart;
}

async function runOverBranch(
  sql: Transaction,
  { companyId, branchId, company, branch }: BranchBooks,
  balances: BranchBalances,
  documents: readonly DocumentRules[],
  { month, executedAt, executedBy }: Execution,
): Promise<Process[]> {
  const processes: Process[] = [];
  for (const { document, rules } of documents) {
    const results = await resultsOf(rules, balances);
    const counts = countsOf(results);
    const place = { companyId, branchId, documentId: document.id, month, executedAt, executedBy };
    const id = await insertProcess(sql, { ...place, counts, results });
    recordEvents(
      sql,
      results.flatMap((result) => failureEvent(result, { ...place, processId: id, document })),
    );
    processes.push({ ...place, ...counts, id, company, branch, document: document.code, results });
  }
  return processes;
}

/** What each of the rules says of the balances of a branch. */
export async function resultsOf(rules: readonly CompiledRule[], balances: BranchBalances): Promise<RuleResult[]> {
  const breathe = yieldToEventLoop();
  const results: RuleResult[] = [];
  for (const each of rules) {
    results.push(await runRule(each, balances));
    await breathe();
  }
  return results;
}

function failureEvent(
  { ruleId, rule, severity, status }: RuleResult,
  {
    companyId,
    branchId,
    month,
    processId,
    document,
  }: BranchKey & {
    month: Month;
    processId: number;
    document: LookupRow;
  },
): NewEvent[] {
  if (status !== 'FAILED' && status !== 'BROKEN') return [];
  const data = { month, processId, document: document.code, ruleId, rule, severity, status };
  return [{ type: 'rule.failed', companyId, branchId, data }];
}

async function runRule({ rule, script }: CompiledRule, balances: BranchBalances): Promise<RuleResult> {
  const began = performance.now();
  const result = script === undefined ? SKIPPED : scriptResult(await balances.run(script), performance.now() - began);
  const { id: ruleId, name, severity, businessSystem, scriptVersion } = rule;
  return { ruleId, rule: name, severity, businessSystem, scriptVersion, ...result };
}

function countsOf(results: readonly RuleResult[]) {
  const count = (status: RuleResult['status']) => results.filter((result) => result.status === status).length;
  return { passed: count('PASSED'), failed: count('FAILED'), broken: count('BROKEN'), skipped: count('SKIPPED') };
}

function unreadable(rule: RuleRow): never {
  throw new Error(`the saved script of rule ${rule.id} does not compile`);
}
