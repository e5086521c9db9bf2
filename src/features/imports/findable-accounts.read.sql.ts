import type { PostableAccount } from '../../accounting/entry.ts';
import type { Sql } from '../../platform/sql.ts';

/** An account as imports see it. */
export interface FindableAccount extends PostableAccount {
  readonly id: number;
  readonly reduced: string;
  readonly digits: string;
}

export function selectFindableAccounts(sql: Sql, chartId: number): Promise<FindableAccount[]> {
  return sql.rows<FindableAccount>({
    text: `SELECT account.id, account.code, account.reduced, account.digits, account.account_type AS type, account.active,
                  account.start_date AS "startDate", account.end_date AS "endDate"
             FROM account WHERE account.chart_id = $1`,
    values: [chartId],
  });
}
