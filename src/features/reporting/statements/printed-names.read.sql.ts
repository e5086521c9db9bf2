import type { AccountId, ChartId, CompanyId } from '../../../accounting/ids.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { type Fragment, SQL } from '../../../platform/database/statement.ts';
import type { Tenant } from '../../access/access.ts';
import type { StatementAccountRow } from '../../master-data/chart/chart.read.sql.ts';
import {
  BRANCH_COLUMNS,
  type BranchRow,
  COMPANY_COLUMNS,
  type CompanyRow,
} from '../../master-data/companies/companies.read.sql.ts';
import {
  type CompanyOptionsRow,
  OPTIONS_COLUMNS,
  OPTIONS_JOINS,
} from '../../master-data/companies/company-options.read.sql.ts';

// Records as they were printed at a moment: the first text that held beyond it, else the present one (migration 0006).

/** ISO text to the microsecond: two of them compare as their moments do. */
export type Moment = string;

export const momentText = (column: string): Fragment =>
  SQL`to_char(${SQL.identifier(column)} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** What a record of the company printed at the moment. Without a moment nothing is found, and the present holds. */
const earlierOf = (companyId: CompanyId, record: string, id: string, at: Moment | undefined): Fragment => SQL`
  LEFT JOIN LATERAL (
    SELECT earlier_record.printed FROM earlier_record
     WHERE earlier_record.company_id = ${companyId} AND earlier_record.record = ${record}
       AND earlier_record.record_id = ${SQL.identifier(id)} AND earlier_record.valid_until > ${at ?? null}::timestamptz
     ORDER BY earlier_record.valid_until LIMIT 1) AS earlier ON true`;

/** The row with what it printed then in the place of its present values, under its table's own name. */
const asPrinted = (table: string): Fragment => SQL`
  CROSS JOIN LATERAL jsonb_populate_record(present, coalesce(earlier.printed, '{}')) AS ${SQL.identifier(table)}`;

export function selectPrintedCompany(
  sql: Sql,
  tenant: Tenant,
  at: Moment | undefined,
): Promise<CompanyRow | undefined> {
  return sql.maybe<CompanyRow>(SQL.named('printed-company')`
    SELECT ${COMPANY_COLUMNS}
      FROM company AS present
      ${earlierOf(tenant.companyId, 'company', 'present.id', at)}
      ${asPrinted('company')}
     WHERE present.id = ${tenant.companyId}`);
}

export function selectPrintedBranch(sql: Sql, tenant: Tenant, at: Moment | undefined): Promise<BranchRow | undefined> {
  return sql.maybe<BranchRow>(SQL.named('printed-branch')`
    SELECT ${BRANCH_COLUMNS}
      FROM branch AS present
      ${earlierOf(tenant.companyId, 'branch', 'present.id', at)}
      ${asPrinted('branch')}
      JOIN company ON company.id = branch.company_id
     WHERE present.company_id = ${tenant.companyId} AND present.id = ${tenant.branchId}`);
}

export function selectPrintedOptions(
  sql: Sql,
  tenant: Tenant,
  at: Moment | undefined,
): Promise<CompanyOptionsRow | undefined> {
  return sql.maybe<CompanyOptionsRow>(SQL.named('printed-options')`
    SELECT ${OPTIONS_COLUMNS}
      FROM company_options AS present
      ${earlierOf(tenant.companyId, 'company_options', 'present.branch_id', at)}
      ${asPrinted('company_options')}
      ${OPTIONS_JOINS}
     WHERE present.company_id = ${tenant.companyId} AND present.branch_id = ${tenant.branchId}`);
}

export interface PrintedFund {
  readonly name: string;
  readonly cnpj: string;
  readonly cvmCode: string | null;
  readonly administrator: { readonly name?: string; readonly cnpj?: string } | null;
}

/** The fund that a branch keeps the books of, or kept them of then. */
export function selectPrintedFund(sql: Sql, tenant: Tenant, at: Moment | undefined): Promise<PrintedFund | undefined> {
  return sql.maybe<PrintedFund>(SQL.named('printed-fund')`
    SELECT coalesce(earlier.printed ->> 'name', fund_settings.name) AS name,
           coalesce(earlier.printed ->> 'cnpj', fund_settings.cnpj) AS cnpj,
           coalesce(earlier.printed ->> 'cvm_code', fund_settings.cvm_code) AS "cvmCode",
           coalesce(earlier.printed -> 'administrator', fund_settings.administrator) AS administrator
      FROM branch
      LEFT JOIN fund_settings ON fund_settings.company_id = ${tenant.companyId} AND fund_settings.branch_id = branch.id
      ${earlierOf(tenant.companyId, 'fund_settings', 'branch.id', at)}
     WHERE branch.company_id = ${tenant.companyId} AND branch.id = ${tenant.branchId}
       AND (fund_settings.id IS NOT NULL OR earlier.printed IS NOT NULL)`);
}

export interface EarlierAccount
  extends Pick<StatementAccountRow, 'shortCode' | 'description' | 'normalBalance' | 'accountClass' | 'cofiCode'> {
  readonly accountId: AccountId;
  readonly validUntil: Moment;
}

/** What accounts of the chart printed until they were changed after the moment, each one's earliest first. */
export function selectEarlierAccounts(sql: Sql, chartId: ChartId, after: Moment): Promise<EarlierAccount[]> {
  return sql.rows<EarlierAccount>(SQL`
    SELECT earlier_account.account_id AS "accountId", ${momentText('earlier_account.valid_until')} AS "validUntil",
           earlier_account.short_code AS "shortCode", earlier_account.description,
           earlier_account.normal_balance AS "normalBalance", earlier_account.account_class AS "accountClass",
           earlier_account.cofi_code AS "cofiCode"
      FROM earlier_account
     WHERE earlier_account.chart_id = ${chartId} AND earlier_account.valid_until > ${after}::timestamptz
     ORDER BY earlier_account.account_id, earlier_account.valid_until`);
}
