import type { BranchId, CompanyId } from '../../../accounting/ids.ts';
import type { Month } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import { selectList } from '../records/field-columns.ts';
import type { RowOf } from '../records/fields.ts';
import { assertWholeList, MAX_LISTED } from '../whole-list.ts';
import { BRANCH_FIELDS, COMPANY_FIELDS } from './company-fields.ts';

export type CompanyRow = RowOf<typeof COMPANY_FIELDS> & {
  readonly id: CompanyId;
  readonly code: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

export type BranchRow = RowOf<typeof BRANCH_FIELDS> & {
  readonly id: BranchId;
  readonly companyId: CompanyId;
  readonly company: string;
  readonly code: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

export const COMPANY_COLUMNS = SQL`company.id, company.code, ${selectList('company', COMPANY_FIELDS)},
  company.created_at AS "createdAt", company.updated_at AS "updatedAt"`;

export const BRANCH_COLUMNS = SQL`branch.id, branch.company_id AS "companyId", company.code AS company, branch.code,
  ${selectList('branch', BRANCH_FIELDS)}, branch.created_at AS "createdAt", branch.updated_at AS "updatedAt"`;

/** The companies that the caller sees, in the order of their codes. */
export async function selectCompanies(sql: Sql): Promise<CompanyRow[]> {
  const rows = await sql.rows<CompanyRow>(SQL`
    SELECT ${COMPANY_COLUMNS} FROM company
     ORDER BY natural_sort_key(company.code), company.id LIMIT ${MAX_LISTED + 1}`);
  return assertWholeList(rows);
}

export function selectCompany(sql: Sql, id: CompanyId): Promise<CompanyRow | undefined> {
  return sql.maybe<CompanyRow>(SQL`SELECT ${COMPANY_COLUMNS} FROM company WHERE company.id = ${id}`);
}

/** The branches that the caller can access, of all companies or of one. */
export async function selectBranches(sql: Sql, companyId?: CompanyId): Promise<BranchRow[]> {
  const rows = await sql.rows<BranchRow>(SQL`
    SELECT ${BRANCH_COLUMNS}
      FROM branch
      JOIN company ON company.id = branch.company_id
     WHERE (${companyId ?? null}::bigint IS NULL OR branch.company_id = ${companyId ?? null})
       AND can_access(branch.company_id, branch.id)
     ORDER BY natural_sort_key(company.code), natural_sort_key(branch.code), branch.id
     LIMIT ${MAX_LISTED + 1}`);
  return assertWholeList(rows);
}

/** The branches of that code that the caller can access, in all companies or in one. */
export function selectBranchesByCode(sql: Sql, code: string, companyId?: CompanyId): Promise<BranchRow[]> {
  return sql.rows<BranchRow>(SQL`
    SELECT ${BRANCH_COLUMNS}
      FROM branch
      JOIN company ON company.id = branch.company_id
     WHERE branch.code = ${code} AND (${companyId ?? null}::bigint IS NULL OR branch.company_id = ${companyId ?? null})
       AND can_access(branch.company_id, branch.id)
     ORDER BY natural_sort_key(company.code), branch.id`);
}

export function selectBranch(sql: Sql, companyId: CompanyId, id: BranchId): Promise<BranchRow | undefined> {
  return sql.maybe<BranchRow>(SQL`
    SELECT ${BRANCH_COLUMNS}
      FROM branch
      JOIN company ON company.id = branch.company_id
     WHERE branch.company_id = ${companyId} AND branch.id = ${id}`);
}

/** Whether any company has a branch of that code. */
export async function isBranchCode(sql: Sql, code: string): Promise<boolean> {
  const row = await sql.one<{ known: boolean }>(
    SQL`SELECT EXISTS (SELECT 1 FROM branch WHERE branch.code = ${code}) AS known`,
  );
  return row.known;
}

/** Open months of the company's branches that the caller can access. */
export function selectOpenMonthsOfCompany(
  sql: Sql,
  companyId: CompanyId,
): Promise<{ branchId: BranchId; month: Month }[]> {
  return sql.rows(SQL`
    SELECT month.branch_id AS "branchId", to_char(month.month, 'YYYY-MM') AS month
      FROM month
     WHERE month.company_id = ${companyId} AND month.state = 'OPEN' AND can_access(month.company_id, month.branch_id)
     ORDER BY month.branch_id, month.month`);
}
