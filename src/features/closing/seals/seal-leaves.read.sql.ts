import { firstDay, type Month, monthNumberOf, yearOf } from '../../../accounting/period.ts';
import type { SealedBalance, SealedLine } from '../../../accounting/seal-leaf.ts';
import { copyRows, type TakeRow } from '../../../platform/database/copy-rows.ts';
import type { Sql, Transaction } from '../../../platform/database/sql.ts';
import { type Fragment, SQL } from '../../../platform/database/statement.ts';
import type { MonthKey } from '../../posting/months/months.sql.ts';
import { inTableOrder } from '../month-close/prove-entries.read.sql.ts';
import type { SealedDocument } from './line-leaves.ts';

/** A month whose leaves are read, and where its movements are. */
export interface SealedMonth extends MonthKey {
  readonly archived: boolean;
}

type Movements = 'batch' | 'document' | 'entry_line';

const tableOf = ({ archived }: SealedMonth, name: Movements): Fragment =>
  SQL.identifier(archived ? `${name}_archive` : name);

/**
 * The month's documents, those of closing entries included, in the order of their ids. Branch and month are asked of the batch,
 * which has an index by them: a document repeats its batch's, and by itself would be looked for among all of the company.
 */
export function selectSealedDocuments(sql: Sql, month: SealedMonth): Promise<SealedDocument[]> {
  return sql.rows<SealedDocument>(SQL`
    SELECT document.id, batch.number AS batch, document.number AS document
      FROM ${tableOf(month, 'document')} AS document
      JOIN ${tableOf(month, 'batch')} AS batch
        ON batch.company_id = document.company_id AND batch.id = document.batch_id
     WHERE batch.company_id = ${month.companyId} AND batch.branch_id = ${month.branchId}
       AND batch.month = ${firstDay(month.month)}
     ORDER BY document.id`);
}

/** Codes of all accounts of the charts that the branch has posted to. */
export function selectSealedAccounts(
  sql: Sql,
  { companyId, branchId }: SealedMonth,
): Promise<{ id: number; code: string }[]> {
  return sql.rows(SQL`
    SELECT account.id, account.code
      FROM account
     WHERE account.chart_id IN (SELECT used.chart_id
                                  FROM account_use
                                  JOIN account AS used ON used.id = account_use.account_id
                                 WHERE account_use.company_id = ${companyId} AND account_use.branch_id = ${branchId})`);
}

/**
 * Gives `take` the rows of the month's lines, as COPY prints them, in the order of their table: in that of the books every
 * line would be another page, and its key of an entry be computed. `LineLeaves` makes leaves of them. In a transaction.
 */
export function copySealedLines(sql: Transaction, month: SealedMonth, take: TakeRow): Promise<void> {
  const { text } = SQL`
    COPY (
      SELECT line.document_id, line.account_id, coalesce(line.offset_account_id, 0), line.day, line.entry_number,
             line.sequence, line.side, line.amount, line.closing::integer,
             coalesce(line.printed_narration, line.narration, '')
        FROM ${tableOf(month, 'entry_line')} AS line
       WHERE line.company_id = ${SQL.integer(month.companyId)} AND line.branch_id = ${SQL.integer(month.branchId)}
         AND line.month = ${dateOf(month.month)}
    ) TO STDOUT`;
  return inTableOrder(sql, () => copyRows(sql.connection, text, take));
}

const dateOf = (month: Month): Fragment =>
  SQL`make_date(${SQL.integer(yearOf(month))}, ${SQL.integer(monthNumberOf(month))}, 1)`;

/** The lines of closing entries, in the order of the books: those that a close has written are in no other snapshot. */
export function selectClosingLines(sql: Sql, { companyId, branchId, month }: MonthKey): Promise<SealedLine[]> {
  return sql.rows<SealedLine>(SQL`
    SELECT line.day, batch.number AS batch, document.number AS document, line.entry_number AS entry, line.sequence,
           account.code AS account, other.code AS offset, line.side, line.amount, line.closing,
           coalesce(line.printed_narration, line.narration, '') AS "printedNarration"
      FROM document
      JOIN batch ON batch.company_id = document.company_id AND batch.id = document.batch_id AND batch.closing
      JOIN entry_line AS line ON line.company_id = document.company_id AND line.document_id = document.id
      JOIN account ON account.id = line.account_id
      LEFT JOIN account AS other ON other.id = line.offset_account_id
     WHERE batch.company_id = ${companyId} AND batch.branch_id = ${branchId} AND batch.month = ${firstDay(month)}
     ORDER BY document.id, natural_sort_key(line.entry_number), line.sequence`);
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
