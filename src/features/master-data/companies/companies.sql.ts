import type { Sql } from '../../../platform/database/sql.ts';
import { columnValues, recordsetColumns } from '../records/field-columns.ts';
import type { InputOf } from '../records/fields.ts';
import { BRANCH_COLUMNS, type BranchRow, COMPANY_COLUMNS, type CompanyRow } from './companies.read.sql.ts';
import { BRANCH_FIELDS, COMPANY_FIELDS } from './company-fields.ts';

/** Without a code: the next free number on creation, the present code on a change. */
export type CompanyInput = InputOf<typeof COMPANY_FIELDS> & { readonly code?: string | undefined };

export type BranchInput = InputOf<typeof BRANCH_FIELDS> & { readonly code: string };

export type NewCompany = CompanyInput & { readonly code: string; readonly active: boolean };

export type NewBranch = BranchInput & {
  readonly companyId: number;
  readonly headOffice: boolean;
  readonly active: boolean;
};

/** Those who want a generated code wait for one another, which saves them tries; the unique key keeps codes apart. */
export async function queueForCode(sql: Sql): Promise<void> {
  await sql.rows({ text: `SELECT pg_advisory_xact_lock(hashtext('company code'))` });
}

/** Without a code, the number after the highest one of at least four digits, '0001' first. */
export function insertCompany(sql: Sql, company: CompanyInput): Promise<CompanyRow> {
  const parameters: unknown[] = [company.code ?? null];
  const { columns, values } = columnValues(COMPANY_FIELDS, company, parameters);
  return sql.one<CompanyRow>({
    text: `INSERT INTO company (code, ${columns})
           VALUES (coalesce($1, (SELECT CASE WHEN max(other.code::bigint) >= 9999 THEN (max(other.code::bigint) + 1)::text
                                             ELSE lpad((coalesce(max(other.code::bigint), 0) + 1)::text, 4, '0') END
                                   FROM company AS other WHERE other.code ~ '^[0-9]{4,9}$')),
                   ${values})
           RETURNING ${COMPANY_COLUMNS}`,
    values: parameters,
  });
}

export function updateCompany(sql: Sql, id: number, company: CompanyInput): Promise<CompanyRow> {
  const parameters: unknown[] = [id, company.code ?? null];
  const { assignments } = columnValues(COMPANY_FIELDS, company, parameters);
  return sql.one<CompanyRow>({
    text: `UPDATE company SET code = coalesce($2, company.code), ${assignments}, updated_at = now()
            WHERE company.id = $1
           RETURNING ${COMPANY_COLUMNS}`,
    values: parameters,
  });
}

/** The row as it is, held until the end of the transaction. */
export function lockCompany(sql: Sql, id: number): Promise<CompanyRow | undefined> {
  return sql.maybe<CompanyRow>({
    text: `SELECT ${COMPANY_COLUMNS} FROM company WHERE company.id = $1 FOR UPDATE`,
    values: [id],
  });
}

export async function deleteCompanyRow(sql: Sql, id: number): Promise<void> {
  await sql.run({ text: 'DELETE FROM company WHERE company.id = $1', values: [id] });
}

/** Whole companies for a user. */
export async function grantCompanies(sql: Sql, userId: number, companyIds: readonly number[]): Promise<void> {
  await sql.run({
    text: `INSERT INTO user_permission (user_id, company_id)
           SELECT $1, granted.id FROM unnest($2::bigint[]) AS granted (id)
           ON CONFLICT DO NOTHING`,
    values: [userId, [...companyIds]],
  });
}

export function insertBranch(sql: Sql, companyId: number, branch: BranchInput): Promise<BranchRow> {
  const parameters: unknown[] = [companyId, branch.code];
  const { columns, values } = columnValues(BRANCH_FIELDS, branch, parameters);
  return sql.one<BranchRow>({
    text: `WITH added AS (
             INSERT INTO branch (company_id, code, ${columns}) VALUES ($1, $2, ${values}) RETURNING branch.*
           )
           SELECT ${BRANCH_COLUMNS} FROM added AS branch JOIN company ON company.id = branch.company_id`,
    values: parameters,
  });
}

export function updateBranch(sql: Sql, companyId: number, id: number, branch: BranchInput): Promise<BranchRow> {
  const parameters: unknown[] = [companyId, id, branch.code];
  const { assignments } = columnValues(BRANCH_FIELDS, branch, parameters);
  return sql.one<BranchRow>({
    text: `WITH changed AS (
             UPDATE branch SET code = $3, ${assignments}, updated_at = now()
              WHERE branch.company_id = $1 AND branch.id = $2
             RETURNING branch.*
           )
           SELECT ${BRANCH_COLUMNS} FROM changed AS branch JOIN company ON company.id = branch.company_id`,
    values: parameters,
  });
}

export async function lockBranch(sql: Sql, companyId: number, id: number): Promise<void> {
  await sql.rows({
    text: 'SELECT branch.id FROM branch WHERE branch.company_id = $1 AND branch.id = $2 FOR UPDATE',
    values: [companyId, id],
  });
}

export async function deleteBranchRow(sql: Sql, companyId: number, id: number): Promise<void> {
  await sql.run({
    text: 'DELETE FROM branch WHERE branch.company_id = $1 AND branch.id = $2',
    values: [companyId, id],
  });
}

/** Companies that have one of the codes, and their branches. */
export async function selectTakenCodes(
  sql: Sql,
  codes: readonly string[],
): Promise<{ companies: { id: number; code: string }[]; branches: { company: string; branch: string }[] }> {
  const companies = await sql.rows<{ id: number; code: string }>({
    text: 'SELECT company.id, company.code FROM company WHERE company.code = ANY ($1::text[])',
    values: [[...codes]],
  });
  const branches = await sql.rows<{ company: string; branch: string }>({
    text: `SELECT company.code AS company, branch.code AS branch
             FROM company
             JOIN branch ON branch.company_id = company.id
            WHERE company.code = ANY ($1::text[])`,
    values: [[...codes]],
  });
  return { companies, branches };
}

/** Many companies in one statement; what the program fills in by default must be given. */
export function insertCompanies(sql: Sql, companies: readonly NewCompany[]): Promise<{ id: number; code: string }[]> {
  const { columns, values, types } = recordsetColumns(COMPANY_FIELDS);
  return sql.rows({
    text: `INSERT INTO company (code, ${columns})
           SELECT added.code, ${values} FROM jsonb_to_recordset($1) AS added (code text, ${types})
           RETURNING company.id, company.code`,
    values: [JSON.stringify(companies)],
  });
}

/** Many branches in one statement; the same. */
export async function insertBranches(sql: Sql, branches: readonly NewBranch[]): Promise<void> {
  const { columns, values, types } = recordsetColumns(BRANCH_FIELDS);
  await sql.run({
    text: `INSERT INTO branch (company_id, code, ${columns})
           SELECT added."companyId", added.code, ${values}
             FROM jsonb_to_recordset($1) AS added ("companyId" bigint, code text, ${types})`,
    values: [JSON.stringify(branches)],
  });
}
