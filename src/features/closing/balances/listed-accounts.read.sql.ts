import type { AccountId, ChartId } from '../../../accounting/ids.ts';
import type { StatementAccount } from '../../../accounting/statements/statement.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';

/** An account as trial balances list it. */
export interface ListedAccount extends StatementAccount {
  readonly shortCode: string;
}

export const LISTED_ACCOUNT_COLUMNS = SQL`account.id, account.parent_id AS "parentId", account.code,
  account.short_code AS "shortCode", account.description, account.account_type AS type, account.level,
  account.account_class AS "accountClass", account.normal_balance AS "normalBalance"`;

/** A chart in hierarchical order. */
export function selectListedAccounts(sql: Sql, chartId: ChartId): Promise<ListedAccount[]> {
  return sql.rows<ListedAccount>(SQL.named('listed-accounts')`
    SELECT ${LISTED_ACCOUNT_COLUMNS}
      FROM account WHERE account.chart_id = ${chartId} ORDER BY account.sort_key, account.code`);
}

/** One account, of any chart. */
export function selectListedAccount(
  sql: Sql,
  accountId: AccountId,
): Promise<(ListedAccount & { readonly chartId: ChartId }) | undefined> {
  return sql.maybe(SQL.named('listed-account')`
    SELECT ${LISTED_ACCOUNT_COLUMNS}, account.chart_id AS "chartId" FROM account WHERE account.id = ${accountId}`);
}
