import type { Day, Month } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';

export interface Address {
  readonly zipCode: string | null;
  readonly street: string | null;
  readonly number: string | null;
  readonly complement: string | null;
  readonly district: string | null;
  readonly city: string | null;
  readonly state: string | null;
  readonly ibgeCode: string | null;
}

export interface CompanyRow extends Address {
  readonly id: number;
  readonly code: string;
  readonly name: string;
  readonly cnpj: string;
  readonly zipCode: string;
  readonly tradeName: string | null;
  readonly phone: string | null;
  readonly email: string | null;
  readonly nire: string | null;
  readonly nireDate: Day | null;
  readonly institutionType: string | null;
  readonly active: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface BranchRow extends Address {
  readonly id: number;
  readonly companyId: number;
  readonly company: string;
  readonly code: string;
  readonly name: string;
  readonly cnpj: string | null;
  readonly headOffice: boolean;
  readonly nire: string | null;
  readonly nireDate: Day | null;
  readonly active: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export const COMPANY_COLUMNS = `company.id, company.code, company.name, company.cnpj, company.zip_code AS "zipCode",
  company.trade_name AS "tradeName", company.street, company.number, company.complement, company.district, company.city,
  company.state, company.ibge_code AS "ibgeCode", company.phone, company.email, company.nire,
  company.nire_date AS "nireDate", company.institution_type AS "institutionType", company.active,
  company.created_at AS "createdAt", company.updated_at AS "updatedAt"`;

export const BRANCH_COLUMNS = `branch.id, branch.company_id AS "companyId", company.code AS company, branch.code, branch.name,
  branch.cnpj, branch.head_office AS "headOffice", branch.zip_code AS "zipCode", branch.street, branch.number,
  branch.complement, branch.district, branch.city, branch.state, branch.ibge_code AS "ibgeCode", branch.nire,
  branch.nire_date AS "nireDate", branch.active, branch.created_at AS "createdAt", branch.updated_at AS "updatedAt"`;

/** The companies that the caller sees, in the order of their codes. */
export function selectCompanies(sql: Sql): Promise<CompanyRow[]> {
  return sql.rows<CompanyRow>({
    text: `SELECT ${COMPANY_COLUMNS} FROM company ORDER BY natural_key(company.code), company.id`,
  });
}

export function selectCompany(sql: Sql, id: number): Promise<CompanyRow | undefined> {
  return sql.maybe<CompanyRow>({
    text: `SELECT ${COMPANY_COLUMNS} FROM company WHERE company.id = $1`,
    values: [id],
  });
}

/** The branches that the caller reaches, of all companies or of one. */
export function selectBranches(sql: Sql, companyId?: number): Promise<BranchRow[]> {
  return sql.rows<BranchRow>({
    text: `SELECT ${BRANCH_COLUMNS}
             FROM branch
             JOIN company ON company.id = branch.company_id
            WHERE ($1::bigint IS NULL OR branch.company_id = $1) AND reaches(branch.company_id, branch.id)
            ORDER BY natural_key(company.code), natural_key(branch.code), branch.id`,
    values: [companyId ?? null],
  });
}

/** The branches of that code that the caller reaches, in all companies or in one. */
export function selectBranchesByCode(sql: Sql, code: string, companyId?: number): Promise<BranchRow[]> {
  return sql.rows<BranchRow>({
    text: `SELECT ${BRANCH_COLUMNS}
             FROM branch
             JOIN company ON company.id = branch.company_id
            WHERE branch.code = $1 AND ($2::bigint IS NULL OR branch.company_id = $2)
              AND reaches(branch.company_id, branch.id)
            ORDER BY natural_key(company.code), branch.id`,
    values: [code, companyId ?? null],
  });
}

export function selectBranch(sql: Sql, companyId: number, id: number): Promise<BranchRow | undefined> {
  return sql.maybe<BranchRow>({
    text: `SELECT ${BRANCH_COLUMNS}
             FROM branch
             JOIN company ON company.id = branch.company_id
            WHERE branch.company_id = $1 AND branch.id = $2`,
    values: [companyId, id],
  });
}

/** Whether any company has a branch of that code. */
export async function isBranchCode(sql: Sql, code: string): Promise<boolean> {
  const row = await sql.one<{ known: boolean }>({
    text: 'SELECT EXISTS (SELECT 1 FROM branch WHERE branch.code = $1) AS known',
    values: [code],
  });
  return row.known;
}

/** Open months of the company's branches that the caller reaches. */
export function selectOpenMonths(sql: Sql, companyId: number): Promise<{ branchId: number; month: Month }[]> {
  return sql.rows({
    text: `SELECT month.branch_id AS "branchId", to_char(month.month, 'YYYY-MM') AS month
             FROM month
            WHERE month.company_id = $1 AND month.state = 'OPEN' AND reaches(month.company_id, month.branch_id)
            ORDER BY month.branch_id, month.month`,
    values: [companyId],
  });
}
