import type { AccountId, CompanyId } from '../../../accounting/ids.ts';
import { type Centavos, centavosFromSql } from '../../../accounting/money.ts';
import { type Day, firstDay, type Month, monthOfDay } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { type Fragment, SQL } from '../../../platform/database/statement.ts';
import type { BranchKey, BranchSet } from '../../access/access.ts';
import { NET, rowsOf, subtreeLeaves } from '../../closing/balances/balance-rules.sql.ts';
import { bookOrder } from '../../posting/entries/book-order.sql.ts';
import { FOUND_LINE_COLUMNS, type FoundLine } from './find-lines.read.sql.ts';

/** A day with lines; closing entries are in its debits and credits. */
export interface LedgerDay {
  readonly day: Day;
  readonly lines: number;
  readonly debit: Centavos;
  readonly credit: Centavos;
}

/** The days of a month on which an account has lines, or one of the accounts below it: by the ledger index alone. */
export async function selectLedgerDays(
  sql: Sql,
  branches: BranchKey | BranchSet,
  accountId: AccountId,
  month: Month,
): Promise<LedgerDay[]> {
  const rows = await sql.rows<{ day: Day; lines: number; debit: string; credit: string }>(SQL`
    SELECT line.day, count(*) AS lines,
           coalesce(sum(line.amount) FILTER (WHERE line.side = 'D'), 0) AS debit,
           coalesce(sum(line.amount) FILTER (WHERE line.side = 'C'), 0) AS credit
      FROM (${subtreeLeaves(SQL`${accountId}`)}) AS leaf
     CROSS JOIN LATERAL (
           SELECT entry_line.day, entry_line.side, entry_line.amount
             FROM entry_line
            WHERE ${rowsOf('entry_line', branches)} AND entry_line.month = ${firstDay(month)}
              AND entry_line.account_id = leaf.id
           OFFSET 0) AS line
     GROUP BY line.day ORDER BY line.day`);
  return rows.map((row) => ({ ...row, debit: centavosFromSql(row.debit), credit: centavosFromSql(row.credit) }));
}

/** A line, and what the account moved from the first of the days read up to it: NUMERIC text, debit-positive. */
export interface PlacedLine extends FoundLine {
  readonly moved: string;
}

/** Documents are ranked before their lines are joined: comparing codes line by line takes three times as long. */
const IN_ORDER = bookOrder({
  day: 'line.day',
  document: { rank: 'folder.place' },
  entry: 'line.entry_number',
  sequence: 'line.sequence',
});

/**
 * Lines of an account, or of the accounts below it, on days of one month, in the order of the books; branches of an
 * institution come one after another within a day. Lines are sorted by their keys alone: the rest is read for the page.
 */
export function selectLedgerLines(
  sql: Sql,
  branches: BranchKey | BranchSet,
  accountId: AccountId,
  { from, to }: { from: Day; to: Day },
  page: { offset: number; limit: number },
): Promise<PlacedLine[]> {
  const { companyId } = branches;
  return sql.rows<PlacedLine>(SQL`
    WITH line AS MATERIALIZED (
      SELECT line.*
        FROM (${subtreeLeaves(SQL`${accountId}`)}) AS leaf
       CROSS JOIN LATERAL (
             SELECT entry_line.id, entry_line.document_id, entry_line.entry_number, entry_line.sequence,
                    entry_line.day, ${NET} AS net
               FROM entry_line
              WHERE ${rowsOf('entry_line', branches)} AND entry_line.month = ${firstDay(monthOfDay(from))}
                AND entry_line.account_id = leaf.id AND entry_line.day BETWEEN ${from} AND ${to}
             OFFSET 0) AS line
    ), folder AS MATERIALIZED (
      SELECT document.id, row_number() OVER (ORDER BY natural_sort_key(branch.code), ${DOCUMENT_ORDER}) AS place
        FROM document
        JOIN batch ON batch.company_id = document.company_id AND batch.id = document.batch_id
        JOIN branch ON branch.company_id = document.company_id AND branch.id = document.branch_id
       WHERE document.company_id = ${companyId}
         AND document.id = ANY (ARRAY(SELECT DISTINCT line.document_id FROM line))
    ), placed AS MATERIALIZED (
      SELECT line.id, row_number() OVER in_order AS place,
             sum(line.net) OVER (in_order ROWS UNBOUNDED PRECEDING) AS moved
        FROM line
        FULL JOIN folder ON folder.id = line.document_id
      WINDOW in_order AS (ORDER BY ${IN_ORDER})
       ORDER BY place
       LIMIT ${page.limit} OFFSET ${page.offset}
    )
    SELECT ${FOUND_LINE_COLUMNS}, placed.moved
      FROM placed
      JOIN entry_line ON entry_line.company_id = ${companyId} AND entry_line.id = placed.id
      JOIN document ON document.company_id = entry_line.company_id AND document.id = entry_line.document_id
      JOIN batch ON batch.company_id = document.company_id AND batch.id = document.batch_id
      JOIN branch ON branch.company_id = entry_line.company_id AND branch.id = entry_line.branch_id
      JOIN account ON account.id = entry_line.account_id
      LEFT JOIN LATERAL (${onlyOtherAccount(companyId)}) AS other ON true
      LEFT JOIN account AS offset_account ON offset_account.id = coalesce(entry_line.offset_account_id, other.account_id)
     ORDER BY placed.place`);
}

const DOCUMENT_ORDER = bookOrder({ batch: { rank: 'batch.sort_key' }, document: { rank: 'document.sort_key' } });

/** The account of the other line where the entry has two: the offset account of a line that names none. */
function onlyOtherAccount(companyId: CompanyId): Fragment {
  return SQL`
        SELECT min(other.account_id) AS account_id
          FROM (SELECT other.account_id
                  FROM entry_line AS other
                 WHERE entry_line.offset_account_id IS NULL
                   AND other.company_id = ${companyId} AND other.document_id = entry_line.document_id
                   AND natural_sort_key(other.entry_number) = natural_sort_key(entry_line.entry_number)
                   AND other.id <> entry_line.id
                 LIMIT 2) AS other
        HAVING count(*) = 1`;
}
