import type { ChartId } from '../../../accounting/ids.ts';
import { firstDay, lastDay, type Month } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import type { Tenant } from '../../access/access.ts';

/**
 * All that a report over closed months prints besides entries, as one text that changes when any of it does; undefined
 * while the last month is not closed. A month that is opened again and closed has another moment.
 */
export async function selectPrintedState(sql: Sql, tenant: Tenant, last: Month): Promise<string | undefined> {
  const { companyId, branchId } = tenant;
  const books = await sql.maybe<{ state: string; chartId: ChartId }>(SQL`
    SELECT company_options.chart_id AS "chartId",
           concat_ws('|', company_options.updated_at,
                     (SELECT max(earlier_record.valid_until) FROM earlier_record
                       WHERE earlier_record.company_id = ${companyId}),
                     -- The facts typed for statements.
                     (SELECT concat(max(statement_fact.created_at), count(*)) FROM statement_fact
                       WHERE statement_fact.company_id = ${companyId}
                         AND statement_fact.branch_id = company_options.branch_id),
                     (SELECT concat(max(fund_settings.updated_at), count(*)) FROM fund_settings
                       WHERE fund_settings.company_id = ${companyId}
                         AND fund_settings.branch_id = company_options.branch_id),
                     (SELECT max(quota_configuration.updated_at) FROM quota_configuration
                       WHERE quota_configuration.company_id = ${companyId}
                         AND quota_configuration.branch_id = company_options.branch_id),
                     (SELECT md5(string_agg(tax_quota::text, '|' ORDER BY tax_quota.day)) FROM tax_quota
                       WHERE tax_quota.company_id = ${companyId}
                         AND tax_quota.branch_id = company_options.branch_id
                         AND tax_quota.reference_day = ${lastDay(last)}),
                     (SELECT concat(max(daily_quota.confirmed_at), bool_or(daily_quota.stale)) FROM daily_quota
                       WHERE daily_quota.company_id = ${companyId}
                         AND daily_quota.branch_id = company_options.branch_id
                         AND daily_quota.replaced_at IS NULL AND daily_quota.day = ${lastDay(last)}),
                     EXISTS (SELECT 1 FROM tax_quota
                              WHERE tax_quota.company_id = ${companyId}
                                AND tax_quota.branch_id = company_options.branch_id),
                     (SELECT string_agg(concat(earlier.month, earlier.closed_at, earlier.archived), ','
                                        ORDER BY earlier.month)
                        FROM month AS earlier
                       WHERE earlier.company_id = ${companyId}
                         AND earlier.branch_id = company_options.branch_id
                         AND earlier.month <= month.month)) AS state
      FROM company_options
      JOIN month ON month.company_id = company_options.company_id AND month.branch_id = company_options.branch_id
                AND month.month = ${firstDay(last)} AND month.state = 'CLOSED'
     WHERE company_options.company_id = ${companyId} AND company_options.branch_id = ${branchId}`);
  if (!books) return undefined;
  const { chartId } = books;
  const shared = await sql.one<{ state: string }>(SQL`
    SELECT concat_ws('|', company.updated_at, branch.updated_at,
                     (SELECT concat(max(account.updated_at), count(*)) FROM account WHERE account.chart_id = ${chartId}),
                     (SELECT max(earlier_account.valid_until) FROM earlier_account
                       WHERE earlier_account.chart_id = ${chartId}),
                     -- Definitions of statements.
                     (SELECT concat(max(statement.updated_at), count(*)) FROM statement
                       WHERE statement.chart_id = ${chartId})) AS state
      FROM branch
      JOIN company ON company.id = branch.company_id
     WHERE branch.company_id = ${companyId} AND branch.id = ${branchId}`);
  // The masks that the caller sees: a range of accounts is read by them.
  const { masks } = await sql.one<{ masks: string | null }>(SQL`
    SELECT string_agg(DISTINCT company_options.account_mask, ',') AS masks
      FROM company_options WHERE company_options.chart_id = ${chartId}`);
  return [books.state, shared.state, masks].join('|');
}
