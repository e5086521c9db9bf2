import type { CompanyId } from '../../../accounting/ids.ts';
import { BEFORE_ALL_DAYS, type Day, firstDay, type Month } from '../../../accounting/period.ts';
import { type Fragment, SQL } from '../../../platform/database/statement.ts';
import type { BranchKey, BranchSet } from '../../access/access.ts';

// The rules of balances as SQL fragments, for every statement that computes, lists or closes them.

/** A table's rows of one branch, or of several. */
export function rowsOf(table: string, branches: BranchKey | BranchSet): Fragment {
  const [companyId, branchId] = [SQL.identifier(`${table}.company_id`), SQL.identifier(`${table}.branch_id`)];
  return 'branchIds' in branches
    ? SQL`${companyId} = ${branches.companyId} AND ${branchId} = ANY (${branches.branchIds}::bigint[])`
    : SQL`${companyId} = ${branches.companyId} AND ${branchId} = ${branches.branchId}`;
}

/** Debit-positive amount of a line. */
export const NET = SQL`CASE entry_line.side WHEN 'D' THEN entry_line.amount ELSE -entry_line.amount END`;

/** Debits and credits, those of closing entries apart; only of the lines that meet the condition. */
export function movementSums(condition: Fragment = SQL`true`): Fragment {
  const sum = (amount: Fragment, lines: Fragment) =>
    SQL`coalesce(sum(${amount}) FILTER (WHERE ${condition} AND ${lines}), 0)`;
  return SQL`${sum(SQL`entry_line.amount`, SQL`entry_line.side = 'D' AND NOT entry_line.closing`)} AS debit,
         ${sum(SQL`entry_line.amount`, SQL`entry_line.side = 'C' AND NOT entry_line.closing`)} AS credit,
         ${sum(SQL`entry_line.amount`, SQL`entry_line.side = 'D' AND entry_line.closing`)} AS closing_debit,
         ${sum(SQL`entry_line.amount`, SQL`entry_line.side = 'C' AND entry_line.closing`)} AS closing_credit`;
}

/** Leaf balances at the end of a closed month; the base balances where none is closed. */
export function openingLeaves(branches: BranchKey | BranchSet, closed: Month | null): Fragment {
  const month = closed === null ? null : firstDay(closed);
  return SQL`
  SELECT monthly_balance.account_id, monthly_balance.balance
    FROM monthly_balance
    JOIN account ON account.id = monthly_balance.account_id AND account.account_type = 'A'
   WHERE ${rowsOf('monthly_balance', branches)} AND monthly_balance.month = ${month}
  UNION ALL
  SELECT base_balance.account_id, base_balance.balance
    FROM base_balance
   WHERE ${month}::date IS NULL AND ${rowsOf('base_balance', branches)}`;
}

/** A period of open months: the months after one day and up to another. */
interface OpenPeriod {
  readonly after: Day;
  readonly to: Day;
}

/**
 * Net amounts that lines moved in open months (branch_id, month, account_id, net), some rows for an account: the sums that
 * are kept of a month, else its lines, grouped in the order of the ledger index.
 */
export function openNets(branches: BranchKey | BranchSet, period: OpenPeriod): Fragment {
  return overOpenMonths(
    branches,
    period,
    SQL`SELECT line_sum.account_id, line_sum.net FROM line_sum WHERE month.summed AND ${ofMonth('line_sum', branches)}`,
    SQL`SELECT entry_line.account_id, sum(${NET}) FROM entry_line WHERE NOT month.summed AND ${ofMonth('entry_line', branches)}
             GROUP BY entry_line.account_id`,
  );
}

/** The same as `movementSums`, one row for each branch, month and account that has lines in it. */
export function openMovements(branches: BranchKey | BranchSet, period: OpenPeriod): Fragment {
  return overOpenMonths(
    branches,
    period,
    SQL`SELECT line_sum.account_id, sum(line_sum.lines) AS lines, sum(line_sum.debit) AS debit,
                   sum(line_sum.credit) AS credit, sum(line_sum.closing_debit) AS closing_debit,
                   sum(line_sum.closing_credit) AS closing_credit
              FROM line_sum
             WHERE month.summed AND ${ofMonth('line_sum', branches)}
             GROUP BY line_sum.account_id
            HAVING sum(line_sum.lines) > 0`,
    SQL`SELECT entry_line.account_id, count(*) AS lines, ${movementSums()}
              FROM entry_line
             WHERE NOT month.summed AND ${ofMonth('entry_line', branches)}
             GROUP BY entry_line.account_id`,
  );
}

/** Rows of the month that the query around them has; the company is named, so that a cluster asks its node alone. */
function ofMonth(table: 'line_sum' | 'entry_line', { companyId }: { readonly companyId: CompanyId }): Fragment {
  const column = (name: string) => SQL.identifier(`${table}.${name}`);
  return SQL`${column('company_id')} = ${companyId} AND ${column('branch_id')} = month.branch_id AND ${column('month')} = month.month`;
}

function overOpenMonths(
  branches: BranchKey | BranchSet,
  { after, to }: OpenPeriod,
  ofSums: Fragment,
  ofLines: Fragment,
): Fragment {
  return SQL`
  SELECT month.branch_id, month.month, moved.*
    FROM month
   CROSS JOIN LATERAL (
            ${ofSums}
             UNION ALL
            ${ofLines}) AS moved
   WHERE ${rowsOf('month', branches)} AND month.month > ${after} AND month.month <= ${to}`;
}

/** Days of a closed month on which accounts moved: account_id, day, what moved, and the balance at its end. */
export function closedDays(branches: BranchKey | BranchSet, month: Month): Fragment {
  return SQL`
  SELECT daily_balance.account_id, moved.day, moved.debit, moved.credit,
         coalesce(moved.closing_debit, 0) AS closing_debit, coalesce(moved.closing_credit, 0) AS closing_credit,
         moved.balance
    FROM daily_balance
   CROSS JOIN LATERAL unnest(daily_balance.days, daily_balance.debits, daily_balance.credits,
                             daily_balance.closing_debits, daily_balance.closing_credits, daily_balance.balances)
           AS moved (day, debit, credit, closing_debit, closing_credit, balance)
   WHERE ${rowsOf('daily_balance', branches)} AND daily_balance.month = ${firstDay(month)}`;
}

/** Branches that stand alike, seen from a month: their closed balances end in the same month. */
export interface BranchGroup extends BranchSet {
  /** null: none is closed. */
  readonly closed: Month | null;
}

/**
 * Balances of the posting accounts of groups of branches at the end of a month (branch_id, account_id, balance), those
 * of zero left out: each group's last closed month, or its base balances, and the lines since.
 */
export function leavesOfGroups(groups: readonly BranchGroup[], month: Month): Fragment {
  const parts = groups.map((group) => {
    const closed = group.closed === null ? BEFORE_ALL_DAYS : firstDay(group.closed);
    const balances =
      group.closed === null
        ? SQL`
          SELECT base_balance.branch_id, base_balance.account_id, base_balance.balance AS net
            FROM base_balance
           WHERE ${rowsOf('base_balance', group)}`
        : SQL`
          SELECT monthly_balance.branch_id, monthly_balance.account_id, monthly_balance.balance AS net
            FROM monthly_balance
           WHERE ${rowsOf('monthly_balance', group)} AND monthly_balance.month = ${closed}`;
    return SQL`${balances}
          UNION ALL
          SELECT moved.branch_id, moved.account_id, moved.net
            FROM (${openNets(group, { after: closed, to: firstDay(month) })}) AS moved`;
  });
  return SQL`
  SELECT leaf.branch_id, leaf.account_id, leaf.balance
    FROM (SELECT part.branch_id, part.account_id, sum(part.net)::numeric(20,2) AS balance
            FROM (${SQL.join(parts, ' UNION ALL ')}) AS part
           GROUP BY part.branch_id, part.account_id
          HAVING sum(part.net) <> 0) AS leaf
    JOIN account ON account.id = leaf.account_id AND account.account_type = 'A'`;
}

/** Joins each row of leaf amounts to the account itself and to every account above it, as node.id. */
export function rollUp(leaves: string): Fragment {
  return SQL`JOIN account ON account.id = ${SQL.identifier(leaves)}.account_id
   CROSS JOIN LATERAL unnest(account.ancestors || account.id) AS node (id)`;
}

/**
 * Leaf amounts, one row for each account and key, and the same of all accounts above them. The leaves are first summed
 * into the accounts right above, of which there are few; only these are joined to all the others.
 */
export function withAccountsAbove(leaves: string, keys: readonly string[], amounts: readonly string[]): Fragment {
  const columns = (table: string, names: readonly string[]) => names.map((name) => SQL.identifier(`${table}.${name}`));
  const sums = (table: string) =>
    amounts.map((name) => SQL`sum(${SQL.identifier(`${table}.${name}`)}) AS ${SQL.identifier(name)}`);
  return SQL`
  SELECT ${SQL.join(columns(leaves, ['account_id', ...keys, ...amounts]))} FROM ${SQL.identifier(leaves)}
  UNION ALL
  SELECT ${SQL.join([SQL`node.id`, ...columns('parent', keys), ...sums('parent')])}
    FROM (SELECT ${SQL.join([SQL`account.parent_id AS account_id`, ...columns(leaves, keys), ...sums(leaves)])}
            FROM ${SQL.identifier(leaves)}
            JOIN account ON account.id = ${SQL.identifier(leaves)}.account_id AND account.parent_id IS NOT NULL
           GROUP BY ${SQL.join([SQL`account.parent_id`, ...columns(leaves, keys)])}) AS parent
    ${rollUp('parent')}
   GROUP BY ${SQL.join([SQL`node.id`, ...columns('parent', keys)])}`;
}

/** An account is shown in a month if it has a balance at the start of the month, or lines in it. */
export function isShown(opening: Fragment, hasLines: Fragment): Fragment {
  return SQL`(${opening} <> 0 OR ${hasLines})`;
}

/** The account (id, code, chart_id) and, where it is a summary account, the accounts below it that have lines. */
export function subtreeLeaves(accountId: Fragment): Fragment {
  return SQL`
  SELECT account.id, account.code, account.chart_id FROM account WHERE account.id = ${accountId}
  UNION ALL
  SELECT below.id, below.code, below.chart_id FROM account
    JOIN account AS below ON below.chart_id = account.chart_id AND account.id = ANY (below.ancestors)
   WHERE account.id = ${accountId} AND account.account_type = 'S' AND below.account_type = 'A'`;
}
