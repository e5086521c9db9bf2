import type { ChartId } from '../../../accounting/ids.ts';
import { type Centavos, decimalOf } from '../../../accounting/money.ts';
import { type Day, firstDay } from '../../../accounting/period.ts';
import type { PostingAccount } from '../../../accounting/posting.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import type { MonthKey } from '../../posting/months/months.sql.ts';

/** Accounts of the chart that take lines on the day, with the locks of any posting. */
export function lockLeafAccounts(
  sql: Sql,
  chartId: ChartId,
  day: Day,
): Promise<Pick<PostingAccount, 'id' | 'accountClass'>[]> {
  return sql.rows(SQL`
    SELECT account.id, account.account_class AS "accountClass" FROM account
     WHERE account.chart_id = ${chartId} AND account.account_type = 'A' AND account.active
       AND (account.start_date IS NULL OR account.start_date <= ${day}) AND account.end_date IS NULL
     ORDER BY account.id FOR KEY SHARE`);
}

/** Accounts to draw from: first those that are no memorandum accounts, then those that are. */
export interface DrawableAccounts {
  readonly ids: readonly number[];
  readonly others: number;
}

/** One statement: every entry draws a day, two different accounts of one kind and a value of its own. */
export async function insertRandomEntries(
  sql: Sql,
  { companyId, branchId, month }: MonthKey,
  drawn: { entries: number; minimum: Centavos; maximum: Centavos },
  from: { days: readonly Day[]; accounts: DrawableAccounts; documents: readonly number[]; by: string },
): Promise<void> {
  await sql.one(SQL`
    WITH drawn AS MATERIALIZED (
      SELECT entry.n, floor(random() * cardinality(${from.accounts.ids}::bigint[]))::integer AS debited,
             random() AS distance,
             (${from.days}::date[])[1 + floor(random() * cardinality(${from.days}::date[]))::integer] AS day,
             ${decimalOf(drawn.minimum)}::numeric + floor(random() * ((${decimalOf(drawn.maximum)}::numeric - ${decimalOf(drawn.minimum)}::numeric) * 100 + 1))::numeric / 100 AS amount
        FROM generate_series(1, ${drawn.entries}::integer) AS entry (n)
    ), written AS (
    INSERT INTO entry_line (company_id, branch_id, document_id, month, day, entry_number, sequence, account_id,
                            offset_account_id, side, amount, narration, created_by)
    SELECT ${companyId}, ${branchId},
           (${from.documents}::bigint[])[1 + (drawn.n - 1) % cardinality(${from.documents}::bigint[])],
           ${firstDay(month)}, drawn.day,
           (1 + (drawn.n - 1) / cardinality(${from.documents}::bigint[]))::text, twin.sequence,
           CASE twin.sequence WHEN 1 THEN pair.debit ELSE pair.credit END,
           CASE twin.sequence WHEN 1 THEN pair.credit ELSE pair.debit END,
           CASE twin.sequence WHEN 1 THEN 'D' ELSE 'C' END::"char", drawn.amount, 'Lançamento de teste', ${from.by}
      FROM drawn
     CROSS JOIN LATERAL (
           SELECT (${from.accounts.ids}::bigint[])[1 + drawn.debited] AS debit,
                  (${from.accounts.ids}::bigint[])[1 + kind.first + (drawn.debited - kind.first + 1
                                                   + floor(drawn.distance * (kind.size - 1))::integer) % kind.size]
                    AS credit
             FROM (SELECT CASE WHEN drawn.debited < ${from.accounts.others}::integer THEN 0 ELSE ${from.accounts.others}::integer END AS first,
                          CASE WHEN drawn.debited < ${from.accounts.others}::integer THEN ${from.accounts.others}::integer ELSE cardinality(${from.accounts.ids}::bigint[]) - ${from.accounts.others}::integer END AS size
                  ) AS kind
           ) AS pair
     CROSS JOIN (VALUES (1), (2)) AS twin (sequence)
    RETURNING 1)
    SELECT count(*) AS lines FROM written`);
}
