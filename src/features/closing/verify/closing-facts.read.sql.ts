import { firstDay, monthNumberOf } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import type { MonthKey } from '../../posting/months/months.sql.ts';
import { type Finding, MOST_ROWS } from './difference.ts';

/**
 * Accounts that the closing entries of a closed month left open. An account that closing entries touch ends at zero,
 * except where the result went: to an equity account. Where settings older than the close demand closing entries in the
 * month, a result account that moved or has a balance and that none of them touches is one too, unless they leave it out.
 */
export function selectUnclosedResults(sql: Sql, key: MonthKey, closedAt: Date | null): Promise<Finding[]> {
  const { companyId, branchId, month } = key;
  return sql.rows<Finding>(SQL`
    SELECT 'CLOSING_ENTRY' AS kind, 'account ' || account.code AS what, '0.00' AS expected,
           monthly_balance.balance::text AS found
      FROM monthly_balance
      JOIN account ON account.id = monthly_balance.account_id AND account.account_type = 'A'
     WHERE monthly_balance.company_id = ${companyId} AND monthly_balance.branch_id = ${branchId}
       AND monthly_balance.month = ${firstDay(month)} AND monthly_balance.balance <> 0
       AND account.account_class = '04'
       AND NOT EXISTS (SELECT 1 FROM closure_settings
                        WHERE closure_settings.company_id = ${companyId} AND closure_settings.branch_id = ${branchId}
                          AND account.id IN (closure_settings.profit_account_id, closure_settings.loss_account_id))
       AND (monthly_balance.closing_debit <> 0 OR monthly_balance.closing_credit <> 0
            OR EXISTS (SELECT 1 FROM closure_settings
                        WHERE closure_settings.company_id = ${companyId} AND closure_settings.branch_id = ${branchId}
                          AND closure_settings.active AND closure_settings.updated_at <= ${closedAt}
                          AND ${monthNumberOf(month)} = ANY (closure_settings.closing_months)
                          AND NOT EXISTS (SELECT 1 FROM fund_settings
                                           WHERE fund_settings.company_id = ${companyId}
                                             AND fund_settings.branch_id = ${branchId})
                          AND EXISTS (SELECT 1
                                        FROM unnest(closure_settings.revenue_groups || closure_settings.expense_groups)
                                               AS closed_group (code)
                                       WHERE account.code = closed_group.code
                                          OR starts_with(account.code, closed_group.code || '.'))
                          AND NOT closure_settings.excluded_accounts @> to_jsonb(account.id)))
     ORDER BY account.sort_key
     LIMIT ${MOST_ROWS}`);
}
