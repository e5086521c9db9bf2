import type { BranchId, CompanyId } from '../../../accounting/ids.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import { recordsetColumns, rowOf } from '../records/field-columns.ts';
import type { InputOf } from '../records/fields.ts';
import { BRANCH_COLUMNS, type BranchRow, COMPANY_COLUMNS, type CompanyRow } from './companies.read.sql.ts';
import { BRANCH_FIELDS, COMPANY_FIELDS } from './company-fields.ts';

/** Without a code: the next free number on creation, the present code on a change. */
export type CompanyInput = InputOf<typeof COMPANY_FIELDS> & { readonly code?: string | undefined };

export type BranchInput = InputOf<typeof BRANCH_FIELDS> & { readonly code: string };

export type NewCompany = CompanyInput & { readonly code: string; readonly active: boolean };

export type NewBranch = BranchInput & {
  readonly companyId: CompanyId;
  readonly headOffice: boolean;
  readonly active: boolean;
};

/** Creators with a generated code wait for one another, which saves retries; the unique key guarantees uniqueness. */
export async function queueForCode(sql: Sql): Promise<void> {
  await sql.rows(SQL`SELECT pg_advisory_xact_lock(hashtext('company code'))`);
}

/** The number after the highest code of at least four digits, '0001' first. */
export async function selectNextCode(sql: Sql): Promise<string> {
  const { code } = await sql.one<{ code: string }>(SQL`
    SELECT CASE WHEN max(company.code::bigint) >= 9999 THEN (max(company.code::bigint) + 1)::text
                ELSE lpad((coalesce(max(company.code::bigint), 0) + 1)::text, 4, '0') END AS code
      FROM company WHERE company.code ~ '^[0-9]{4,9}$'`);
  return code;
}

export function insertCompany(sql: Sql, company: CompanyInput & { readonly code: string }): Promise<CompanyRow> {
  const row = { code: company.code, ...rowOf(COMPANY_FIELDS, company) };
  return sql.one<CompanyRow>(SQL`
    INSERT INTO company (${SQL.columns(row)}) VALUES (${SQL.values(row)})
    RETURNING ${COMPANY_COLUMNS}`);
}

export function updateCompany(sql: Sql, id: CompanyId, company: CompanyInput): Promise<CompanyRow> {
  const assignments = SQL.assignments(rowOf(COMPANY_FIELDS, company));
  return sql.one<CompanyRow>(SQL`
    UPDATE company SET code = coalesce(${company.code ?? null}, company.code), ${assignments}, updated_at = now()
     WHERE company.id = ${id}
    RETURNING ${COMPANY_COLUMNS}`);
}

/** The current row, locked until the end of the transaction. */
export function lockCompany(sql: Sql, id: CompanyId): Promise<CompanyRow | undefined> {
  return sql.maybe<CompanyRow>(SQL`SELECT ${COMPANY_COLUMNS} FROM company WHERE company.id = ${id} FOR UPDATE`);
}

export async function deleteCompanyRow(sql: Sql, id: CompanyId): Promise<void> {
  await sql.run(SQL`DELETE FROM company WHERE company.id = ${id}`);
}

/** Whole companies for a user. */
export async function grantCompanies(sql: Sql, userId: number, companyIds: readonly CompanyId[]): Promise<void> {
  await sql.run(SQL`
    INSERT INTO user_permission (user_id, company_id)
    SELECT ${userId}, granted.id FROM unnest(${companyIds}::bigint[]) AS granted (id)
    ON CONFLICT DO NOTHING`);
}

export function insertBranch(sql: Sql, companyId: CompanyId, branch: BranchInput): Promise<BranchRow> {
  const row = { company_id: companyId, code: branch.code, ...rowOf(BRANCH_FIELDS, branch) };
  return sql.one<BranchRow>(SQL`
    WITH added AS (INSERT INTO branch (${SQL.columns(row)}) VALUES (${SQL.values(row)}) RETURNING branch.*)
    SELECT ${BRANCH_COLUMNS} FROM added AS branch JOIN company ON company.id = branch.company_id`);
}

export function updateBranch(sql: Sql, companyId: CompanyId, id: BranchId, branch: BranchInput): Promise<BranchRow> {
  const row = { code: branch.code, ...rowOf(BRANCH_FIELDS, branch) };
  return sql.one<BranchRow>(SQL`
    WITH changed AS (
      UPDATE branch SET ${SQL.assignments(row)}, updated_at = now()
       WHERE branch.company_id = ${companyId} AND branch.id = ${id}
      RETURNING branch.*
    )
    SELECT ${BRANCH_COLUMNS} FROM changed AS branch JOIN company ON company.id = branch.company_id`);
}

export async function lockBranch(sql: Sql, companyId: CompanyId, id: BranchId): Promise<void> {
  await sql.rows(
    SQL`SELECT branch.id FROM branch WHERE branch.company_id = ${companyId} AND branch.id = ${id} FOR UPDATE`,
  );
}

export async function deleteBranchRow(sql: Sql, companyId: CompanyId, id: BranchId): Promise<void> {
  await sql.run(SQL`DELETE FROM branch WHERE branch.company_id = ${companyId} AND branch.id = ${id}`);
}

/** Companies that have one of the codes, and their branches. */
export async function selectTakenCodes(
  sql: Sql,
  codes: readonly string[],
): Promise<{ companies: { id: CompanyId; code: string }[]; branches: { company: string; branch: string }[] }> {
  const companies = await sql.rows<{ id: CompanyId; code: string }>(
    SQL`SELECT company.id, company.code FROM company WHERE company.code = ANY (${codes}::text[])`,
  );
  const branches = await sql.rows<{ company: string; branch: string }>(SQL`
    SELECT company.code AS company, branch.code AS branch
      FROM company
      JOIN branch ON branch.company_id = company.id
     WHERE company.code = ANY (${codes}::text[])`);
  return { companies, branches };
}

/** Many companies in one statement; what the program fills in by default must be given. */
export function insertCompanies(
  sql: Sql,
  companies: readonly NewCompany[],
): Promise<{ id: CompanyId; code: string }[]> {
  const { columns, values, types } = recordsetColumns(COMPANY_FIELDS);
  return sql.rows(SQL`
    INSERT INTO company (code, ${columns})
    SELECT added.code, ${values} FROM jsonb_to_recordset(${JSON.stringify(companies)}) AS added (code text, ${types})
    RETURNING company.id, company.code`);
}

/** Many branches in one statement; the same. */
export async function insertBranches(sql: Sql, branches: readonly NewBranch[]): Promise<void> {
  const { columns, values, types } = recordsetColumns(BRANCH_FIELDS);
  // With RETURNING, a cluster writes rows one by one instead of by COPY, which row-level security forbids.
  await sql.rows(SQL`
    INSERT INTO branch (company_id, code, ${columns})
    SELECT added."companyId", added.code, ${values}
      FROM jsonb_to_recordset(${JSON.stringify(branches)}) AS added ("companyId" bigint, code text, ${types})
    RETURNING branch.id`);
}
