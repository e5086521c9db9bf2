import type { BranchId, CompanyId } from '../../accounting/ids.ts';
import { type Month, slashOf } from '../../accounting/period.ts';
import { reject } from '../../accounting/problem.ts';
import { recordRef } from '../../accounting/record-name.ts';
import { balanceNeeds } from '../../accounting/rule-language/balance-needs.ts';
import type { Context } from '../../platform/context.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { selectCompany } from '../master-data/companies/companies.read.sql.ts';
import { type BranchBooks, selectBranchBooks } from './books.read.sql.ts';
import { BranchBalances, needsInChart } from './branch-balances.ts';
import { chooseBranches } from './choose-branches.ts';
import { loadIndexedChart } from './indexed-chart.ts';
import { type ScriptResult, scriptResult } from './rule-result.ts';
import { compileOrReject } from './save-rule.ts';

export interface Trial {
  readonly script: string;
  readonly month: Month;
  readonly branchId?: BranchId | undefined;
  readonly companyId?: CompanyId | undefined;
}

export interface TrialResult extends ScriptResult {
  readonly branch: BranchBooks;
}

/** Runs a script over one branch without storing anything: the one named, or the first that has the month closed. */
export async function tryScript(context: Context, trial: Trial): Promise<TrialResult> {
  const script = compileOrReject(trial.script);
  const branch = await branchOf(context.sql, trial);
  const chart = await loadIndexedChart(context.sql, branch.chartId!);
  const began = performance.now();
  // One snapshot, so that months read one after the other belong together.
  const outcome = await context.snapshot(async (sql) => {
    const needs = needsInChart([balanceNeeds(script, trial.month)], chart);
    const balances = await BranchBalances.load(sql, branch, needs, trial.month);
    return balances.run(script);
  });
  return { branch, ...scriptResult(outcome, performance.now() - began) };
}

async function branchOf(sql: Sql, { branchId, companyId, month }: Trial): Promise<BranchBooks> {
  if (branchId !== undefined) return (await chooseBranches(sql, { branchId, companyId }, month))[0]!;
  if (companyId !== undefined) {
    (await selectCompany(sql, companyId)) ?? reject('NOT_FOUND', recordRef('Company', companyId), 'companyId');
  }
  const [first] = await selectBranchBooks(sql, { companyId, readyFor: month, limit: 1 });
  return first ?? reject('MONTH_NOT_CONSOLIDATED', { month: slashOf(month) }, 'month');
}
