import type { AccountId } from '../../../accounting/ids.ts';
import { firstDay, type Month } from '../../../accounting/period.ts';
import { type Fragment, SQL } from '../../../platform/database/statement.ts';
import type { BranchKey } from '../../access/access.ts';

// The rules of balances as SQL fragments, for every statement that computes, lists or closes them.

/** Debit-positive amount of a line. */
export const NET = SQL`CASE entry_line.side WHEN 'D' THEN entry_line.amount ELSE -entry_line.amount END`;

/**
 * Debits and credits without the lines of closing entries, whose signed net is separate; only of the lines that meet
 * the condition.
 */
export function movementSums(condition: Fragment = SQL`true`): Fragment {
  const sum = (amount: Fragment, lines: Fragment) =>
    SQL`coalesce(sum(${amount}) FILTER (WHERE ${condition} AND ${lines}), 0)`;
  return SQL`${sum(SQL`entry_line.amount`, SQL`entry_line.side = 'D' AND NOT entry_line.closing`)} AS debit,
         ${sum(SQL`entry_line.amount`, SQL`entry_line.side = 'C' AND NOT entry_line.closing`)} AS credit,
         ${sum(NET, SQL`entry_line.closing`)} AS closing`;
}

/** Leaf balances at the end of a closed month; the base balances where none is closed. */
export function openingLeaves({ companyId, branchId }: BranchKey, closed: Month | null): Fragment {
  const month = closed === null ? null : firstDay(closed);
  return SQL`
  SELECT monthly_balance.account_id, monthly_balance.balance
    FROM monthly_balance
    JOIN account ON account.id = monthly_balance.account_id AND account.account_type = 'A'
   WHERE monthly_balance.company_id = ${companyId} AND monthly_balance.branch_id = ${branchId}
     AND monthly_balance.month = ${month}
  UNION ALL
  SELECT base_balance.account_id, base_balance.balance
    FROM base_balance
   WHERE ${month}::date IS NULL AND base_balance.company_id = ${companyId} AND base_balance.branch_id = ${branchId}`;
}

/** Joins each row of leaf amounts to the account itself and to every account above it, as node.id. */
export function rollUp(leaves: string): Fragment {
  return SQL`JOIN account ON account.id = ${SQL.identifier(leaves)}.account_id
   CROSS JOIN LATERAL unnest(account.ancestors || account.id) AS node (id)`;
}

/** An account is shown in a month if it has a balance at the start of the month, or lines in it. */
export function isShown(opening: Fragment, hasLines: Fragment): Fragment {
  return SQL`(${opening} <> 0 OR ${hasLines})`;
}

/** The account and, where it is a summary account, the accounts below it that have lines. */
export function subtreeLeaves(accountId: AccountId): Fragment {
  return SQL`
  SELECT account.id FROM account WHERE account.id = ${accountId}
  UNION
  SELECT below.id FROM account
    JOIN account AS below ON below.chart_id = account.chart_id AND account.id = ANY (below.ancestors)
   WHERE account.id = ${accountId} AND account.account_type = 'S' AND below.account_type = 'A'`;
}
