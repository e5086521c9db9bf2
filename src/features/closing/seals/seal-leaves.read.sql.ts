import { firstDay } from '../../../accounting/period.ts';
import type { SealedBalance, SealedLine } from '../../../accounting/seal-leaf.ts';
import type { Sql, Transaction } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import { bookOrder } from '../../posting/entries/book-order.sql.ts';
import type { MonthKey } from '../../posting/months/months.sql.ts';

/** A month whose leaves are read, and where its movements are. */
export interface SealedMonth extends MonthKey {
  readonly archived: boolean;
}

/** Lines to a portion; FETCH takes no parameter. */
const FETCHED = 5_000;
const NEXT_LINES = SQL`FETCH 5000 FROM sealed_lines`;

const LINE_ORDER = bookOrder({
  day: 'line.day',
  document: { rank: 'folder.place' },
  entry: 'line.entry_number',
  sequence: 'line.sequence',
});

/**
 * The month's lines in the order of the books, as their leaves say them, in portions. Reads through a cursor: once at a
 * time in a transaction.
 */
export async function* readSealedLines(sql: Transaction, month: SealedMonth): AsyncGenerator<SealedLine[]> {
  const { companyId, branchId, archived } = month;
  const [lines, documents, batches] = ['entry_line', 'document', 'batch'].map((table) =>
    SQL.identifier(archived ? `${table}_archive` : table),
  );
  // All rows are read, so the plan must not be optimized for the first row.
  await sql.run(SQL`SET LOCAL cursor_tuple_fraction = 1`);
  await sql.run(SQL`SET LOCAL work_mem = '64MB'`);
  await sql.run(SQL`
    DECLARE sealed_lines NO SCROLL CURSOR FOR
    WITH folder AS MATERIALIZED (
      SELECT document.id, batch.number AS batch, document.number AS document,
             row_number() OVER (ORDER BY ${bookOrder({ batch: { rank: 'batch.sort_key' }, document: { rank: 'document.sort_key' } })}) AS place
        FROM ${documents!} AS document
        JOIN ${batches!} AS batch ON batch.company_id = document.company_id AND batch.id = document.batch_id
       WHERE document.company_id = ${companyId} AND document.branch_id = ${branchId}
         AND document.month = ${firstDay(month.month)}
    )
    SELECT line.day, folder.batch, folder.document, line.entry_number AS entry, line.sequence,
           account.code AS account, other.code AS offset, line.side, line.amount, line.closing,
           coalesce(line.printed_narration, line.narration, '') AS "printedNarration"
      FROM ${lines!} AS line
      JOIN folder ON folder.id = line.document_id
      JOIN account ON account.id = line.account_id
      LEFT JOIN account AS other ON other.id = line.offset_account_id
     WHERE line.company_id = ${companyId} AND line.branch_id = ${branchId} AND line.month = ${firstDay(month.month)}
     ORDER BY ${LINE_ORDER}`);
  try {
    for (;;) {
      const portion = await sql.rows<SealedLine>(NEXT_LINES);
      if (portion.length > 0) yield portion;
      if (portion.length < FETCHED) return;
    }
  } finally {
    // After a failed statement the cursor was closed with its transaction.
    await sql.run(SQL`CLOSE sealed_lines`).catch(() => {});
  }
}

/** The month's balances by account, in the order of the accounts. */
export function selectSealedBalances(sql: Sql, { companyId, branchId, month }: MonthKey): Promise<SealedBalance[]> {
  return sql.rows<SealedBalance>(SQL`
    SELECT account.code AS account, stored.opening, stored.debit, stored.credit, stored.closing_debit AS "closingDebit",
           stored.closing_credit AS "closingCredit", stored.balance
      FROM monthly_balance AS stored
      JOIN account ON account.id = stored.account_id
     WHERE stored.company_id = ${companyId} AND stored.branch_id = ${branchId} AND stored.month = ${firstDay(month)}
     ORDER BY account.sort_key, account.code COLLATE "C"`);
}
