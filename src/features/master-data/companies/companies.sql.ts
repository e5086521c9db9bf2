import type { Day } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import {
  type Address,
  BRANCH_COLUMNS,
  type BranchRow,
  COMPANY_COLUMNS,
  type CompanyRow,
} from './companies.read.sql.ts';

export type AddressInput = { readonly [Field in keyof Address]?: string | undefined };

export interface CompanyInput extends AddressInput {
  /** Absent: the next free number on creation, the present code on a change. */
  readonly code?: string | undefined;
  readonly name: string;
  readonly cnpj: string;
  readonly zipCode: string;
  readonly tradeName?: string | undefined;
  readonly phone?: string | undefined;
  readonly email?: string | undefined;
  readonly nire?: string | undefined;
  readonly nireDate?: Day | undefined;
  readonly institutionType?: string | undefined;
  readonly active: boolean;
}

export interface BranchInput extends AddressInput {
  readonly code: string;
  readonly name: string;
  readonly cnpj?: string | undefined;
  readonly headOffice: boolean;
  readonly nire?: string | undefined;
  readonly nireDate?: Day | undefined;
  readonly active: boolean;
}

/** Those who want a generated code wait for one another, which saves them tries; the unique key keeps codes apart. */
export async function queueForCode(sql: Sql): Promise<void> {
  await sql.rows({ text: `SELECT pg_advisory_xact_lock(hashtext('company code'))` });
}

/** Without a code, the number after the highest one of at least four digits, '0001' first. */
export function insertCompany(sql: Sql, company: CompanyInput): Promise<CompanyRow> {
  return sql.one<CompanyRow>({
    text: `INSERT INTO company (code, name, cnpj, zip_code, trade_name, street, number, complement, district, city, state,
                                ibge_code, phone, email, nire, nire_date, institution_type, active)
           VALUES (coalesce($1, (SELECT CASE WHEN max(other.code::bigint) >= 9999 THEN (max(other.code::bigint) + 1)::text
                                             ELSE lpad((coalesce(max(other.code::bigint), 0) + 1)::text, 4, '0') END
                                   FROM company AS other WHERE other.code ~ '^[0-9]{4,9}$')),
                   $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
           RETURNING ${COMPANY_COLUMNS}`,
    values: companyValues(company),
  });
}

export function updateCompany(sql: Sql, id: number, company: CompanyInput): Promise<CompanyRow> {
  return sql.one<CompanyRow>({
    text: `UPDATE company
              SET code = coalesce($1, company.code), name = $2, cnpj = $3, zip_code = $4, trade_name = $5, street = $6,
                  number = $7, complement = $8, district = $9, city = $10, state = $11, ibge_code = $12, phone = $13,
                  email = $14, nire = $15, nire_date = $16, institution_type = $17, active = $18, updated_at = now()
            WHERE company.id = $19
           RETURNING ${COMPANY_COLUMNS}`,
    values: [...companyValues(company), id],
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
  return sql.one<BranchRow>({
    text: `WITH added AS (
             INSERT INTO branch (company_id, code, name, cnpj, head_office, zip_code, street, number, complement, district,
                                 city, state, ibge_code, nire, nire_date, active)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
             RETURNING branch.*
           )
           SELECT ${BRANCH_COLUMNS} FROM added AS branch JOIN company ON company.id = branch.company_id`,
    values: [companyId, ...branchValues(branch)],
  });
}

export function updateBranch(sql: Sql, companyId: number, id: number, branch: BranchInput): Promise<BranchRow> {
  return sql.one<BranchRow>({
    text: `WITH changed AS (
             UPDATE branch
                SET code = $2, name = $3, cnpj = $4, head_office = $5, zip_code = $6, street = $7, number = $8,
                    complement = $9, district = $10, city = $11, state = $12, ibge_code = $13, nire = $14, nire_date = $15,
                    active = $16, updated_at = now()
              WHERE branch.company_id = $1 AND branch.id = $17
             RETURNING branch.*
           )
           SELECT ${BRANCH_COLUMNS} FROM changed AS branch JOIN company ON company.id = branch.company_id`,
    values: [companyId, ...branchValues(branch), id],
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

/** Many companies in one statement. */
export function insertCompanies(sql: Sql, companies: readonly CompanyInput[]): Promise<{ id: number; code: string }[]> {
  return sql.rows({
    text: `INSERT INTO company (code, name, cnpj, zip_code, trade_name, street, number, complement, district, city, state,
                                ibge_code, phone, email, nire, nire_date, institution_type, active)
           SELECT added.code, added.name, added.cnpj, added."zipCode", added."tradeName", added.street, added.number,
                  added.complement, added.district, added.city, added.state, added."ibgeCode", added.phone, added.email,
                  added.nire, added."nireDate", added."institutionType", added.active
             FROM jsonb_to_recordset($1) AS added (
                  code text, name text, cnpj text, "zipCode" text, "tradeName" text, street text, number text,
                  complement text, district text, city text, state text, "ibgeCode" text, phone text, email text,
                  nire text, "nireDate" date, "institutionType" text, active boolean)
           RETURNING company.id, company.code`,
    values: [JSON.stringify(companies)],
  });
}

/** Many branches in one statement. */
export async function insertBranches(
  sql: Sql,
  branches: readonly (BranchInput & { readonly companyId: number })[],
): Promise<void> {
  await sql.run({
    text: `INSERT INTO branch (company_id, code, name, cnpj, head_office, zip_code, street, number, complement, district,
                               city, state, ibge_code, nire, nire_date, active)
           SELECT added."companyId", added.code, added.name, added.cnpj, added."headOffice", added."zipCode", added.street,
                  added.number, added.complement, added.district, added.city, added.state, added."ibgeCode", added.nire,
                  added."nireDate", added.active
             FROM jsonb_to_recordset($1) AS added (
                  "companyId" bigint, code text, name text, cnpj text, "headOffice" boolean, "zipCode" text, street text,
                  number text, complement text, district text, city text, state text, "ibgeCode" text, nire text,
                  "nireDate" date, active boolean)`,
    values: [JSON.stringify(branches)],
  });
}

function companyValues(company: CompanyInput): unknown[] {
  return [
    company.code ?? null,
    company.name,
    company.cnpj,
    company.zipCode,
    company.tradeName ?? null,
    company.street ?? null,
    company.number ?? null,
    company.complement ?? null,
    company.district ?? null,
    company.city ?? null,
    company.state ?? null,
    company.ibgeCode ?? null,
    company.phone ?? null,
    company.email ?? null,
    company.nire ?? null,
    company.nireDate ?? null,
    company.institutionType ?? null,
    company.active,
  ];
}

function branchValues(branch: BranchInput): unknown[] {
  return [
    branch.code,
    branch.name,
    branch.cnpj ?? null,
    branch.headOffice,
    branch.zipCode ?? null,
    branch.street ?? null,
    branch.number ?? null,
    branch.complement ?? null,
    branch.district ?? null,
    branch.city ?? null,
    branch.state ?? null,
    branch.ibgeCode ?? null,
    branch.nire ?? null,
    branch.nireDate ?? null,
    branch.active,
  ];
}
