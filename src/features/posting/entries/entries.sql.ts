import type { AccountId, BranchId, ChartId, CompanyId } from '../../../accounting/ids.ts';
import { type Centavos, decimalOf } from '../../../accounting/money.ts';
import { type Day, firstDay, monthOfDay } from '../../../accounting/period.ts';
import type { PostingAccount, PostingNarration } from '../../../accounting/posting.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { type Fragment, SQL } from '../../../platform/database/statement.ts';
import type { BranchKey } from '../../access/access.ts';
import type { DocumentPlace } from '../../operations/events/event-data.ts';
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

export async function lockPostingPlace(
  sql: Sql,
  companyId: CompanyId,
  documentId: number,
): Promise<PostingPlace | undefined> {
  return (await lockPostingPlaces(sql, companyId, [documentId], 'WAIT')).get(documentId);
}

/** How rows are locked that somebody else may hold: wait for them, or go on without them. */
export type Patience = 'WAIT' | 'AT ONCE';

/** The same of several documents. At once: without those that somebody deletes or closes, or waits to close. */
export async function lockPostingPlaces(
  sql: Sql,
  companyId: CompanyId,
  documentIds: readonly number[],
  patience: Patience,
): Promise<Map<number, PostingPlace>> {
  const isPatient = patience === 'WAIT';
  const places = await sql.rows<PostingPlace & { turn: boolean | '' }>(SQL.named(`lock-posting-places-${patience}`)`
    SELECT ${fairMonthLock(isPatient ? 'SHARE' : 'SHARE AT ONCE')},
           document.company_id AS "companyId", document.branch_id AS "branchId", document.id AS "documentId",
           document.number AS document, batch.id AS "batchId", batch.number AS batch,
           to_char(document.month, 'YYYY-MM') AS month, month.state
      FROM document
      JOIN batch ON batch.company_id = document.company_id AND batch.id = document.batch_id
      JOIN month ON month.company_id = ${companyId} AND month.branch_id = document.branch_id
       AND month.month = document.month
     WHERE document.company_id = ${companyId} AND document.id = ANY (${documentIds}::bigint[])
       FOR SHARE OF month ${waiting(patience)} FOR KEY SHARE OF document ${waiting(patience)}`);
  return new Map(places.filter(({ turn }) => turn !== false).map((place) => [place.documentId, place]));
}

function waiting(patience: Patience): Fragment {
  return patience === 'WAIT' ? SQL`` : SQL`SKIP LOCKED`;
}

/** The fields of an account that the posting rules use. */
export const POSTING_ACCOUNT_COLUMNS = SQL`account.id, account.code, account.account_type AS type,
  account.account_class AS "accountClass", account.active, account.start_date AS "startDate",
  account.end_date AS "endDate"`;

/** Accounts of the chart among the ids, locked: none is removed or made a summary account until the transaction ends. */
export function lockPostingAccounts(sql: Sql, chartId: ChartId, ids: readonly AccountId[]): Promise<PostingAccount[]> {
  return sql.rows<PostingAccount>(
    SQL.named('lock-posting-accounts')`${postingAccounts(SQL`${chartId}`, ids)} ORDER BY account.id FOR KEY SHARE`,
  );
}

/** The same of a branch's chart, whichever that is. */
export function lockAccountsOfBranch(
  sql: Sql,
  { companyId, branchId }: BranchKey,
  ids: readonly AccountId[],
  patience: Patience,
): Promise<PostingAccount[]> {
  const chart = SQL`(SELECT company_options.chart_id FROM company_options
                      WHERE company_options.company_id = ${companyId} AND company_options.branch_id = ${branchId})`;
  return sql.rows<PostingAccount>(SQL.named(`lock-accounts-of-branch-${patience}`)`
    ${postingAccounts(chart, ids)} ORDER BY account.id FOR KEY SHARE ${waiting(patience)}`);
}

/** The same without locks, for readers. */
export function selectPostingAccounts(
  sql: Sql,
  chartId: ChartId,
  ids: readonly AccountId[],
): Promise<PostingAccount[]> {
  return sql.rows<PostingAccount>(SQL`${postingAccounts(SQL`${chartId}`, ids)}`);
}

/** By their ids: `+ 0` keeps a planner without statistics from an index of charts, by which it would read the whole chart. */
function postingAccounts(chart: Fragment, ids: readonly AccountId[]): Fragment {
  return SQL`
    SELECT ${POSTING_ACCOUNT_COLUMNS}
      FROM account
     WHERE account.chart_id + 0 = ${chart} AND account.id = ANY (${ids}::bigint[])`;
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
  const asked = SQL`SELECT * FROM unnest(${days}::date[])`;
  return sql.maybe<PostingRules>(SQL.named('posting-rules')`${postingRules({ companyId, branchId }, asked)}`);
}

/** The same for days of the month that each document lies in. */
export function selectPostingRulesOf(
  sql: Sql,
  branch: BranchKey,
  entries: readonly { documentId: number; dayNumber: number }[],
): Promise<PostingRules | undefined> {
  const asked = SQL`
    SELECT document.month + (asked.day_number - 1)
      FROM unnest(${entries.map((each) => each.documentId)}::bigint[],
                  ${entries.map((each) => each.dayNumber)}::integer[]) AS asked (document_id, day_number)
      JOIN document ON document.company_id = ${branch.companyId} AND document.id = asked.document_id`;
  return sql.maybe<PostingRules>(SQL.named('posting-rules-of-documents')`${postingRules(branch, asked)}`);
}

/** What the posting rules use of a branch's options, with those of the days that are closed there. */
export function postingRuleColumns(companyId: CompanyId, days: Fragment): Fragment {
  return SQL`company_options.chart_id AS "chartId", company_options.narration_required AS "narrationRequired",
           company_options.memorandum_mixing = 'ALLOW' AS "mixesMemorandum",
           ARRAY(SELECT calendar_day.day::text FROM calendar_day
                  WHERE calendar_day.company_id = ${companyId}
                    AND calendar_day.branch_id = company_options.branch_id
                    AND calendar_day.day IN (${days}) AND calendar_day.closed
                  ORDER BY calendar_day.day) AS "closedDays"`;
}

function postingRules({ companyId, branchId }: BranchKey, days: Fragment): Fragment {
  return SQL`
    SELECT ${postingRuleColumns(companyId, days)}
      FROM company_options
     WHERE company_options.company_id = ${companyId} AND company_options.branch_id = ${branchId}`;
}

/** The fields of a narration that the posting rules use. */
export const POSTING_NARRATION_COLUMNS = SQL`standard_narration.code, standard_narration.active,
  standard_narration.requires_complement AS "requiresComplement"`;

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
    SELECT ${POSTING_NARRATION_COLUMNS}
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

/** A whole logical entry to be written; its lines get their sequence in the order given. */
export interface NewEntry {
  readonly documentId: number;
  readonly number: string;
  readonly day: Day;
  readonly lines: readonly NewLine[];
  /** Name of the user who posts it. */
  readonly by: string;
}

/**
 * Writes entries of a branch in one statement and returns the first line of each. A number that a document has already
 * violates the constraint ENTRY_NUMBER.
 */
export function insertEntries(
  sql: Sql,
  { companyId, branchId }: BranchKey,
  entries: readonly NewEntry[],
): Promise<EntryRow[]> {
  const lines = entries.flatMap((entry) =>
    entry.lines.map((line, at) => ({ ...line, entry, sequence: at + 1, month: firstDay(monthOfDay(entry.day)) })),
  );
  const narrationCodes = lines.map((line) => line.narrationCode);
  // In the order of the unique index, so that two such statements wait for each other's numbers and do not deadlock.
  return sql.rows<EntryRow>(SQL.named('insert-entries')`
    WITH added AS (
      INSERT INTO entry_line (company_id, branch_id, document_id, month, day, entry_number, sequence, account_id,
                              offset_account_id, side, amount, narration, narration_code, fact_day,
                              printed_narration, created_by)
      SELECT ${companyId}, ${branchId}, line.document_id, line.month, line.day, line.number, line.sequence,
             line.account_id, line.offset_account_id, line.side::"char", line.amount, line.narration,
             line.narration_code, line.fact_day,
             compose_printed_narration(standard.description, line.narration, line.fact_day), line.created_by
        FROM unnest(${lines.map(({ entry }) => entry.documentId)}::bigint[], ${lines.map(({ month }) => month)}::date[],
          ${lines.map(({ entry }) => entry.day)}::date[], ${lines.map(({ entry }) => entry.number)}::text[],
          ${lines.map((line) => line.sequence)}::integer[], ${lines.map((line) => line.accountId)}::bigint[],
          ${lines.map((line) => line.offsetAccountId)}::bigint[], ${lines.map((line) => line.side)}::text[],
          ${lines.map((line) => decimalOf(line.amount))}::numeric[], ${lines.map((line) => line.narration)}::text[],
          ${narrationCodes}::text[], ${lines.map((line) => line.factDay ?? null)}::date[],
          ${lines.map(({ entry }) => entry.by)}::text[])
             AS line (document_id, month, day, number, sequence, account_id, offset_account_id, side, amount,
                      narration, narration_code, fact_day, created_by)
        LEFT JOIN standard_narrations(${companyId}, ${branchId}, ${narrationCodes}) AS standard
          ON standard.code = line.narration_code
       ORDER BY line.document_id, natural_sort_key(line.number), line.sequence
      RETURNING entry_line.*
    )
    SELECT ${ENTRY_COLUMNS} FROM added AS entry_line WHERE entry_line.sequence = 1`);
}

/** The highest number of a document's entries; NULL: none is a number. */
export function highestNumber(companyId: Fragment, documentId: Fragment): Fragment {
  return SQL`(SELECT entry_line.entry_number
                FROM entry_line
               WHERE entry_line.company_id = ${companyId} AND entry_line.document_id = ${documentId}
                 AND natural_sort_key(entry_line.entry_number) < '1' COLLATE "C"
               ORDER BY natural_sort_key(entry_line.entry_number) DESC LIMIT 1)`;
}

/**
 * The highest numbers of the documents, which are locked so that two writers do not choose the same; 0 in one without
 * any. At once: without the documents that another writer has locked.
 */
export async function lockLastEntryNumbers(
  sql: Sql,
  companyId: CompanyId,
  documentIds: readonly number[],
  patience: Patience,
): Promise<Map<number, bigint>> {
  if (documentIds.length === 0) return new Map();
  const [locked, highest] = await Promise.all([
    sql.rows<{ id: number }>(SQL.named(`lock-documents-${patience}`)`
      SELECT document.id FROM document
       WHERE document.company_id = ${companyId} AND document.id = ANY (${documentIds}::bigint[])
         FOR NO KEY UPDATE ${waiting(patience)}`),
    sql.rows<{ documentId: number; number: string | null }>(SQL.named('last-entry-numbers')`
      SELECT asked.document_id AS "documentId",
             ${highestNumber(SQL`${companyId}`, SQL`asked.document_id`)} AS number
        FROM unnest(${documentIds}::bigint[]) AS asked (document_id)`),
  ]);
  const ids = new Set(locked.map(({ id }) => id));
  return new Map(
    highest.filter((each) => ids.has(each.documentId)).map((each) => [each.documentId, BigInt(each.number ?? 0)]),
  );
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

/** The company's logical entries of the lines, their documents locked. */
export async function lockEntries(sql: Sql, companyId: CompanyId, lineIds: readonly number[]): Promise<HeldEntry[]> {
  await sql.rows(SQL`
    SELECT document.id FROM document
     WHERE document.company_id = ${companyId}
       AND document.id IN (SELECT entry_line.document_id FROM entry_line
                            WHERE entry_line.company_id = ${companyId} AND entry_line.id = ANY (${lineIds}::bigint[]))
     ORDER BY document.id FOR NO KEY UPDATE`);
  return sql.rows<HeldEntry>(SQL`
    SELECT min(entry_line.id) AS "lineId", entry_line.company_id AS "companyId",
           entry_line.document_id AS "documentId",
           entry_line.entry_number AS number, entry_line.day, entry_line.closing,
           coalesce(calendar_day.closed, false) AS "dayClosed"
      FROM entry_line
      LEFT JOIN calendar_day ON calendar_day.company_id = entry_line.company_id
       AND calendar_day.branch_id = entry_line.branch_id AND calendar_day.day = entry_line.day
     WHERE entry_line.company_id = ${companyId} AND entry_line.id = ANY (${lineIds}::bigint[])
     GROUP BY entry_line.company_id, entry_line.document_id, entry_line.entry_number, entry_line.day,
              entry_line.closing, calendar_day.closed`);
}

/** Removes whole logical entries of a company and what links them to reversals; returns their lines as they were. */
export async function deleteEntryRows(
  sql: Sql,
  companyId: CompanyId,
  entries: readonly HeldEntry[],
): Promise<EntryRow[]> {
  const gone = SQL`
    unnest(${entries.map((entry) => entry.documentId)}::bigint[],
           ${entries.map((entry) => entry.number)}::text[]) AS gone (document_id, number)`;
  await sql.run(SQL`
    DELETE FROM entry_reversal USING ${gone}
     WHERE entry_reversal.company_id = ${companyId}
       AND ((entry_reversal.document_id = gone.document_id AND entry_reversal.entry_number = gone.number)
         OR (entry_reversal.reversal_document_id = gone.document_id
             AND entry_reversal.reversal_entry_number = gone.number))`);
  return sql.rows<EntryRow>(SQL`
    DELETE FROM entry_line USING ${gone}
     WHERE entry_line.company_id = ${companyId} AND entry_line.document_id = gone.document_id
       AND natural_sort_key(entry_line.entry_number) = natural_sort_key(gone.number)
    RETURNING ${ENTRY_COLUMNS}`);
}
