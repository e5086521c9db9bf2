import type { AccountId } from '../../../accounting/ids.ts';
import { type Day, firstDay, type Month } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import type { BranchKey } from '../../access/access.ts';

export interface ControlBalanceRow {
  readonly accountId: AccountId;
  readonly code: string;
  readonly description: string;
  readonly origin: string;
  readonly day: Day;
  /** NUMERIC text, debit-positive. */
  readonly balance: string;
}

/** Figures of the days from the first to the last, of some accounts only where they are given. */
export function selectControlBalances(
  sql: Sql,
  { companyId, branchId }: BranchKey,
  {
    from,
    to,
    origin,
    accountIds,
  }: {
    readonly from: Day;
    readonly to: Day;
    readonly origin: string | undefined;
    readonly accountIds: readonly AccountId[] | undefined;
  },
  limit: number,
): Promise<ControlBalanceRow[]> {
  return sql.rows<ControlBalanceRow>(SQL`
    SELECT control_balance.account_id AS "accountId", account.code, account.description, control_balance.origin,
           control_balance.day, control_balance.balance
      FROM control_balance
      JOIN account ON account.id = control_balance.account_id
     WHERE control_balance.company_id = ${companyId} AND control_balance.branch_id = ${branchId}
       AND control_balance.day BETWEEN ${from} AND ${to}
       AND (${origin ?? null}::text IS NULL OR control_balance.origin = ${origin ?? null})
       AND (${accountIds === undefined} OR control_balance.account_id = ANY (${accountIds ?? []}::bigint[]))
     LIMIT ${limit}`);
}

/** The last month before another one with figures of these accounts. */
export async function selectMonthBefore(
  sql: Sql,
  { companyId, branchId }: BranchKey,
  month: Month,
  accountIds: readonly AccountId[],
): Promise<Month | undefined> {
  const row = await sql.one<{ month: Month | null }>(SQL`
    SELECT to_char(max(control_balance.day), 'YYYY-MM') AS month
      FROM control_balance
     WHERE control_balance.company_id = ${companyId} AND control_balance.branch_id = ${branchId}
       AND control_balance.account_id = ANY (${accountIds}::bigint[]) AND control_balance.day < ${firstDay(month)}`);
  return row.month ?? undefined;
}
