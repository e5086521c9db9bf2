import { blockingCodes, type FindingState, findingState } from '../../../accounting/closing-checklist.ts';
import { FINDING_CODES, type FindingCode } from '../../../accounting/finding-code.ts';
import type { CompanyId } from '../../../accounting/ids.ts';
import type { Month } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import type { CompanyTenant, Tenant } from '../../access/access.ts';
import { rejectNoBooks } from '../../master-data/companies/require-books.ts';
import { assertWholeList } from '../../master-data/whole-list.ts';
import { baselineOf } from '../balances/read-balances.ts';
import { type ChecklistBranch, selectChecklistBranches } from './checklist-branches.read.sql.ts';
import type { ChecklistPlace, Found, FoundItem } from './findings.read.sql.ts';
import { FINDERS, findingsOfMonth } from './findings.ts';

/** A line of the closing checklist. */
export interface Finding {
  readonly code: FindingCode;
  readonly state: FindingState;
  readonly count: number;
  /** The first of what is to mend. */
  readonly items: readonly FoundItem[];
}

/** The closing checklist of a branch's month, in the order of FINDING_CODES. */
export interface Checklist extends Pick<ChecklistBranch, 'branch' | 'name' | 'monthState'> {
  readonly findings: readonly Finding[];
}

/** Maximum number of items of a finding. */
const MAX_ITEMS = 20;
/** Maximum number of branches of one answer, which has no pages. */
const MAX_BRANCHES = 1_000;

/** The closing checklist of a month of the branch (domain: closing checklist, 1). */
export async function readChecklist(sql: Sql, tenant: Tenant, month: Month): Promise<Checklist> {
  await baselineOf(sql, tenant, month);
  const branches = await selectChecklistBranches(sql, tenant.companyId, month, 1, tenant.branchId);
  const [checklist] = await readFindings(sql, tenant.companyId, month, branches, MAX_ITEMS);
  return checklist ?? rejectNoBooks(tenant);
}

/** The same of every branch that the caller can access, without items: as many statements as for one. */
export async function readChecklistsOfCompany(
  sql: Sql,
  { companyId }: CompanyTenant,
  month: Month,
): Promise<Checklist[]> {
  const branches = await selectChecklistBranches(sql, companyId, month, MAX_BRANCHES + 1);
  return readFindings(sql, companyId, month, assertWholeList(branches, MAX_BRANCHES), undefined);
}

async function readFindings(
  sql: Sql,
  companyId: CompanyId,
  month: Month,
  branches: readonly ChecklistBranch[],
  items: number | undefined,
): Promise<Checklist[]> {
  const opened = branches.filter((each) => each.monthState !== 'NOT_OPENED').map(({ branchId }) => branchId);
  const found = [
    ...branches.flatMap(findingsOfMonth),
    ...(opened.length === 0 ? [] : await findAll(sql, { companyId, branchIds: opened, month, items })),
  ];
  const byPlace = new Map(found.map((each) => [`${each.code} ${each.branchId}`, each]));
  return branches.map(({ branchId, branch, name, monthState, layout, blockOn }) => ({
    branch,
    name,
    monthState,
    findings: FINDING_CODES.map((code) => {
      const { count, items } = byPlace.get(`${code} ${branchId}`) ?? NOT_FOUND;
      const state = findingState(code, count, monthState, blockingCodes(layout, blockOn));
      return { code, state, count: count ?? 0, items };
    }),
  }));
}

const NOT_FOUND = { count: undefined, items: [] } as const;

async function findAll(sql: Sql, place: ChecklistPlace): Promise<Found[]> {
  const found: Found[] = [];
  for (const find of new Set(Object.values(FINDERS))) found.push(...(await find(sql, place)));
  return found;
}
