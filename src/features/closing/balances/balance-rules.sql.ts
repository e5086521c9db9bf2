// The rules of balances as SQL fragments, for every statement that computes, lists or closes them.

/** Debit-positive amount of a line. */
export const NET = `CASE entry_line.side WHEN 'D' THEN entry_line.amount ELSE -entry_line.amount END`;

/**
 * Debits and credits without the lines of closing entries, whose signed net is separate; only of the lines that meet
 * the condition.
 */
export function movementSums(condition?: string): string {
  const chosen = condition === undefined ? '' : `${condition} AND `;
  const sum = (amount: string, lines: string) => `coalesce(sum(${amount}) FILTER (WHERE ${chosen}${lines}), 0)`;
  return `${sum('entry_line.amount', "entry_line.side = 'D' AND NOT entry_line.closing")} AS debit,
         ${sum('entry_line.amount', "entry_line.side = 'C' AND NOT entry_line.closing")} AS credit,
         ${sum(NET, 'entry_line.closing')} AS closing`;
}

/**
 * Leaf balances at the baseline, of branch $1, $2: those of the closed month $4, or the base balances where the named
 * parameter is true because no month is closed.
 */
export function openingLeaves(isAtBase: '$3' | '$5' = '$3'): string {
  return `
  SELECT monthly_balance.account_id, monthly_balance.balance
    FROM monthly_balance
    JOIN account ON account.id = monthly_balance.account_id AND account.account_type = 'A'
   WHERE NOT ${isAtBase} AND monthly_balance.company_id = $1 AND monthly_balance.branch_id = $2
     AND monthly_balance.month = $4
  UNION ALL
  SELECT base_balance.account_id, base_balance.balance
    FROM base_balance
   WHERE ${isAtBase} AND base_balance.company_id = $1 AND base_balance.branch_id = $2`;
}

/** Joins each row of leaf amounts to the account itself and to every account above it, as node.id. */
export function rollUp(leaves: string): string {
  return `JOIN account ON account.id = ${leaves}.account_id
   CROSS JOIN LATERAL unnest(account.ancestors || account.id) AS node (id)`;
}

/** An account is shown in a month if it has a balance at the start of the month, or lines in it. */
export function isShown(opening: string, hasLines: string): string {
  return `(${opening} <> 0 OR ${hasLines})`;
}

/** The account of that parameter and, where it is a summary account, the accounts below it that have lines. */
export function subtreeLeaves(account: '$3' | '$4'): string {
  return `
  SELECT account.id FROM account WHERE account.id = ${account}
  UNION
  SELECT below.id FROM account
    JOIN account AS below ON below.chart_id = account.chart_id AND account.id = ANY (below.ancestors)
   WHERE account.id = ${account} AND account.account_type = 'S' AND below.account_type = 'A'`;
}
