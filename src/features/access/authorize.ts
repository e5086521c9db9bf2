import { LRUCache } from 'lru-cache';
import type { BranchId, CompanyId } from '../../accounting/ids.ts';
import { BusinessError, problem, reject } from '../../accounting/problem.ts';
import { recordRef } from '../../accounting/record-name.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Scope } from '../../platform/database/scope.ts';
import { SYSTEM_SCOPE, type SystemSql, systemSql } from '../../platform/database/system-scope.ts';
import {
  type Access,
  type CompanyTenant,
  INSTITUTION,
  type InstitutionTenant,
  type RecordTable,
  type RoutineCode,
  TENANT_RECORDS,
  type TenantCodes,
  type TenantRecord,
} from './access.ts';
import {
  selectRecordTenants,
  selectTenant,
  selectTenants,
  selectUserState,
  type TenantRow,
  type UserState,
} from './permissions.read.sql.ts';
import { RecentReads } from './recent-reads.ts';

/** The outcome of authorization: the request's tenants, and the scope of its database work. */
export interface Authorization {
  readonly tenants: readonly CompanyTenant[];
  readonly scope: Scope;
}

export interface Authorizer {
  /**
   * The user of a valid token; undefined when absent, inactive or expired, or when the token was made for other
   * credentials than the present ones. At most STATE_AGE_MS old.
   */
  userState(userId: number, credentialVersion: number): Promise<UserState | undefined>;
  /** Throws 403 or 404, or returns what the request may access. */
  authorize<Input>(access: Access<Input>, input: Input, user: UserState | undefined): Promise<Authorization>;
  /** The same, with the same memory, that reads on the connections of another service. */
  reading(database: Database): Authorizer;
  /** Forgets cached users and tenants of this process, after a change of rights or a deletion. */
  forget(): void;
}

const NOBODY: Scope = { companies: [], wholeCompanies: [], branches: [] };

/** The one mechanism that decides on every route of every service (domain: tenancy and permission). */
export function createAuthorizer(database: Database, now: () => Date, memory = new Memory()): Authorizer {
  const everything = systemSql(database);
  const { users } = memory;
  const finder = new TenantFinder(database, everything, memory);

  const recentState = async (userId: number, credentialVersion: number) => {
    const cached = users.get(userId);
    // A token newer than the cached state was made after a change in another process.
    if (cached && credentialVersion <= (cached.state?.credentialVersion ?? 0)) return cached.state;
    const read = await users.read(userId, async () => ({ state: await selectUserState(everything, userId) }));
    return read?.state;
  };

  return {
    async userState(userId, credentialVersion) {
      const state = await recentState(userId, credentialVersion);
      if (!state?.active || (state.expiresAt !== null && state.expiresAt <= now())) return undefined;
      return state.credentialVersion === credentialVersion ? state : undefined;
    },
    reading: (other) => createAuthorizer(other, now, memory),
    forget: () => memory.forget(),
    async authorize(access, input, user) {
      if (access.to === 'anyone') return { tenants: [], scope: NOBODY };
      if (!user) reject('UNAUTHENTICATED');
      if (access.to === 'admins') {
        if (!user.admin) reject('ADMIN_ONLY');
        return { tenants: [], scope: SYSTEM_SCOPE };
      }
      if (access.to === 'tenant' && access.admin && !user.admin) reject('ADMIN_ONLY');
      const tenants = await finder.tenantsOf(access, input, user);
      if (access.to !== 'anyUser' && tenants.length === 0) requireSomeTenant(user);
      requireRoutine(user, access.routine);
      return { tenants, scope: tenants.length > 0 ? scopeOfTenants(tenants, user) : scopeOf(user) };
    },
  };
}

/** What was read lately. */
class Memory {
  readonly users = new RecentReads<number, { state: UserState | undefined }>(10_000);
  readonly tenantRows = new RecentReads<string, TenantRow>(50_000);
  // The tenant of a document that is posted to never changes; an absent one is rejected by the posting itself.
  readonly documents = new LRUCache<number, TenantRow>({ max: 50_000 });

  forget(): void {
    this.users.clear();
    this.documents.clear();
    this.tenantRows.clear();
  }
}

/** The tenants that a request names, by their codes or by its records. */
class TenantFinder {
  private readonly database: Database;
  private readonly everything: SystemSql;
  private readonly memory: Memory;

  constructor(database: Database, everything: SystemSql, memory: Memory) {
    this.database = database;
    this.everything = everything;
    this.memory = memory;
  }

  /** Throws 404 for absent tenants and records, and 403 for tenants that the user cannot access. */
  async tenantsOf<Input>(access: Access<Input>, input: Input, user: UserState): Promise<CompanyTenant[]> {
    if (access.to === 'tenant') {
      if (access.unreached) return this.reachedTenants(asArray(access.of(input)), user, access.unreached);
      const tenants: CompanyTenant[] = [];
      for (const codes of distinctTenantCodes(asArray(access.of(input)))) {
        const isWhole = access.institution === true && codes.branch === INSTITUTION;
        tenants.push(await (isWhole ? this.institution(codes.company, user) : this.tenantByCodes(codes, user)));
      }
      return tenants;
    }
    if (access.to !== 'record') return [];
    const record = typeof access.record === 'function' ? access.record(input) : access.record;
    return this.tenantsByRecord(record, asArray(access.id(input)), user);
  }

  private async tenantByCodes({ company, branch }: TenantCodes, user: UserState): Promise<CompanyTenant> {
    const found = await this.tenantByCode(company, branch ?? null);
    if (!found) reject('NOT_FOUND', recordRef('Company', company));
    if (branch !== undefined && found.branchId === null) reject('NOT_FOUND', recordRef('Branch', branch));
    if (!canAccess(user, found, branch === undefined)) reject('TENANT_DENIED', { company, branch: branch ?? '*' });
    return tenantOf(found);
  }

  /** Those that are there for the user. A company without any permission is answered like one that does not exist. */
  private async reachedTenants(
    named: readonly TenantCodes[],
    user: UserState,
    unreached: (codes: TenantCodes, absent: 'company' | 'branch') => void,
  ): Promise<CompanyTenant[]> {
    const codes = distinctTenantCodes(named);
    const rows = await selectTenants(this.everything, codes);
    const found = new Map(rows.map((row) => [tenantKey(row.company, row.wanted), row]));
    return codes.flatMap((each) => {
      const row = found.get(tenantKey(each.company, each.branch ?? null));
      const isThere = row !== undefined && (each.branch === undefined || row.branchId !== null);
      if (isThere && canAccess(user, row, each.branch === undefined)) return [tenantOf(row)];
      unreached(each, row && canAccess(user, row, true) ? 'branch' : 'company');
      return [];
    });
  }

  /** A permission on each of the present branches is not enough: the next branch would be in the sum too. */
  private async institution(code: string, user: UserState): Promise<InstitutionTenant> {
    const found = await this.tenantByCode(code, null);
    if (!found) reject('NOT_FOUND', recordRef('Company', code));
    const { companyId, company } = found;
    if (!user.admin && !user.wholeCompanies.includes(companyId)) {
      reject('TENANT_DENIED', { company, branch: INSTITUTION });
    }
    return { companyId, company, branch: INSTITUTION };
  }

  private async tenantByCode(company: string, branch: string | null): Promise<TenantRow | undefined> {
    const key = tenantKey(company, branch);
    const known = this.memory.tenantRows.get(key);
    if (known) return known;
    // Absence is not cached: the record may be created at any time.
    const isWhole = (found: TenantRow) => branch === null || found.branchId !== null;
    return this.memory.tenantRows.read(key, () => selectTenant(this.everything, company, branch), isWhole);
  }

  private async tenantsByRecord(
    record: TenantRecord,
    ids: readonly number[],
    user: UserState,
  ): Promise<CompanyTenant[]> {
    const [only] = ids;
    const cached = record === 'postedDocument' && ids.length === 1 ? this.memory.documents.get(only!) : undefined;
    const rows = cached
      ? [{ ...cached, recordId: only! }]
      : await selectRecordTenants(this.database.under(scopeOf(user)), record, ids);
    const { ofWholeCompany = false }: RecordTable = TENANT_RECORDS[record];
    const visible = rows.filter((row) => canAccess(user, row, row.branchId === null && !ofWholeCompany));
    const missing = ids.filter((id) => !visible.some((row) => row.recordId === id));
    if (missing.length > 0) {
      const name = TENANT_RECORDS[record].name;
      throw new BusinessError(missing.slice(0, 100).map((id) => problem('NOT_FOUND', recordRef(name, id), 'id')));
    }
    if (record === 'postedDocument') for (const row of visible) this.memory.documents.set(row.recordId, row);
    return distinctTenants(visible);
  }
}

/** Throws 403 for users without the routine. A missing routine admits administrators only. */
export function requireRoutine(user: Pick<UserState, 'admin' | 'routines'>, routine: RoutineCode | undefined): void {
  if (routine !== undefined && !isRoutineGranted(user, routine)) reject('ROUTINE_DENIED', { routine });
}

export function isRoutineGranted(user: Pick<UserState, 'admin' | 'routines'>, routine: RoutineCode): boolean {
  return user.admin || user.routines.includes(routine);
}

/** Data without tenant is still closed to users without any permission. */
export function requireSomeTenant(user: UserState): void {
  if (!user.admin && user.wholeCompanies.length === 0 && user.branches.length === 0) reject('NO_PERMISSION');
}

/** Everything that the user can access. */
function scopeOf(user: UserState): Scope {
  if (user.admin) return SYSTEM_SCOPE;
  return {
    companies: [...new Set([...user.wholeCompanies, ...user.branchCompanies])].sort((a, b) => a - b),
    wholeCompanies: user.wholeCompanies,
    branches: user.branches,
  };
}

/** Whether a user as he is now reaches the branch and is granted the routines. */
export function mayStill(
  user: UserState | undefined,
  branch: { readonly companyId: CompanyId; readonly branchId: BranchId },
  routines: readonly RoutineCode[],
  now: Date,
): boolean {
  if (!user?.active || (user.expiresAt !== null && user.expiresAt <= now)) return false;
  const isReached =
    user.admin || user.wholeCompanies.includes(branch.companyId) || user.branches.includes(branch.branchId);
  return isReached && routines.every((routine) => isRoutineGranted(user, routine));
}

/** Any permission on a company opens it as a whole: its branches are then filtered one by one. */
function canAccess(user: UserState, tenant: TenantRow, companyOnly: boolean): boolean {
  if (user.admin || user.wholeCompanies.includes(tenant.companyId)) return true;
  if (companyOnly) return user.branchCompanies.includes(tenant.companyId);
  return tenant.branchId !== null && user.branches.includes(tenant.branchId);
}

/** Only the named tenants; a company as a whole keeps to the branches that the user can access in it. */
function scopeOfTenants(tenants: readonly CompanyTenant[], user: UserState): Scope {
  const asWhole = tenants.filter((tenant) => tenant.branchId === undefined).map((tenant) => tenant.companyId);
  return {
    companies: [...new Set(tenants.map((tenant) => tenant.companyId))],
    wholeCompanies: asWhole.filter((id) => user.admin || user.wholeCompanies.includes(id)),
    branches: [...tenants.flatMap((tenant) => tenant.branchId ?? []), ...(asWhole.length > 0 ? user.branches : [])],
  };
}

function tenantKey(company: string, branch: string | null): string {
  return JSON.stringify([company, branch]);
}

function tenantOf(row: TenantRow): CompanyTenant {
  const { companyId, company, branchId, branch } = row;
  return branchId === null || branch === null ? { companyId, company } : { companyId, company, branchId, branch };
}

function distinctTenants(rows: readonly TenantRow[]): CompanyTenant[] {
  return [...new Map(rows.map((row) => [`${row.companyId}/${row.branchId}`, tenantOf(row)])).values()];
}

function distinctTenantCodes(codes: readonly TenantCodes[]): TenantCodes[] {
  return [...new Map(codes.map((each) => [JSON.stringify([each.company, each.branch]), each])).values()];
}

function asArray<T>(value: T | readonly T[]): readonly T[] {
  return Array.isArray(value) ? (value as readonly T[]) : [value as T];
}
