import type { AccountId } from '../../../accounting/ids.ts';
import type { Day } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import type { BranchKey } from '../../access/access.ts';

/** Adds the figures of a system for a day; those it sent before for the same accounts and day are replaced. */
export async function upsertControlBalances(
  sql: Sql,
  { companyId, branchId }: BranchKey,
  sent: { readonly day: Day; readonly origin: string; readonly by: string },
  accountIds: readonly AccountId[],
  balances: readonly string[],
): Promise<void> {
  await sql.run(SQL`
    INSERT INTO control_balance (company_id, branch_id, account_id, origin, day, balance, sent_by)
    SELECT ${companyId}, ${branchId}, given.account_id, ${sent.origin}, ${sent.day}::date, given.balance, ${sent.by}
      FROM unnest(${accountIds}::bigint[], ${balances}::numeric[]) AS given (account_id, balance)
    ON CONFLICT (company_id, branch_id, account_id, origin, day) DO UPDATE
       SET balance = excluded.balance, sent_at = excluded.sent_at, sent_by = excluded.sent_by`);
}
