import type { PostingAccount } from '../../../accounting/posting.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import { POSTING_ACCOUNT_COLUMNS } from '../entries/entries.sql.ts';

/** An account as imports see it. */
export interface FindableAccount extends PostingAccount {
  readonly shortCode: string;
  readonly digits: string;
}

export function selectFindableAccounts(sql: Sql, chartId: number): Promise<FindableAccount[]> {
  return sql.rows<FindableAccount>(SQL`
    SELECT ${POSTING_ACCOUNT_COLUMNS}, account.short_code AS "shortCode", account.digits
      FROM account WHERE account.chart_id = ${chartId}`);
}
