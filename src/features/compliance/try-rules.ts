import type { BranchId, CompanyId } from '../../accounting/ids.ts';
import type { Month } from '../../accounting/period.ts';
import type { Transaction } from '../../platform/database/sql.ts';
import { type BranchBooks, selectBranchBooks } from './books.read.sql.ts';
import { BranchBalances } from './branch-balances.ts';
import { selectRegulatoryDocuments } from './lookups.read.sql.ts';
import type { RuleResult } from './rule-result.ts';
import { selectRulesOf } from './rules.read.sql.ts';
import { compileRules, needsByChart, resultsOf } from './run-rules.ts';

export interface TriedRules extends Pick<BranchBooks, 'branchId' | 'branch'> {
  readonly results: readonly RuleResult[];
}

/**
 * What the rules of a document say of each of some branches that has the month closed, in one snapshot, branch by branch; no process is
 * kept, and no event recorded.
 */
export async function* tryRules(
  sql: Transaction,
  chosen: { readonly companyId: CompanyId; readonly branchIds: readonly BranchId[] },
  documentCode: string,
  month: Month,
): AsyncGenerator<TriedRules> {
  const document = (await selectRegulatoryDocuments(sql)).find(({ code }) => code === documentCode);
  if (document === undefined) return;
  const rules = await compileRules(await selectRulesOf(sql, document.id, month), month);
  const branches = await selectBranchBooks(sql, { ...chosen, readyFor: month });
  const ready = branches.filter(({ chartId }) => chartId !== null);
  if (rules.length === 0) return;
  const needs = await needsByChart(sql, ready, [{ document, rules }]);
  for (const books of ready) {
    const balances = await BranchBalances.load(sql, books, needs.get(books.chartId)!, month);
    yield { branchId: books.branchId, branch: books.branch, results: await resultsOf(rules, balances) };
  }
}
