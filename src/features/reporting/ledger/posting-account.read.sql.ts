import type { AccountId, ChartId, CompanyId } from '../../../accounting/ids.ts';
import { type Day, firstDay, monthOfDay } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import type { BranchKey } from '../../access/access.ts';

/** Column by column: an answer of few fields is read in half the time of one of many rows. null: there are no lines. */
interface LineColumns {
  readonly documents: readonly number[] | null;
  readonly entries: readonly string[] | null;
  readonly sequences: readonly number[] | null;
  /** A letter for each line. */
  readonly sides: string | null;
  /** Days after the first of the month. */
  readonly days: readonly number[] | null;
  /** NUMERIC texts, with commas between them. */
  readonly amounts: string | null;
  readonly narrations: readonly (string | null)[] | null;
}

/** The own lines of an account in a month, in no order; a summary account has none. */
export interface AccountLines extends LineColumns {
  readonly chartId: ChartId | null;
  /** null when the account is not in the branch's chart. */
  readonly code: string | null;
  readonly type: 'S' | 'A' | null;
  readonly archived: boolean;
}

type AskedLines = BranchKey & {
  readonly accountId: AccountId;
  readonly month: Day;
  readonly from: Day;
  readonly to: Day;
  readonly most: number;
};

/**
 * One statement, so that account, archive and lines are of one moment without a transaction. Neither sorted nor joined: of
 * a ledger of 100 lines that takes PostgreSQL three fifths of its time, and the program, which knows the documents, little.
 */
const LINES_OF_ACCOUNT = SQL.prepared<AskedLines>(
  'lines-of-account',
  ({ companyId, branchId, accountId, month, from, to, most }) => SQL`
    SELECT company_options.chart_id AS "chartId", account.code, account.account_type AS type,
           coalesce(month.archived, false) AS archived, answer.*
      FROM company_options
      LEFT JOIN account ON account.id = ${accountId} AND account.chart_id = company_options.chart_id
      LEFT JOIN month ON month.company_id = ${companyId} AND month.branch_id = ${branchId} AND month.month = ${month}
     CROSS JOIN (
           SELECT json_agg(line.document_id) AS documents, json_agg(line.entry_number) AS entries,
                  json_agg(line.sequence) AS sequences, string_agg(line.side::text, '') AS sides,
                  json_agg(line.day - ${month}) AS days, string_agg(line.amount::text, ',') AS amounts,
                  json_agg(line.narration) AS narrations
             FROM (SELECT entry_line.document_id, entry_line.entry_number, entry_line.sequence, entry_line.side,
                          entry_line.day, entry_line.amount,
                          coalesce(entry_line.printed_narration, entry_line.narration) AS narration
                     FROM entry_line
                    WHERE entry_line.company_id = ${companyId} AND entry_line.branch_id = ${branchId}
                      AND entry_line.month = ${month} AND entry_line.account_id = ${accountId}
                      AND entry_line.day BETWEEN ${from} AND ${to}
                    LIMIT ${most}) AS line) AS answer
     WHERE company_options.company_id = ${companyId} AND company_options.branch_id = ${branchId}`,
);

/** At most so many lines, any of them where there are more; undefined while the branch has no options. */
export function selectLinesOfAccount(
  sql: Sql,
  { companyId, branchId }: BranchKey,
  accountId: AccountId,
  from: Day,
  to: Day,
  most: number,
): Promise<AccountLines | undefined> {
  const month = firstDay(monthOfDay(from));
  return sql.maybe<AccountLines>(LINES_OF_ACCOUNT({ companyId, branchId, accountId, month, from, to, most }));
}

export interface DocumentNumbers {
  readonly id: number;
  readonly document: string;
  readonly batch: string;
}

/**
 * Each once by its id, and the batches at once by theirs, whatever the statistics say: an outer join, here of rows that
 * all have a partner, cannot be a nested loop.
 */
const DOCUMENT_NUMBERS = SQL.prepared<{ companyId: CompanyId; ids: readonly number[] }>(
  'document-numbers',
  ({ companyId, ids }) => SQL`
    WITH folder AS MATERIALIZED (
      SELECT document.id, document.number, document.batch_id
        FROM document
       WHERE document.company_id = ${companyId} AND document.id = ANY (${ids}::bigint[])
    )
    SELECT folder.id, folder.number AS document, batch.number AS batch
      FROM folder
      FULL JOIN (SELECT batch.id, batch.number FROM batch
                  WHERE batch.company_id = ${companyId}
                    AND batch.id = ANY (ARRAY(SELECT DISTINCT folder.batch_id FROM folder))
                ) AS batch ON batch.id = folder.batch_id`,
);

export function selectDocumentNumbers(
  sql: Sql,
  companyId: CompanyId,
  ids: readonly number[],
): Promise<DocumentNumbers[]> {
  return sql.rows<DocumentNumbers>(DOCUMENT_NUMBERS({ companyId, ids }));
}
