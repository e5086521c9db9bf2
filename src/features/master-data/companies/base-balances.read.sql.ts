import type { AccountId, BranchId, CompanyId } from '../../../accounting/ids.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';

export interface BaseBalanceRow {
  readonly accountId: AccountId;
  readonly code: string;
  readonly description: string;
  /** Debit-positive NUMERIC text. */
  readonly balance: string;
}

/** Base balances of a branch in the order of the chart. */
export function selectBaseBalances(sql: Sql, companyId: CompanyId, branchId: BranchId): Promise<BaseBalanceRow[]> {
  return sql.rows<BaseBalanceRow>(SQL`
    SELECT base_balance.account_id AS "accountId", account.code, account.description, base_balance.balance
      FROM base_balance
      JOIN account ON account.id = base_balance.account_id
     WHERE base_balance.company_id = ${companyId} AND base_balance.branch_id = ${branchId}
     ORDER BY account.sort_key`);
}
