import type { Branch } from './books.ts';
import type { Installation } from './installation.ts';

/** Runs the work between making and dropping tables for balances that have neither index nor policy nor trigger. */
export async function withBareBalances<T>({ owner }: Installation, work: () => Promise<T>): Promise<T> {
  const amounts =
    'debit numeric(20,2), credit numeric(20,2), closing_debit numeric(20,2), closing_credit numeric(20,2)';
  await owner.query(`CREATE TABLE bare_day (branch_id bigint, account_id bigint, day date, ${amounts})`);
  await owner.query(`CREATE TABLE bare_month (branch_id bigint, account_id bigint, ${amounts})`);
  try {
    return await work();
  } finally {
    await owner.query('DROP TABLE bare_month, bare_day');
  }
}

const SUMS =
  'sum(debit) AS debit, sum(credit) AS credit, sum(closing_debit) AS closing_debit, sum(closing_credit) AS closing_credit';

/** What anybody would write: the lines of the branch's January grouped, rolled up, and inserted by day and by month. */
export function bareBalances({ companyId, branchId }: Branch): string {
  return `
    WITH leaf AS (
      SELECT account_id, day, coalesce(sum(amount) FILTER (WHERE side = 'D' AND NOT closing), 0) AS debit,
             coalesce(sum(amount) FILTER (WHERE side = 'C' AND NOT closing), 0) AS credit,
             coalesce(sum(amount) FILTER (WHERE side = 'D' AND closing), 0) AS closing_debit,
             coalesce(sum(amount) FILTER (WHERE side = 'C' AND closing), 0) AS closing_credit
        FROM entry_line
       WHERE company_id = ${companyId} AND branch_id = ${branchId} AND month = '2026-01-01'
       GROUP BY account_id, day
    ), rolled AS MATERIALIZED (
      SELECT node.id AS account_id, day, ${SUMS}
        FROM leaf
        JOIN account ON account.id = leaf.account_id
       CROSS JOIN LATERAL unnest(account.ancestors || account.id) AS node (id)
       GROUP BY node.id, day
    ), daily AS (
      INSERT INTO bare_day
      SELECT ${branchId}, account_id, day, debit, credit, closing_debit, closing_credit FROM rolled
    )
    INSERT INTO bare_month SELECT ${branchId}, account_id, ${SUMS} FROM rolled GROUP BY account_id`;
}
