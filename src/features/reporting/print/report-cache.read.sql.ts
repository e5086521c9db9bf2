import { firstDay, type Month } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import type { Tenant } from '../../access/access.ts';

/**
 * All that a report over closed months prints besides entries, as one text that changes when any of it does; undefined
 * while the last month is not closed. A month that is opened again and closed has another moment.
 */
export async function selectPrintedState(sql: Sql, tenant: Tenant, last: Month): Promise<string | undefined> {
  const found = await sql.maybe<{ state: string }>(SQL`
    SELECT concat_ws('|', company.updated_at, branch.updated_at, company_options.updated_at,
                     (SELECT concat(max(account.updated_at), count(*)) FROM account
                       WHERE account.chart_id = company_options.chart_id),
                     (SELECT max(earlier_account.valid_until) FROM earlier_account
                       WHERE earlier_account.chart_id = company_options.chart_id),
                     (SELECT max(earlier_record.valid_until) FROM earlier_record
                       WHERE earlier_record.company_id = company.id),
                     -- The masks that the caller sees: a range of accounts is read by them.
                     (SELECT string_agg(DISTINCT masked.account_mask, ',') FROM company_options AS masked
                       WHERE masked.chart_id = company_options.chart_id),
                     -- Definitions of statements, and the facts typed for them.
                     (SELECT concat(max(statement.updated_at), count(*)) FROM statement
                       WHERE statement.chart_id = company_options.chart_id),
                     (SELECT concat(max(statement_fact.created_at), count(*)) FROM statement_fact
                       WHERE statement_fact.company_id = branch.company_id
                         AND statement_fact.branch_id = branch.id),
                     (SELECT concat(max(fund_settings.updated_at), count(*)) FROM fund_settings
                       WHERE fund_settings.company_id = branch.company_id
                         AND fund_settings.branch_id = branch.id),
                     (SELECT max(quota_configuration.updated_at) FROM quota_configuration
                       WHERE quota_configuration.company_id = branch.company_id
                         AND quota_configuration.branch_id = branch.id),
                     (SELECT md5(string_agg(tax_quota::text, '|' ORDER BY tax_quota.day)) FROM tax_quota
                       WHERE tax_quota.company_id = branch.company_id AND tax_quota.branch_id = branch.id
                         AND tax_quota.reference_day = (month.month + interval '1 month - 1 day')::date),
                     (SELECT concat(max(daily_quota.confirmed_at), bool_or(daily_quota.stale)) FROM daily_quota
                       WHERE daily_quota.company_id = branch.company_id AND daily_quota.branch_id = branch.id
                         AND daily_quota.replaced_at IS NULL
                         AND daily_quota.day = (month.month + interval '1 month - 1 day')::date),
                     EXISTS (SELECT 1 FROM tax_quota
                              WHERE tax_quota.company_id = branch.company_id AND tax_quota.branch_id = branch.id),
                     (SELECT string_agg(concat(earlier.month, earlier.closed_at, earlier.archived), ','
                                        ORDER BY earlier.month)
                        FROM month AS earlier
                       WHERE earlier.company_id = branch.company_id AND earlier.branch_id = branch.id
                         AND earlier.month <= month.month)) AS state
      FROM branch
      JOIN company ON company.id = branch.company_id
      JOIN company_options ON company_options.company_id = branch.company_id
                          AND company_options.branch_id = branch.id
      JOIN month ON month.company_id = branch.company_id AND month.branch_id = branch.id
                AND month.month = ${firstDay(last)} AND month.state = 'CLOSED'
     WHERE branch.company_id = ${tenant.companyId} AND branch.id = ${tenant.branchId}`);
  return found?.state;
}
