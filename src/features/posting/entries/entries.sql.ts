import type { AccountId, BranchId, ChartId, CompanyId } from '../../../accounting/ids.ts';
import { type Centavos, decimalOf } from '../../../accounting/money.ts';
import { type Day, firstDay } from '../../../accounting/period.ts';
import type { PostingAccount, PostingNarration } from '../../../accounting/posting.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import type { DocumentPlace } from '../../integration/events/event-data.ts';
import { fairMonthLock } from '../months/months.sql.ts';
import { ENTRY_COLUMNS, type EntryRow } from './entries.read.sql.ts';

/**
 * The document of a posting with the state of its month, both locked: the month against closing, the document against
 * deletion.
 */
export interface PostingPlace extends DocumentPlace {
  readonly companyId: CompanyId;
  readonly branchId: BranchId;
  readonly state: 'OPEN' | 'CLOSED';
}

export function lockPostingPlace(
  sql: Sql,
  companyId: CompanyId,
  documentId: number,
): Promise<PostingPlace | undefined> {
  return sql.maybe<PostingPlace>(SQL.named('lock-posting-place')`
    SELECT ${fairMonthLock('SHARE')},
           document.company_id AS "companyId", document.branch_id AS "branchId", document.id AS "documentId",
           document.number AS document, batch.id AS "batchId", batch.number AS batch,
           to_char(document.month, 'YYYY-MM') AS month, month.state
      FROM document
      JOIN batch ON batch.company_id = document.company_id AND batch.id = document.batch_id
      JOIN month ON month.company_id = document.company_id AND month.branch_id = document.branch_id
       AND month.month = document.month
     WHERE document.company_id = ${companyId} AND document.id = ${documentId}
       FOR SHARE OF month FOR KEY SHARE OF document`);
}

/** The fields of an account that the posting rules use. */
export const POSTING_ACCOUNT_COLUMNS = SQL`account.id, account.code, account.account_type AS type,
  account.account_class AS "accountClass", account.active, account.start_date AS "startDate",
  account.end_date AS "endDate"`;

/** Accounts of the chart among the ids, locked: none is removed or made a summary account until the transaction ends. */
export function lockPostingAccounts(sql: Sql, chartId: ChartId, ids: readonly AccountId[]): Promise<PostingAccount[]> {
  return sql.rows<PostingAccount>(SQL.named('lock-posting-accounts')`
    SELECT ${POSTING_ACCOUNT_COLUMNS}
      FROM account
     WHERE account.chart_id = ${chartId} AND account.id = ANY (${ids}::bigint[])
     ORDER BY account.id
       FOR KEY SHARE`);
}

/** The same without locks, for readers. */
export function selectPostingAccounts(
  sql: Sql,
  chartId: ChartId,
  ids: readonly AccountId[],
): Promise<PostingAccount[]> {
  return sql.rows<PostingAccount>(SQL`
    SELECT ${POSTING_ACCOUNT_COLUMNS}
      FROM account
     WHERE account.chart_id = ${chartId} AND account.id = ANY (${ids}::bigint[])`);
}

export interface PostingRules {
  readonly chartId: ChartId;
  readonly narrationRequired: boolean;
  readonly mixesMemorandum: boolean;
  /** Those of the days requested that are closed. */
  readonly closedDays: readonly Day[];
}

/** The branch's options and which of the days are closed; read after the month is locked. */
export function selectPostingRules(
  sql: Sql,
  companyId: CompanyId,
  branchId: BranchId,
  days: readonly Day[],
): Promise<PostingRules | undefined> {
  return sql.maybe<PostingRules>(SQL.named('posting-rules')`
    SELECT company_options.chart_id AS "chartId", company_options.narration_required AS "narrationRequired",
           company_options.memorandum_mixing = 'ALLOW' AS "mixesMemorandum",
           ARRAY(SELECT calendar_day.day::text FROM calendar_day
                  WHERE calendar_day.company_id = ${companyId} AND calendar_day.branch_id = ${branchId}
                    AND calendar_day.day = ANY (${days}::date[]) AND calendar_day.closed) AS "closedDays"
      FROM company_options
     WHERE company_options.company_id = ${companyId} AND company_options.branch_id = ${branchId}`);
}

/** The branch's narrations of the codes, or all: its own before its company's before everybody's. */
export async function selectPostingNarrations(
  sql: Sql,
  companyId: CompanyId,
  branchId: BranchId,
  codes: readonly string[] | 'ALL',
): Promise<Map<string, PostingNarration>> {
  if (codes !== 'ALL' && codes.length === 0) return new Map();
  const wanted = codes === 'ALL' ? null : codes;
  const rows = await sql.rows<PostingNarration & { code: string }>(SQL.named('posting-narrations')`
    SELECT standard_narration.code, standard_narration.active,
           standard_narration.requires_complement AS "requiresComplement"
      FROM standard_narration
     WHERE (coalesce(standard_narration.company_id, 0), coalesce(standard_narration.branch_id, 0))
           IN ((0, 0), (${companyId}, 0), (${companyId}, ${branchId}))
       AND (${wanted}::text[] IS NULL OR standard_narration.code = ANY (${wanted}))
     ORDER BY standard_narration.company_id NULLS FIRST, standard_narration.branch_id NULLS FIRST`);
  // The nearest comes last and wins.
  return new Map(rows.map(({ code, active, requiresComplement }) => [code, { active, requiresComplement }]));
}

export interface NewLine {
  readonly accountId: AccountId;
  readonly offsetAccountId: AccountId | null;
  readonly side: 'D' | 'C';
  readonly amount: Centavos;
  readonly narration: string | null;
  readonly narrationCode: string | null;
  readonly factDay?: Day | null;
}

/**
 * Writes one whole logical entry in one statement; its number is unique in the document by index. Lines get their
 * sequence in the order given.
 */
export function insertEntry(
  sql: Sql,
  place: Pick<PostingPlace, 'companyId' | 'branchId' | 'documentId' | 'month'>,
  number: string,
  day: Day,
  lines: readonly NewLine[],
  by: string,
): Promise<EntryRow[]> {
  const narrationCodes = lines.map((line) => line.narrationCode);
  return sql.rows<EntryRow>(SQL.named('insert-entry')`
    WITH added AS (
      INSERT INTO entry_line (company_id, branch_id, document_id, month, day, entry_number, sequence, account_id,
                              offset_account_id, side, amount, narration, narration_code, fact_day,
                              printed_narration, created_by)
      SELECT ${place.companyId}, ${place.branchId}, ${place.documentId}, ${firstDay(place.month)}, ${day}, ${number},
             line.sequence, line.account_id, line.offset_account_id, line.side::"char",
             line.amount, line.narration, line.narration_code, line.fact_day,
             compose_printed_narration(standard.description, line.narration, line.fact_day),
             ${by}
        FROM unnest(${lines.map((line) => line.accountId)}::bigint[],
          ${lines.map((line) => line.offsetAccountId)}::bigint[], ${lines.map((line) => line.side)}::text[],
          ${lines.map((line) => decimalOf(line.amount))}::numeric[], ${lines.map((line) => line.narration)}::text[],
          ${narrationCodes}::text[], ${lines.map((line) => line.factDay ?? null)}::date[])
             WITH ORDINALITY AS line (account_id, offset_account_id, side, amount, narration, narration_code, fact_day,
                                      sequence)
        LEFT JOIN standard_narrations(${place.companyId}, ${place.branchId},
          ${narrationCodes}) AS standard ON standard.code = line.narration_code
      RETURNING entry_line.*
    )
    SELECT ${ENTRY_COLUMNS} FROM added AS entry_line ORDER BY entry_line.sequence`);
}

/** The number after the document's highest; locks the document so that two writers do not choose the same. */
export async function nextEntryNumber(sql: Sql, companyId: CompanyId, documentId: number): Promise<string> {
  await sql.rows(SQL.named('lock-document')`
    SELECT document.id FROM document
     WHERE document.company_id = ${companyId} AND document.id = ${documentId} FOR NO KEY UPDATE`);
  const last = await sql.maybe<{ number: string }>(SQL.named('last-entry-number')`
    SELECT entry_line.entry_number AS number
      FROM entry_line
     WHERE entry_line.company_id = ${companyId} AND entry_line.document_id = ${documentId}
       AND natural_sort_key(entry_line.entry_number) < '1' COLLATE "C"
     ORDER BY natural_sort_key(entry_line.entry_number) DESC LIMIT 1`);
  return String(BigInt(last?.number ?? 0) + 1n);
}

export interface HeldEntry {
  /** One of the lines that it was named by. */
  readonly lineId: number;
  readonly companyId: CompanyId;
  readonly documentId: number;
  readonly number: string;
  readonly day: Day;
  readonly dayClosed: boolean;
  readonly closing: boolean;
}

/** The logical entries of the lines, their documents locked. */
export async function lockEntries(sql: Sql, lineIds: readonly number[]): Promise<HeldEntry[]> {
  await sql.rows(SQL`
    SELECT document.id FROM document
     WHERE document.company_id = ANY (ARRAY(SELECT company.id FROM company))
       AND document.id IN (SELECT entry_line.document_id FROM entry_line
                            WHERE entry_line.company_id = ANY (ARRAY(SELECT company.id FROM company))
                              AND entry_line.id = ANY (${lineIds}::bigint[]))
     ORDER BY document.company_id, document.id FOR NO KEY UPDATE`);
  return sql.rows<HeldEntry>(SQL`
    SELECT min(entry_line.id) AS "lineId", entry_line.company_id AS "companyId",
           entry_line.document_id AS "documentId",
           entry_line.entry_number AS number, entry_line.day, entry_line.closing,
           coalesce(calendar_day.closed, false) AS "dayClosed"
      FROM entry_line
      LEFT JOIN calendar_day ON calendar_day.company_id = entry_line.company_id
       AND calendar_day.branch_id = entry_line.branch_id AND calendar_day.day = entry_line.day
     WHERE entry_line.company_id = ANY (ARRAY(SELECT company.id FROM company))
       AND entry_line.id = ANY (${lineIds}::bigint[])
     GROUP BY entry_line.company_id, entry_line.document_id, entry_line.entry_number, entry_line.day,
              entry_line.closing, calendar_day.closed`);
}

/** Removes whole logical entries and what links them to reversals; returns the lines as they were, for the trail. */
export async function deleteEntryRows(sql: Sql, entries: readonly HeldEntry[]): Promise<EntryRow[]> {
  const gone = SQL`
    unnest(${entries.map((entry) => entry.companyId)}::bigint[], ${entries.map((entry) => entry.documentId)}::bigint[],
           ${entries.map((entry) => entry.number)}::text[]) AS gone (company_id, document_id, number)`;
  await sql.run(SQL`
    DELETE FROM entry_reversal USING ${gone}
     WHERE entry_reversal.company_id = gone.company_id
       AND ((entry_reversal.document_id = gone.document_id AND entry_reversal.entry_number = gone.number)
         OR (entry_reversal.reversal_document_id = gone.document_id
             AND entry_reversal.reversal_entry_number = gone.number))`);
  return sql.rows<EntryRow>(SQL`
    DELETE FROM entry_line USING ${gone}
     WHERE entry_line.company_id = gone.company_id AND entry_line.document_id = gone.document_id
       AND natural_sort_key(entry_line.entry_number) = natural_sort_key(gone.number)
    RETURNING ${ENTRY_COLUMNS}`);
}
