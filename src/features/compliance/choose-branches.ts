import type { BranchId, CompanyId } from '../../accounting/ids.ts';
import { type Month, slashOf } from '../../accounting/period.ts';
import { BusinessError, problem, reject } from '../../accounting/problem.ts';
import { recordRef } from '../../accounting/record-name.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { selectCompany } from '../master-data/companies/companies.read.sql.ts';
import { type BranchBooks, isCodeAfter, selectBranchBooks } from './books.read.sql.ts';

export interface BranchChoice {
  readonly branchId?: BranchId | undefined;
  readonly companyId?: CompanyId | undefined;
  readonly branchFrom?: string | undefined;
  readonly branchTo?: string | undefined;
}

/**
 * The branches that a run is about, all of them with the month closed: one by its id, or those of a company between two
 * codes. A range with a branch that the caller cannot access is rejected. Branches whose month is not closed are left
 * out while others are left.
 */
export async function chooseBranches(sql: Sql, choice: BranchChoice, month: Month): Promise<BranchBooks[]> {
  rejectMixture(choice);
  const found =
    choice.branchId === undefined ? await branchesOfCompany(sql, choice) : await oneBranch(sql, choice.branchId);
  const ready = found.filter((each) => each.chartId !== null && each.closedMonths.includes(month));
  return ready.length > 0 ? ready : reject('MONTH_NOT_CONSOLIDATED', { month: slashOf(month) }, 'month');
}

function rejectMixture({ branchId, companyId, branchFrom, branchTo }: BranchChoice): void {
  const hasCompany = companyId !== undefined;
  const hasRange = branchFrom !== undefined || branchTo !== undefined;
  if ((branchId !== undefined) === hasCompany || (branchId !== undefined && hasRange)) {
    reject('ONE_OF_FIELDS', { one: { path: 'branchId' }, other: { path: 'companyId' } }, 'branchId');
  }
}

/** A foreign branch is reported like an absent one. */
async function oneBranch(sql: Sql, branchId: BranchId): Promise<BranchBooks[]> {
  const found = await selectBranchBooks(sql, { branchIds: [branchId] });
  const reached = found.filter((each) => each.reached);
  return reached.length > 0 ? reached : reject('NOT_FOUND', recordRef('Branch', branchId), 'branchId');
}

async function branchesOfCompany(sql: Sql, { companyId, branchFrom, branchTo }: BranchChoice): Promise<BranchBooks[]> {
  (await selectCompany(sql, companyId!)) ?? reject('NOT_FOUND', recordRef('Company', companyId), 'companyId');
  if (branchFrom !== undefined && branchTo !== undefined && (await isCodeAfter(sql, branchFrom, branchTo))) {
    reject('BRANCH_RANGE_REVERSED', { from: branchFrom, to: branchTo }, 'branchTo');
  }
  const found = await selectBranchBooks(sql, { companyId, from: branchFrom, to: branchTo });
  const denied = found.filter((each) => !each.reached);
  if (denied.length > 0) {
    throw new BusinessError(
      denied.slice(0, 100).map(({ company, branch }) => problem('TENANT_DENIED', { company, branch }, 'branchFrom')),
    );
  }
  return found.length > 0 ? found : reject('NOT_FOUND', recordRef('Branch'), 'branchFrom');
}
