import type { BranchId, CompanyId } from '../../accounting/ids.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { type Fragment, SQL } from '../../platform/database/statement.ts';
import { type RoutineCode, TENANT_RECORDS, type TenantRecord } from './access.ts';

export interface UserState {
  readonly id: number;
  readonly username: string;
  readonly admin: boolean;
  /** A machine: it decides nothing that a person must. */
  readonly service: boolean;
  /** CIDR networks that it may come from; none: from anywhere. */
  readonly networks: readonly string[];
  readonly active: boolean;
  readonly expiresAt: Date | null;
  /** Tokens of another version are rejected. */
  readonly credentialVersion: number;
  /** Companies that the user can access as a whole, and single branches with their companies. */
  readonly wholeCompanies: readonly CompanyId[];
  readonly branchCompanies: readonly CompanyId[];
  readonly branches: readonly BranchId[];
  /** Routines granted to this user: by a row in force, or because they are open and the user has a tenant. */
  readonly routines: readonly RoutineCode[];
}

/** Everything that decides what a user may do, own and inherited from active groups, in one statement. */
export function selectUserState(sql: Sql, userId: number): Promise<UserState | undefined> {
  const rights = rightsOf(SQL`${userId}`);
  return sql.maybe<UserState>(SQL.named('user-state')`
${rights.given}
SELECT app_user.id, app_user.username, app_user.admin, app_user.kind = 'SERVICE' AS service,
      coalesce(service_account.networks, '{}') AS networks, app_user.active, app_user.expires_at AS "expiresAt",
      app_user.credential_version AS "credentialVersion",
      ARRAY(SELECT permission.company_id FROM permission WHERE permission.branch_id IS NULL
             ORDER BY 1) AS "wholeCompanies",
      ARRAY(SELECT DISTINCT permission.company_id FROM permission WHERE permission.branch_id IS NOT NULL
             ORDER BY 1) AS "branchCompanies",
      ARRAY(SELECT permission.branch_id FROM permission WHERE permission.branch_id IS NOT NULL
             ORDER BY 1) AS "branches",
      ${rights.routines} AS routines
 FROM app_user
 LEFT JOIN service_account ON service_account.user_id = app_user.id
WHERE app_user.id = ${userId}`);
}

/** Of one user: `given` begins a statement, `routines` are the codes of those granted, for the place of a column. */
export function rightsOf(user: Fragment): { readonly given: Fragment; readonly routines: Fragment } {
  const given = SQL`
WITH today AS (
 SELECT (now() AT TIME ZONE 'America/Sao_Paulo')::date AS day
), membership AS (
 SELECT group_member.group_id
   FROM group_member
   JOIN user_group ON user_group.id = group_member.group_id AND user_group.active
  WHERE group_member.user_id = ${user}
), permission AS (
 SELECT user_permission.company_id, user_permission.branch_id
   FROM user_permission
  WHERE user_permission.user_id = ${user}
 UNION
 SELECT group_permission.company_id, group_permission.branch_id
   FROM group_permission
   JOIN membership ON membership.group_id = group_permission.group_id
)`;
  const routines = SQL`
      ARRAY(SELECT routine.code
              FROM routine
             WHERE EXISTS (
                   SELECT 1
                     FROM routine_access
                    CROSS JOIN today
                    WHERE routine_access.routine_id = routine.id AND routine_access.active
                      -- The guarded actions change or start something: reading alone opens none of them.
                      AND (routine_access.can_write OR routine_access.can_execute)
                      AND (routine_access.valid_from IS NULL OR routine_access.valid_from <= today.day)
                      AND (routine_access.valid_to IS NULL OR routine_access.valid_to >= today.day)
                      AND (routine_access.user_id = ${user}
                           OR routine_access.group_id IN (SELECT membership.group_id FROM membership)))
                OR (NOT routine.restricted
                    AND NOT EXISTS (SELECT 1 FROM routine_access WHERE routine_access.routine_id = routine.id)
                    AND EXISTS (SELECT 1 FROM permission)
                    -- What is open to people is given to machines by name.
                    AND NOT EXISTS (SELECT 1 FROM service_account WHERE service_account.user_id = ${user}))
                OR routine.code IN (SELECT unnest(service_account.routines)
                                      FROM service_account WHERE service_account.user_id = ${user})
             ORDER BY routine.code)`;
  return { given, routines };
}

export interface TenantRow {
  readonly companyId: CompanyId;
  readonly company: string;
  readonly branchId: BranchId | null;
  readonly branch: string | null;
}

/** Ids of a company's code and a branch's code; the branch columns are null where the branch does not exist. */
export function selectTenant(sql: Sql, company: string, branch: string | null): Promise<TenantRow | undefined> {
  return sql.maybe<TenantRow>(SQL.named('tenant-by-code')`
    SELECT company.id AS "companyId", company.code AS company, branch.id AS "branchId", branch.code AS branch
      FROM company
      LEFT JOIN branch ON branch.company_id = company.id AND branch.code = ${branch}
     WHERE company.code = ${company}`);
}

/** The same for many: a company that does not exist has no row. */
export function selectTenants(
  sql: Sql,
  codes: readonly { readonly company: string; readonly branch?: string | undefined }[],
): Promise<(TenantRow & { wanted: string | null })[]> {
  return sql.rows(SQL`
    SELECT company.id AS "companyId", company.code AS company, branch.id AS "branchId", branch.code AS branch,
           named.branch AS wanted
      FROM unnest(${codes.map((each) => each.company)}::text[], ${codes.map((each) => each.branch ?? null)}::text[])
             AS named (company, branch)
      JOIN company ON company.code = named.company
      LEFT JOIN branch ON branch.company_id = company.id AND branch.code = named.branch`);
}

export interface RecordTenantRow extends TenantRow {
  readonly recordId: number;
}

/** Tenants of records by id, among the companies that the scope lets through. */
export function selectRecordTenants(
  sql: Sql,
  record: TenantRecord,
  ids: readonly number[],
): Promise<RecordTenantRow[]> {
  const { table, company, branch } = TENANT_RECORDS[record];
  const owner = SQL.identifier(`${table}.${company}`);
  const place = branch === null ? SQL`NULL::bigint` : SQL.identifier(`${table}.${branch}`);
  return sql.rows<RecordTenantRow>(SQL.named(`tenant-of-${record}`)`
    SELECT held.id AS "recordId", company.id AS "companyId", company.code AS company,
           branch.id AS "branchId", branch.code AS branch
      FROM (SELECT ${SQL.identifier(table)}.id, ${owner} AS company_id, ${place} AS branch_id
              FROM ${SQL.identifier(table)}
             WHERE ${owner} = ANY (ARRAY(SELECT company.id FROM company))
               AND ${SQL.identifier(table)}.id = ANY (${ids}::bigint[])) AS held
      JOIN company ON company.id = held.company_id
      LEFT JOIN branch ON branch.company_id = held.company_id AND branch.id = held.branch_id`);
}
