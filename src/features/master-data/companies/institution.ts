import type { BranchId, ChartId } from '../../../accounting/ids.ts';
import type { Month } from '../../../accounting/period.ts';
import { reject } from '../../../accounting/problem.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import {
  type BranchKey,
  type BranchSet,
  INSTITUTION,
  type InstitutionTenant,
  isInstitution,
  type ReportedTenant,
  type Tenant,
} from '../../access/access.ts';
import { type CandidateRow, selectCandidates } from './institution.read.sql.ts';

/** A branch whose books are part of the institution's. */
export interface Member {
  readonly branchId: BranchId;
  readonly branch: string;
  /** It takes part from this month on. */
  readonly baseMonth: Month;
}

/**
 * All branches of a company that keep their books in one chart, read as one: the sum of their figures. Funds are
 * entities of their own, and a branch without options has no books yet (domain: the institution).
 */
export interface Institution extends InstitutionTenant {
  readonly chartId: ChartId;
  /** The first month of any of its branches. */
  readonly baseMonth: Month;
  /** In the order of their codes. */
  readonly members: readonly Member[];
  /** The head office, else the first branch: its options are those of the institution. */
  readonly seat: Tenant;
  /** Codes of the branches that keep the books of funds. */
  readonly funds: readonly string[];
}

/** The books that statements are read from. */
export type ReportedBooks = Tenant | Institution;

/** The branch itself, or the institution with its branches. Rejects branches that cannot be summed. */
export async function readReportedBooks(sql: Sql, tenant: ReportedTenant): Promise<ReportedBooks> {
  return isInstitution(tenant) ? readInstitution(sql, tenant) : tenant;
}

/** Is it an institution, and not a branch? */
export function isOfBranches(books: ReportedBooks): books is Institution {
  return books.branch === INSTITUTION;
}

/** The branch of a paper that no institution has. */
export function requireBranch(books: ReportedBooks): Tenant {
  return isOfBranches(books) ? reject('INSTITUTION_NOT_OFFERED') : books;
}

async function readInstitution(sql: Sql, tenant: InstitutionTenant): Promise<Institution> {
  const candidates = await selectCandidates(sql, tenant.companyId);
  // The access of the route has decided already; a sum of some branches must not pass for that of all.
  if (!candidates.every(({ accessible }) => accessible)) {
    reject('TENANT_DENIED', { company: tenant.company, branch: INSTITUTION });
  }
  const members = candidates.filter(hasBooks).filter(({ fund }) => !fund);
  const [first] = members;
  if (first === undefined) return reject('INSTITUTION_WITHOUT_BOOKS', { company: tenant.company });
  rejectDifferentCharts(members);
  const seat = members.find(({ headOffice }) => headOffice) ?? first;
  return {
    ...tenant,
    chartId: first.chartId,
    baseMonth: members.map(({ baseMonth }) => baseMonth).toSorted()[0]!,
    members: members.map(({ branchId, branch, baseMonth }) => ({ branchId, branch, baseMonth })),
    seat: { companyId: tenant.companyId, company: tenant.company, branchId: seat.branchId, branch: seat.branch },
    funds: candidates.filter(({ fund }) => fund).map(({ branch }) => branch),
  };
}

type CandidateWithBooks = CandidateRow & {
  readonly chartId: ChartId;
  readonly chart: string;
  readonly baseMonth: Month;
};

function hasBooks(candidate: CandidateRow): candidate is CandidateWithBooks {
  return candidate.chartId !== null;
}

function rejectDifferentCharts(members: readonly CandidateWithBooks[]): void {
  const byChart = Map.groupBy(members, ({ chart }) => chart);
  if (byChart.size === 1) return;
  const charts = [...byChart].map(([chart, branches]) => `${chart}: ${nameBranches(branches)}`).join('; ');
  reject('BRANCHES_OF_DIFFERENT_CHARTS', { charts });
}

/** Maximum number of branches that a problem names. */
const MAX_NAMED = 30;

/** '0001, 0002, 0003' */
export function nameBranches(members: readonly { readonly branch: string }[], most = MAX_NAMED): string {
  const named = members.slice(0, most).map(({ branch }) => branch);
  const more = members.length - named.length;
  return more === 0 ? named.join(', ') : `${named.join(', ')} e outras ${more}`;
}

/** The branches that take part in a month. */
export function membersIn({ members }: Institution, month: Month): Member[] {
  return members.filter(({ baseMonth }) => baseMonth <= month);
}

/** The branch or branches of the books, for statements over their rows. */
export function branchesOf(books: ReportedBooks): BranchKey | BranchSet {
  if (!isOfBranches(books)) return books;
  return { companyId: books.companyId, branchIds: books.members.map(({ branchId }) => branchId) };
}
