import type { AccountId, BranchId, ChartId, CompanyId } from '../../../accounting/ids.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';

export interface BalanceAccount {
  readonly id: AccountId;
  readonly code: string;
  readonly type: 'S' | 'A';
}

/**
 * Accounts of the chart named by id or code, locked: none is removed or made a summary account until the transaction
 * ends.
 */
export function lockBalanceAccounts(
  sql: Sql,
  chartId: ChartId,
  ids: readonly AccountId[],
  codes: readonly string[],
): Promise<BalanceAccount[]> {
  return sql.rows<BalanceAccount>(SQL`
    SELECT account.id, account.code, account.account_type AS type
      FROM account
     WHERE account.chart_id = ${chartId} AND (account.id = ANY (${ids}::bigint[])
       OR account.code = ANY (${codes}::text[]))
     ORDER BY account.id
       FOR KEY SHARE`);
}

/** Locks the branch's first month FOR UPDATE, which is always closed first, and returns whether any month is closed. */
export async function lockBeforeFirstClose(sql: Sql, companyId: CompanyId, branchId: BranchId): Promise<boolean> {
  await sql.rows(SQL`
    SELECT month.month FROM month
     WHERE month.company_id = ${companyId} AND month.branch_id = ${branchId}
     ORDER BY month.month LIMIT 1 FOR UPDATE`);
  const row = await sql.one<{ closed: boolean }>(SQL`
    SELECT EXISTS (SELECT 1 FROM month WHERE month.company_id = ${companyId} AND month.branch_id = ${branchId}
                                         AND month.state = 'CLOSED') AS closed`);
  return !row.closed;
}

/** Replaces all base balances of the branch. */
export async function replaceBaseBalances(
  sql: Sql,
  companyId: CompanyId,
  branchId: BranchId,
  accountIds: readonly AccountId[],
  balances: readonly string[],
): Promise<void> {
  await sql.run(
    SQL`DELETE FROM base_balance WHERE base_balance.company_id = ${companyId} AND base_balance.branch_id = ${branchId}`,
  );
  await sql.run(SQL`
    INSERT INTO base_balance (company_id, branch_id, account_id, balance)
    SELECT ${companyId}, ${branchId}, given.account_id, given.balance
      FROM unnest(${accountIds}::bigint[], ${balances}::numeric[]) AS given (account_id, balance)
    RETURNING base_balance.account_id`);
}
