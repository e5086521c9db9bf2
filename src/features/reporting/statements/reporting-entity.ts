import { firstDay, lastDay, type Month } from '../../../accounting/period.ts';
import { reject } from '../../../accounting/problem.ts';
import { recordRef } from '../../../accounting/record-name.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import type { Tenant } from '../../access/access.ts';
import type { BranchRow, CompanyRow } from '../../master-data/companies/companies.read.sql.ts';
import type { CompanyOptionsRow } from '../../master-data/companies/company-options.read.sql.ts';
import { rejectNoBooks } from '../../master-data/companies/require-books.ts';
import { selectMonthStates } from './book-lines.read.sql.ts';
import {
  type Moment,
  type PrintedFund,
  selectPrintedBranch,
  selectPrintedCompany,
  selectPrintedFund,
  selectPrintedOptions,
} from './printed-names.read.sql.ts';

/** The entity of the books and their options, as of the shown month. */
export interface ReportingEntity {
  readonly company: CompanyRow;
  readonly branch: BranchRow;
  readonly options: CompanyOptionsRow;
  /** The fund that the branch keeps the books of; undefined where there is none. */
  readonly fund: PrintedFund | undefined;
  /** When the month shown was closed: its names are those of then. undefined: they are those of now. */
  readonly namesAt: Moment | undefined;
}

/** `month` is the last one shown. Rejects a branch that has no chart of accounts yet. */
export async function readReportingEntity(
  { sql, tenant }: { readonly sql: Sql; readonly tenant: Tenant },
  month: Month,
): Promise<ReportingEntity> {
  const [state] = await selectMonthStates(sql, tenant, firstDay(month), lastDay(month));
  const namesAt = state?.closedAt ?? undefined;
  const company = await selectPrintedCompany(sql, tenant, namesAt);
  const branch = await selectPrintedBranch(sql, tenant, namesAt);
  if (!company || !branch) reject('NOT_FOUND', recordRef('Branch', tenant.branch));
  const options = (await selectPrintedOptions(sql, tenant, namesAt)) ?? rejectNoBooks(tenant);
  const fund = await selectPrintedFund(sql, tenant, namesAt);
  return { company, branch, options, fund, namesAt };
}
