import type { AccountId } from '../../../accounting/ids.ts';
import { type Centavos, centavosFromSql } from '../../../accounting/money.ts';
import { firstDay, type Month } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import { NET, rowsOf } from '../../closing/balances/balance-rules.sql.ts';
import { branchesOf, isOfBranches, type ReportedBooks } from '../../master-data/companies/institution.ts';

/** What the lines of an account with one standard narration add up to, debit-positive. */
export interface NarratedAmount {
  readonly accountId: AccountId;
  /** null for lines without a standard narration. */
  readonly code: string | null;
  readonly description: string | null;
  readonly closing: boolean;
  readonly net: Centavos;
}

/** The lines of these accounts in a period by their standard narrations. */
export async function selectNarratedAmounts(
  sql: Sql,
  books: ReportedBooks,
  accounts: readonly AccountId[],
  from: Month,
  to: Month,
  closingOfLastMonth: boolean,
): Promise<NarratedAmount[]> {
  // An institution has the narrations of its company and of everybody.
  const { companyId } = books;
  const branchId = isOfBranches(books) ? 0 : books.branchId;
  const rows = await sql.rows<Omit<NarratedAmount, 'net'> & { net: string }>(SQL`
    WITH moved AS (
      SELECT entry_line.account_id, entry_line.narration_code AS code, entry_line.closing,
             sum(${NET})::numeric(20,2) AS net
        FROM entry_line
       WHERE ${rowsOf('entry_line', branchesOf(books))}
         AND entry_line.month BETWEEN ${firstDay(from)} AND ${firstDay(to)}
         AND entry_line.account_id = ANY (${accounts}::bigint[])
         AND (${closingOfLastMonth} OR NOT entry_line.closing OR entry_line.month < ${firstDay(to)})
       GROUP BY entry_line.account_id, entry_line.narration_code, entry_line.closing
    )
    SELECT moved.account_id AS "accountId", moved.code, narration.description, moved.closing, moved.net
      FROM moved
      LEFT JOIN standard_narrations(${companyId}, ${branchId}, ARRAY(SELECT DISTINCT moved.code FROM moved
                                                                     WHERE moved.code IS NOT NULL)) AS narration
        ON narration.code = moved.code
     ORDER BY natural_sort_key(moved.code) NULLS LAST, moved.account_id`);
  return rows.map((row) => ({ ...row, net: centavosFromSql(row.net) }));
}
