import { type Centavos, decimalOf } from '../../../accounting/money.ts';
import { type Day, firstDay } from '../../../accounting/period.ts';
import type { PostingAccount } from '../../../accounting/posting.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import type { MonthKey } from '../../posting/months/months.sql.ts';

/** Days of the month that are not closed, in order. */
export async function selectOpenDays(sql: Sql, { companyId, branchId, month }: MonthKey): Promise<Day[]> {
  const rows = await sql.rows<{ day: Day }>({
    text: `SELECT calendar_day.day FROM calendar_day
            WHERE calendar_day.company_id = $1 AND calendar_day.branch_id = $2 AND NOT calendar_day.closed
              AND calendar_day.day >= $3 AND calendar_day.day < $3::date + interval '1 month'
            ORDER BY calendar_day.day`,
    values: [companyId, branchId, firstDay(month)],
  });
  return rows.map((row) => row.day);
}

/** Accounts of the chart that take lines on the day, held as those of any posting. */
export function lockLeafAccounts(
  sql: Sql,
  chartId: number,
  day: Day,
): Promise<Pick<PostingAccount, 'id' | 'accountClass'>[]> {
  return sql.rows({
    text: `SELECT account.id, account.account_class AS "accountClass" FROM account
            WHERE account.chart_id = $1 AND account.account_type = 'A' AND account.active
              AND (account.start_date IS NULL OR account.start_date <= $2) AND account.end_date IS NULL
            ORDER BY account.id FOR KEY SHARE`,
    values: [chartId, day],
  });
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
  await sql.run({
    text: `WITH drawn AS MATERIALIZED (
             SELECT entry.n, floor(random() * cardinality($6::bigint[]))::integer AS debited, random() AS distance,
                    ($5::date[])[1 + floor(random() * cardinality($5::date[]))::integer] AS day,
                    $8::numeric + floor(random() * (($9::numeric - $8::numeric) * 100 + 1))::numeric / 100 AS amount
               FROM generate_series(1, $7::integer) AS entry (n)
           )
           INSERT INTO entry_line (company_id, branch_id, document_id, month, day, entry_number, sequence, account_id,
                                   offset_account_id, side, amount, narration, created_by)
           SELECT $1, $2, ($4::bigint[])[1 + (drawn.n - 1) % cardinality($4::bigint[])], $3, drawn.day,
                  (1 + (drawn.n - 1) / cardinality($4::bigint[]))::text, twin.sequence,
                  CASE twin.sequence WHEN 1 THEN pair.debit ELSE pair.credit END,
                  CASE twin.sequence WHEN 1 THEN pair.credit ELSE pair.debit END,
                  CASE twin.sequence WHEN 1 THEN 'D' ELSE 'C' END::"char", drawn.amount, 'Lançamento de teste', $11
             FROM drawn
            CROSS JOIN LATERAL (
                  SELECT ($6::bigint[])[1 + drawn.debited] AS debit,
                         ($6::bigint[])[1 + kind.first + (drawn.debited - kind.first + 1
                                                          + floor(drawn.distance * (kind.size - 1))::integer) % kind.size]
                           AS credit
                    FROM (SELECT CASE WHEN drawn.debited < $10::integer THEN 0 ELSE $10::integer END AS first,
                                 CASE WHEN drawn.debited < $10::integer THEN $10::integer ELSE cardinality($6::bigint[]) - $10::integer END AS size
                         ) AS kind
                  ) AS pair
            CROSS JOIN (VALUES (1), (2)) AS twin (sequence)`,
    values: [
      companyId,
      branchId,
      firstDay(month),
      from.documents,
      from.days,
      from.accounts.ids,
      drawn.entries,
      decimalOf(drawn.minimum),
      decimalOf(drawn.maximum),
      from.accounts.others,
      from.by,
    ],
  });
}
