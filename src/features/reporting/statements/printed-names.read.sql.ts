import type { Sql } from '../../../platform/database/sql.ts';
import type { Tenant } from '../../access/access.ts';
import type { AccountRow } from '../../master-data/chart/chart.read.sql.ts';
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

export const momentText = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** What a record printed at $3; $1 is its company. Without a moment nothing is found, and the present holds. */
const earlierOf = (record: string, id: string) => `LEFT JOIN LATERAL (
  SELECT earlier_record.printed FROM earlier_record
   WHERE earlier_record.company_id = $1 AND earlier_record.record = '${record}' AND earlier_record.record_id = ${id}
     AND earlier_record.valid_until > $3::timestamptz
   ORDER BY earlier_record.valid_until LIMIT 1) AS earlier ON true`;

/** The row with what it printed then in the place of its present values, under its table's own name. */
const asPrinted = (table: string) =>
  `CROSS JOIN LATERAL jsonb_populate_record(present, coalesce(earlier.printed, '{}')) AS ${table}`;

const valuesOf = (tenant: Tenant, at: Moment | undefined) => [tenant.companyId, tenant.branchId, at ?? null];

export function selectPrintedCompany(
  sql: Sql,
  tenant: Tenant,
  at: Moment | undefined,
): Promise<CompanyRow | undefined> {
  return sql.maybe<CompanyRow>({
    text: `SELECT ${COMPANY_COLUMNS}
             FROM company AS present
             ${earlierOf('company', 'present.id')}
             ${asPrinted('company')}
            WHERE present.id = $1 AND $2::bigint IS NOT NULL`,
    values: valuesOf(tenant, at),
  });
}

export function selectPrintedBranch(sql: Sql, tenant: Tenant, at: Moment | undefined): Promise<BranchRow | undefined> {
  return sql.maybe<BranchRow>({
    text: `SELECT ${BRANCH_COLUMNS}
             FROM branch AS present
             ${earlierOf('branch', 'present.id')}
             ${asPrinted('branch')}
             JOIN company ON company.id = branch.company_id
            WHERE present.company_id = $1 AND present.id = $2`,
    values: valuesOf(tenant, at),
  });
}

export function selectPrintedOptions(
  sql: Sql,
  tenant: Tenant,
  at: Moment | undefined,
): Promise<CompanyOptionsRow | undefined> {
  return sql.maybe<CompanyOptionsRow>({
    text: `SELECT ${OPTIONS_COLUMNS}
             FROM company_options AS present
             ${earlierOf('company_options', 'present.branch_id')}
             ${asPrinted('company_options')}
             ${OPTIONS_JOINS}
            WHERE present.company_id = $1 AND present.branch_id = $2`,
    values: valuesOf(tenant, at),
  });
}

/** The fund that a branch keeps the books of, or kept them of then. */
export function selectPrintedFund(
  sql: Sql,
  tenant: Tenant,
  at: Moment | undefined,
): Promise<{ name: string; cnpj: string } | undefined> {
  return sql.maybe({
    text: `SELECT coalesce(earlier.printed ->> 'name', fund_settings.name) AS name,
                  coalesce(earlier.printed ->> 'cnpj', fund_settings.cnpj) AS cnpj
             FROM branch
             LEFT JOIN fund_settings ON fund_settings.company_id = branch.company_id
              AND fund_settings.branch_id = branch.id
             ${earlierOf('fund_settings', 'branch.id')}
            WHERE branch.company_id = $1 AND branch.id = $2
              AND (fund_settings.id IS NOT NULL OR earlier.printed IS NOT NULL)`,
    values: valuesOf(tenant, at),
  });
}

export interface EarlierAccount
  extends Pick<AccountRow, 'shortCode' | 'description' | 'normalBalance' | 'accountClass' | 'cofiCode'> {
  readonly accountId: number;
  readonly validUntil: Moment;
}

/** What accounts of the chart printed until they were changed after the moment, each one's earliest first. */
export function selectEarlierAccounts(sql: Sql, chartId: number, after: Moment): Promise<EarlierAccount[]> {
  return sql.rows<EarlierAccount>({
    text: `SELECT earlier_account.account_id AS "accountId", ${momentText('earlier_account.valid_until')} AS "validUntil",
                  earlier_account.short_code AS "shortCode", earlier_account.description, earlier_account.normal_balance AS "normalBalance",
                  earlier_account.account_class AS "accountClass", earlier_account.cofi_code AS "cofiCode"
             FROM earlier_account
            WHERE earlier_account.chart_id = $1 AND earlier_account.valid_until > $2::timestamptz
            ORDER BY earlier_account.account_id, earlier_account.valid_until`,
    values: [chartId, after],
  });
}
