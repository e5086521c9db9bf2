import type { Sql } from '../../src/platform/database/sql.ts';
import { SQL } from '../../src/platform/database/statement.ts';

/** Months whose lines are summed, and the accounts whose kept sums differ from their lines. */
export async function checkLineSums(sql: Sql): Promise<{ summed: number; wrong: unknown[] }> {
  const { summed } = await sql.one<{ summed: number }>(
    SQL`SELECT count(*) AS summed FROM month WHERE month.summed AND month.state = 'OPEN'`,
  );
  const wrong = await sql.rows(SQL`
    SELECT branch_id, month, account_id, sum(lines) AS lines, sum(debit) AS debit, sum(credit) AS credit,
           sum(closing_debit) AS closing_debit, sum(closing_credit) AS closing_credit
      FROM (SELECT line_sum.branch_id, line_sum.month, line_sum.account_id, line_sum.lines, line_sum.debit,
                   line_sum.credit, line_sum.closing_debit, line_sum.closing_credit
              FROM line_sum
            UNION ALL
            SELECT entry_line.branch_id, entry_line.month, entry_line.account_id, -1,
                   CASE WHEN entry_line.side = 'D' AND NOT entry_line.closing THEN -entry_line.amount ELSE 0 END,
                   CASE WHEN entry_line.side = 'C' AND NOT entry_line.closing THEN -entry_line.amount ELSE 0 END,
                   CASE WHEN entry_line.side = 'D' AND entry_line.closing THEN -entry_line.amount ELSE 0 END,
                   CASE WHEN entry_line.side = 'C' AND entry_line.closing THEN -entry_line.amount ELSE 0 END
              FROM entry_line
              JOIN month ON month.company_id = entry_line.company_id AND month.branch_id = entry_line.branch_id
               AND month.month = entry_line.month AND month.summed) AS both_ways
     GROUP BY branch_id, month, account_id
    HAVING (sum(lines), sum(debit), sum(credit), sum(closing_debit), sum(closing_credit)) <> (0, 0, 0, 0, 0)`);
  return { summed, wrong };
}
