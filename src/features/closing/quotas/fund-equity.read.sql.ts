import type { BranchId, CompanyId } from '../../../accounting/ids.ts';
import { type Centavos, centavosFromSql } from '../../../accounting/money.ts';
import { BEFORE_ALL_DAYS, type Day, firstDay, monthOfDay } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { type Fragment, SQL } from '../../../platform/database/statement.ts';
import { NET } from '../balances/balance-rules.sql.ts';
import type { Fund } from './daily-quotas.read.sql.ts';

/** Balances of a fund's accounts, credit-positive: what they brought into the first month, and what each day moved. */
export interface FundMoved {
  readonly branchId: BranchId;
  /** null: before the first month. */
  readonly day: Day | null;
  readonly equity: Centavos;
  /** Of the account that holds the quotas. */
  readonly held: Centavos;
}

/** What the lines of a document change of the equity of its fund, credit-positive. */
export async function selectEquityOfDocument(
  sql: Sql,
  {
    companyId,
    netEquityAccountId,
    includeOpenResult,
  }: Pick<Fund, 'companyId' | 'netEquityAccountId' | 'includeOpenResult'>,
  documentId: number,
): Promise<Centavos> {
  const { moved } = await sql.one<{ moved: string }>(SQL`
    SELECT (-coalesce(sum(${NET}) FILTER (
             WHERE account.id = ${netEquityAccountId} OR ${netEquityAccountId} = ANY (account.ancestors)
                OR (${includeOpenResult} AND account.account_class = '04')), 0))::numeric(20,2) AS moved
      FROM entry_line
      JOIN account ON account.id = entry_line.account_id
     WHERE entry_line.company_id = ${companyId} AND entry_line.document_id = ${documentId}`);
  return centavosFromSql(moved);
}

/**
 * What the days from the first of the month of `from` to `to` moved in the accounts that the quota configurations of these
 * branches name, and what there was before: from the last month closed before, the sums that are kept of open ones, and the
 * lines. Archived lines are read where they are. One statement for any number of funds.
 */
export async function selectFundsMoved(
  sql: Sql,
  companyId: CompanyId,
  branchIds: readonly BranchId[],
  { from, to }: { readonly from: Day; readonly to: Day },
): Promise<FundMoved[]> {
  const [first, last] = [firstDay(monthOfDay(from)), firstDay(monthOfDay(to))];
  const ofMonth = (table: Fragment) => SQL`${table}.company_id = ${companyId} AND ${table}.branch_id = fund.branch_id`;
  const rows = await sql.rows<{ branchId: BranchId; day: Day | null; equity: string; held: string }>(SQL`
    WITH fund AS MATERIALIZED (
      SELECT quota_configuration.branch_id, quota_configuration.net_equity_account_id AS equity_id,
             quota_configuration.include_open_result AS with_result,
             quota_configuration.quota_quantity_account_id AS held_id,
             (SELECT coalesce(max(month.month), ${BEFORE_ALL_DAYS}) FROM month
               WHERE month.company_id = ${companyId} AND month.branch_id = quota_configuration.branch_id
                 AND month.month < ${first} AND month.state = 'CLOSED') AS closed
        FROM quota_configuration
       WHERE quota_configuration.company_id = ${companyId} AND quota_configuration.branch_id = ANY (${branchIds}::bigint[])
    ), moved AS (
      SELECT fund.branch_id, NULL::date AS day, monthly_balance.account_id, monthly_balance.balance AS net
        FROM fund
        JOIN monthly_balance ON ${ofMonth(SQL`monthly_balance`)} AND monthly_balance.month = fund.closed
      UNION ALL
      SELECT fund.branch_id, NULL, base_balance.account_id, base_balance.balance
        FROM fund
        JOIN base_balance ON ${ofMonth(SQL`base_balance`)}
       WHERE fund.closed = ${BEFORE_ALL_DAYS}
      UNION ALL
      SELECT fund.branch_id, NULL, since.account_id, since.net
        FROM fund
        JOIN month ON ${ofMonth(SQL`month`)} AND month.month > fund.closed AND month.month < ${first}
       CROSS JOIN LATERAL (
             SELECT line_sum.account_id, line_sum.net FROM line_sum
              WHERE month.summed AND ${ofMonth(SQL`line_sum`)} AND line_sum.month = month.month
             UNION ALL
             SELECT entry_line.account_id, sum(${NET}) FROM entry_line
              WHERE NOT month.summed AND ${ofMonth(SQL`entry_line`)} AND entry_line.month = month.month
              GROUP BY entry_line.account_id) AS since
      UNION ALL
      SELECT fund.branch_id, of_day.day, of_day.account_id, of_day.net
        FROM fund
        JOIN month ON ${ofMonth(SQL`month`)} AND month.month BETWEEN ${first} AND ${last}
       CROSS JOIN LATERAL (
             SELECT entry_line.day, entry_line.account_id, sum(${NET}) AS net FROM entry_line
              WHERE NOT month.archived AND ${ofMonth(SQL`entry_line`)} AND entry_line.month = month.month
                AND entry_line.day <= ${to}
              GROUP BY entry_line.day, entry_line.account_id
             UNION ALL
             SELECT entry_line.day, entry_line.account_id, sum(${NET}) FROM entry_line_archive AS entry_line
              WHERE month.archived AND ${ofMonth(SQL`entry_line`)} AND entry_line.month = month.month
                AND entry_line.day <= ${to}
              GROUP BY entry_line.day, entry_line.account_id) AS of_day
    )
    SELECT moved.branch_id AS "branchId", moved.day,
           (-coalesce(sum(moved.net) FILTER (
             WHERE account.id = fund.equity_id OR fund.equity_id = ANY (account.ancestors)
                OR (fund.with_result AND account.account_class = '04')), 0))::numeric(20,2) AS equity,
           (-coalesce(sum(moved.net) FILTER (
             WHERE account.id = fund.held_id OR fund.held_id = ANY (account.ancestors)), 0))::numeric(20,2) AS held
      FROM moved
      JOIN fund ON fund.branch_id = moved.branch_id
      JOIN account ON account.id = moved.account_id AND account.account_type = 'A'
     GROUP BY moved.branch_id, moved.day
     ORDER BY moved.branch_id, moved.day NULLS FIRST`);
  return rows.map(({ equity, held, ...row }) => ({
    ...row,
    equity: centavosFromSql(equity),
    held: centavosFromSql(held),
  }));
}
