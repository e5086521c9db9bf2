import type { BranchId, CompanyId } from '../../accounting/ids.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { SQL } from '../../platform/database/statement.ts';
import { offsetOf, type PageRequest } from '../../platform/page-request.ts';
import type { RoutineCode } from './access.ts';
import { matches, type Permission } from './users.read.sql.ts';

/** A secret without itself. */
export interface SecretRow {
  readonly id: number;
  readonly description: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
}

export interface ServiceAccountRow {
  readonly id: number;
  /** The client id. */
  readonly username: string;
  readonly name: string;
  readonly active: boolean;
  readonly expiresAt: Date | null;
  readonly permissions: readonly Permission[];
  readonly routines: readonly RoutineCode[];
  readonly networks: readonly string[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const ACCOUNT_COLUMNS = SQL`
  app_user.id, app_user.username, app_user.name, app_user.active, app_user.expires_at AS "expiresAt",
  coalesce((SELECT jsonb_agg(jsonb_build_object('company', company.code, 'branch', branch.code)
                             ORDER BY company.code, branch.code NULLS FIRST)
              FROM user_permission
              JOIN company ON company.id = user_permission.company_id
              LEFT JOIN branch ON branch.company_id = user_permission.company_id AND branch.id = user_permission.branch_id
             WHERE user_permission.user_id = app_user.id), '[]') AS permissions,
  service_account.routines, service_account.networks,
  app_user.created_at AS "createdAt", app_user.updated_at AS "updatedAt"`;

export function selectServiceAccount(sql: Sql, id: number): Promise<ServiceAccountRow | undefined> {
  return sql.maybe<ServiceAccountRow>(SQL`
    SELECT ${ACCOUNT_COLUMNS} FROM app_user JOIN service_account ON service_account.user_id = app_user.id
     WHERE app_user.id = ${id}`);
}

/** Service accounts by name whose client id or name holds the text. */
export function selectServiceAccounts(
  sql: Sql,
  search: string | undefined,
  slice: PageRequest,
): Promise<ServiceAccountRow[]> {
  return sql.rows<ServiceAccountRow>(SQL`
    SELECT ${ACCOUNT_COLUMNS} FROM app_user JOIN service_account ON service_account.user_id = app_user.id
     WHERE ${matches(search)} ORDER BY lower(app_user.username), app_user.id
     LIMIT ${slice.size} OFFSET ${offsetOf(slice)}`);
}

export async function countServiceAccounts(sql: Sql, search: string | undefined): Promise<number> {
  const { count } = await sql.one<{ count: number }>(SQL`
    SELECT count(*) AS count FROM app_user JOIN service_account ON service_account.user_id = app_user.id
     WHERE ${matches(search)}`);
  return count;
}

/** The secrets of accounts, each with its account, the oldest first. */
export function selectSecrets(
  sql: Sql,
  accountIds: readonly number[],
): Promise<(SecretRow & { readonly accountId: number })[]> {
  return sql.rows(SQL`
    SELECT service_secret.user_id AS "accountId", service_secret.id, service_secret.description,
           service_secret.created_at AS "createdAt", service_secret.expires_at AS "expiresAt",
           service_secret.last_used_at AS "lastUsedAt"
      FROM service_secret WHERE service_secret.user_id = ANY (${accountIds}::bigint[]) ORDER BY service_secret.id`);
}

/** Codes of whole companies and of branches. */
export function selectTenantNames(
  sql: Sql,
  companyIds: readonly CompanyId[],
  branchIds: readonly BranchId[],
): Promise<Permission[]> {
  return sql.rows<Permission>(SQL`
    SELECT company.code AS company, NULL AS branch FROM company WHERE company.id = ANY (${companyIds}::bigint[])
     UNION ALL
    SELECT company.code, branch.code FROM branch JOIN company ON company.id = branch.company_id
     WHERE branch.id = ANY (${branchIds}::bigint[])
     ORDER BY 1, 2 NULLS FIRST`);
}
