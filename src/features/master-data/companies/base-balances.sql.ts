import type { Sql } from '../../../platform/database/sql.ts';

export interface BalanceAccount {
  readonly id: number;
  readonly code: string;
  readonly type: 'S' | 'A';
}

/** Accounts of the chart named by id or code, held so that none becomes a summary account or disappears meanwhile. */
export function lockBalanceAccounts(
  sql: Sql,
  chartId: number,
  ids: readonly number[],
  codes: readonly string[],
): Promise<BalanceAccount[]> {
  return sql.rows<BalanceAccount>({
    text: `SELECT account.id, account.code, account.account_type AS type
             FROM account
            WHERE account.chart_id = $1 AND (account.id = ANY ($2::bigint[]) OR account.code = ANY ($3::text[]))
            ORDER BY account.id
              FOR KEY SHARE`,
    values: [chartId, [...ids], [...codes]],
  });
}

/**
 * Holds the branch's first month alone, which every month close of the branch has to close first, and says whether
 * any month is closed.
 */
export async function lockBeforeFirstClose(sql: Sql, companyId: number, branchId: number): Promise<boolean> {
  await sql.rows({
    text: `SELECT month.month FROM month
            WHERE month.company_id = $1 AND month.branch_id = $2
            ORDER BY month.month LIMIT 1 FOR UPDATE`,
    values: [companyId, branchId],
  });
  const row = await sql.one<{ closed: boolean }>({
    text: `SELECT EXISTS (SELECT 1 FROM month WHERE month.company_id = $1 AND month.branch_id = $2
                                                AND month.state = 'CLOSED') AS closed`,
    values: [companyId, branchId],
  });
  return !row.closed;
}

/** Puts the balances in place of all that the branch had. */
export async function replaceBaseBalances(
  sql: Sql,
  companyId: number,
  branchId: number,
  accountIds: readonly number[],
  balances: readonly string[],
): Promise<void> {
  await sql.run({
    text: 'DELETE FROM base_balance WHERE base_balance.company_id = $1 AND base_balance.branch_id = $2',
    values: [companyId, branchId],
  });
  await sql.run({
    text: `INSERT INTO base_balance (company_id, branch_id, account_id, balance)
           SELECT $1, $2, given.account_id, given.balance
             FROM unnest($3::bigint[], $4::numeric[]) AS given (account_id, balance)`,
    values: [companyId, branchId, [...accountIds], [...balances]],
  });
}
