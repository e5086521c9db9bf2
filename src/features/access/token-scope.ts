import { asId, type BranchId, type CompanyId } from '../../accounting/ids.ts';
import { reject } from '../../accounting/problem.ts';
import type { Sql } from '../../platform/database/sql.ts';
import type { TokenRights } from '../../platform/token.ts';
import type { TenantCodes } from './access.ts';
import { selectTenants, type TenantRow, type UserState } from './permissions.read.sql.ts';
import { selectTenantNames } from './service-accounts.read.sql.ts';

/** A token stays well below what a header may hold. */
const MAX_NAMES = 30;

/** What a token opens: its text (RFC 6749, 3.3), and the rights themselves where they are less than the account's. */
export interface GrantedScope {
  readonly scope: string;
  readonly rights?: TokenRights;
}

/**
 * The scope that an account asks for, such as `routine:IMPORT company:0001 branch:0001/0002` with percent-encoded codes.
 * Routines are exactly those named; companies and branches too, or all of the account's where none is named. Throws
 * INVALID_SCOPE for anything that the account does not have, whether it exists or not.
 */
export async function grantedScope(sql: Sql, user: UserState, asked: string | undefined): Promise<GrantedScope> {
  if (asked === undefined || asked === '') return { scope: await wholeScope(sql, user) };
  const names = [...new Set(asked.split(' '))];
  const routines = names.flatMap((name) => /^routine:(.+)$/.exec(name)?.[1] ?? []);
  const tenants = names.flatMap((name) => tenantNamed(name) ?? []);
  const isKnown = names.length <= MAX_NAMES && routines.length + tenants.length === names.length;
  const held: readonly string[] = user.routines;
  if (!isKnown || routines.some((each) => !held.includes(each))) reject('INVALID_SCOPE');
  const scope = names.join(' ');
  if (tenants.length === 0) return { scope, rights: { routines } };
  return { scope, rights: { routines, tenants: await tenantRights(sql, user, tenants) } };
}

function tenantNamed(name: string): TenantCodes | undefined {
  const [, companyOnly, company = companyOnly, branch] =
    /^(?:company:([^/]+)|branch:([^/]+)\/([^/]+))$/.exec(name) ?? [];
  const codes = [company, branch].map((code) => (code === undefined ? undefined : decoded(code)));
  if (codes[0] === undefined || (branch !== undefined && codes[1] === undefined)) return undefined;
  return { company: codes[0], branch: codes[1] };
}

function decoded(code: string): string | undefined {
  try {
    return decodeURIComponent(code);
  } catch {
    return undefined;
  }
}

async function tenantRights(
  sql: Sql,
  user: UserState,
  named: readonly TenantCodes[],
): Promise<NonNullable<TokenRights['tenants']>> {
  const rows = await selectTenants(sql, named);
  const isHeld = ({ companyId, branchId, wanted }: TenantRow & { wanted: string | null }) =>
    wanted === null ? user.wholeCompanies.includes(companyId) : branchId !== null && reaches(user, companyId, branchId);
  if (rows.length < named.length || !rows.every(isHeld)) reject('INVALID_SCOPE');
  return {
    companies: rows.filter(({ wanted }) => wanted === null).map(({ companyId }) => companyId),
    branches: rows.flatMap(({ companyId, branchId, wanted }) =>
      wanted === null || branchId === null ? [] : [[companyId, branchId] as const],
    ),
  };
}

function reaches(user: UserState, companyId: CompanyId, branchId: BranchId): boolean {
  return user.wholeCompanies.includes(companyId) || user.branches.includes(branchId);
}

/** Everything that the account has. */
async function wholeScope(sql: Sql, user: UserState): Promise<string> {
  const tenants = await selectTenantNames(sql, user.wholeCompanies, user.branches);
  const names = tenants.map(({ company, branch }) =>
    branch === null
      ? `company:${encodeURIComponent(company)}`
      : `branch:${encodeURIComponent(company)}/${encodeURIComponent(branch)}`,
  );
  return [...user.routines.map((routine) => `routine:${routine}`), ...names].join(' ');
}

/** The user with no more rights than its token: what either lacks is gone. */
export function narrowed(user: UserState, { routines, tenants }: TokenRights): UserState {
  const held = { ...user, admin: false, routines: user.routines.filter((each) => routines.includes(each)) };
  if (!tenants) return held;
  const branches = tenants.branches
    .map(([company, branch]) => ({ companyId: asId<CompanyId>(company), branchId: asId<BranchId>(branch) }))
    .filter(({ companyId, branchId }) => reaches(user, companyId, branchId));
  return {
    ...held,
    wholeCompanies: user.wholeCompanies.filter((id) => tenants.companies.includes(id)),
    branchCompanies: [...new Set(branches.map(({ companyId }) => companyId))],
    branches: branches.map(({ branchId }) => branchId),
  };
}
