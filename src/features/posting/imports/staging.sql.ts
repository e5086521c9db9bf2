import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import type { AccountId, BranchId, ChartId, CompanyId } from '../../../accounting/ids.ts';
import type { Day, Month } from '../../../accounting/period.ts';
import type { PostingAccount } from '../../../accounting/posting.ts';
import type { Sql, Transaction } from '../../../platform/database/sql.ts';
import { type Fragment, SQL } from '../../../platform/database/statement.ts';
import { POSTING_ACCOUNT_COLUMNS } from '../entries/entries.sql.ts';
import type { StagedRow } from './staged-row.ts';

/** A table of this transaction alone: whatever ends it, no staged row is left. */
export async function createStaging(sql: Transaction): Promise<void> {
  await sql.run(SQL`
    CREATE TEMPORARY TABLE import_line (
      row_number integer NOT NULL, document text COLLATE "C" NOT NULL, entry text COLLATE "C" NOT NULL,
      day date NOT NULL, sequence integer NOT NULL, side "char" NOT NULL, account_id bigint NOT NULL,
      offset_account_id bigint, amount numeric(18,2) NOT NULL, narration text, narration_code text,
      fact_day date, memorandum boolean NOT NULL, offset_memorandum boolean NOT NULL
    ) ON COMMIT DROP`);
  // Sorting and hashing a million rows belongs in memory, for this transaction only.
  await sql.run(SQL`SET LOCAL work_mem = '192MB'`);
}

/**
 * Streams rows into the staging table by COPY; numbers the lines of each logical entry as they come. Lines of an entry
 * stand together in nearly every file: only the last entry is remembered, and groupEntries numbers the others anew.
 */
export async function stageRows(sql: Transaction, rows: AsyncIterable<StagedRow[]>): Promise<void> {
  let last = '';
  let sequence = 0;
  async function* lines(): AsyncGenerator<string> {
    for await (const chunk of rows) {
      let text = '';
      for (const row of chunk) {
        const key = `${row.document}\u0000${row.entry}`;
        sequence = key === last ? sequence + 1 : 1;
        last = key;
        text += `${row.row}\t${escapeCopyText(row.document)}\t${escapeCopyText(row.entry)}\t${row.day}\t${sequence}\t${row.side}\t${row.accountId}\t${
          row.offsetAccountId ?? '\\N'
        }\t${row.amount}\t${nullable(row.narration)}\t${nullable(row.narrationCode)}\t${row.factDay ?? '\\N'}\t${row.memorandum}\t${row.offsetMemorandum}\n`;
      }
      if (text !== '') yield text;
    }
  }
  const into = sql.connection.query(copyFrom('COPY import_line FROM STDIN'));
  await pipeline(Readable.from(lines(), { objectMode: true, highWaterMark: 4 }), into);
  await sql.run(SQL`ANALYZE import_line`);
}

function nullable(text: string | null): string {
  return text === null ? '\\N' : escapeCopyText(text);
}

/** Readers reject tabs, line ends and other control characters: only the backslash is escaped. */
function escapeCopyText(text: string): string {
  return text.includes('\\') ? text.replaceAll('\\', '\\\\') : text;
}

export interface StagedEntryProblem {
  readonly row: number;
  readonly rows: number;
  readonly entry: string;
  readonly debits: string;
  readonly credits: string;
  readonly twoDays: boolean;
  readonly balanced: boolean;
}

/**
 * Groups the staged rows into logical entries. Debits equal to credits: the rows are the lines. Else, when every row
 * has an offset account, each row stands for its pair. Returns the entries that are neither, lie on two days or, unless
 * `mixesMemorandum`, have memorandum lines that do not balance among themselves; but not `atFault`, which are reported
 * by row.
 */
export async function groupEntries(
  sql: Transaction,
  mixesMemorandum: boolean,
  atFault: readonly { document: string; entry: string }[],
): Promise<StagedEntryProblem[]> {
  const net = (isMemorandum: Fragment) =>
    mixesMemorandum
      ? SQL`0`
      : SQL`coalesce(sum(CASE import_line.side WHEN 'D' THEN import_line.amount ELSE -import_line.amount END)
                           FILTER (WHERE ${isMemorandum}), 0)`;
  await sql.run(SQL`
    CREATE TEMPORARY TABLE import_entry ON COMMIT DROP AS
    SELECT import_line.document, import_line.entry, min(import_line.row_number) AS row_number, count(*) AS rows,
           coalesce(sum(import_line.amount) FILTER (WHERE import_line.side = 'D'), 0) AS debits,
           coalesce(sum(import_line.amount) FILTER (WHERE import_line.side = 'C'), 0) AS credits,
           bool_and(import_line.offset_account_id IS NOT NULL) AS paired,
           min(import_line.day) <> max(import_line.day) AS two_days,
           ${net(SQL`import_line.memorandum`)} AS memorandum,
           ${net(SQL`import_line.offset_memorandum`)} AS mirrored,
           max(import_line.sequence) <> count(*) AS scattered
      FROM import_line
     GROUP BY import_line.document, import_line.entry`);
  await sql.run(SQL`
    UPDATE import_line SET sequence = numbered.sequence
      FROM (SELECT line.row_number, row_number() OVER (PARTITION BY line.document, line.entry
                                                           ORDER BY line.row_number) AS sequence
              FROM import_entry
              JOIN import_line AS line ON line.document = import_entry.document AND line.entry = import_entry.entry
             WHERE import_entry.scattered) AS numbered
     WHERE import_line.row_number = numbered.row_number`);
  return sql.rows<StagedEntryProblem>(SQL`
    SELECT import_entry.row_number AS row, import_entry.rows, import_entry.entry, import_entry.debits,
           import_entry.credits, import_entry.two_days AS "twoDays",
           import_entry.debits = import_entry.credits OR import_entry.paired AS balanced
      FROM import_entry
     WHERE (import_entry.two_days OR import_entry.memorandum <> CASE WHEN import_entry.debits = import_entry.credits
                                                                   THEN 0 ELSE import_entry.mirrored END
            OR (import_entry.debits <> import_entry.credits AND NOT import_entry.paired))
       AND NOT EXISTS (SELECT 1 FROM unnest(${atFault.map((each) => each.document)}::text[],
         ${atFault.map((each) => each.entry)}::text[]) AS faulty (document, entry)
                        WHERE faulty.document = import_entry.document AND faulty.entry = import_entry.entry)
     ORDER BY import_entry.row_number`);
}

/** Rows of entries whose number their document has already. */
export function selectTakenEntries(
  sql: Transaction,
  companyId: CompanyId,
  batchId: number,
): Promise<{ row: number; rows: number; entry: string }[]> {
  return sql.rows(SQL`
    SELECT import_entry.row_number AS row, import_entry.rows, import_entry.entry
      FROM import_entry
      JOIN document ON document.company_id = ${companyId} AND document.batch_id = ${batchId}
       AND document.number = import_entry.document
     WHERE EXISTS (SELECT 1 FROM entry_line
                    WHERE entry_line.company_id = ${companyId} AND entry_line.document_id = document.id
                      AND natural_sort_key(entry_line.entry_number) = natural_sort_key(import_entry.entry))
     ORDER BY import_entry.row_number`);
}

/** Rows on days that are closed; read after the month is locked. */
export function selectClosedDayRows(
  sql: Transaction,
  companyId: CompanyId,
  branchId: BranchId,
): Promise<{ row: number; day: Day }[]> {
  return sql.rows(SQL`
    SELECT import_line.row_number AS row, import_line.day
      FROM import_line
      JOIN calendar_day ON calendar_day.company_id = ${companyId} AND calendar_day.branch_id = ${branchId}
       AND calendar_day.day = import_line.day AND calendar_day.closed
     ORDER BY import_line.row_number`);
}

/** Locks every account of the file against deletion and change; returns their current state. */
export async function lockStagedAccounts(sql: Transaction, chartId: ChartId): Promise<StagedAccount[]> {
  await sql.run(SQL`
    CREATE TEMPORARY TABLE import_account ON COMMIT DROP AS
    SELECT import_line.account_id AS id FROM import_line
    UNION
    SELECT import_line.offset_account_id FROM import_line WHERE import_line.offset_account_id IS NOT NULL`);
  await sql.rows(SQL`
    SELECT account.id FROM account
     WHERE account.chart_id = ${chartId} AND account.id IN (SELECT import_account.id FROM import_account)
     ORDER BY account.id FOR KEY SHARE`);
  return sql.rows<StagedAccount>(SQL`
    SELECT import_account.id AS "stagedId", ${POSTING_ACCOUNT_COLUMNS}
      FROM import_account LEFT JOIN account ON account.id = import_account.id AND account.chart_id = ${chartId}`);
}

/** An account that rows name; deleted when only its id is left. */
export type StagedAccount = { readonly stagedId: AccountId } & {
  [K in keyof PostingAccount]: PostingAccount[K] | null;
};

/** Who imports: every document and line says by whom and by which import it was made. */
export interface ImportMark {
  readonly importId: number;
  /** Name of the user. */
  readonly by: string;
}

/** Creates the missing documents of the batch and locks all of them against deletion. */
export async function ensureDocuments(
  sql: Transaction,
  companyId: CompanyId,
  batchId: number,
  mark: ImportMark,
): Promise<void> {
  await sql.run(SQL`
    INSERT INTO document (company_id, branch_id, month, batch_id, number, created_by, import_id)
    SELECT batch.company_id, batch.branch_id, batch.month, batch.id, named.document, ${mark.by}, ${mark.importId}
      FROM batch
     CROSS JOIN (SELECT import_entry.document, min(import_entry.row_number) AS row_number
                   FROM import_entry GROUP BY import_entry.document) AS named
     WHERE batch.company_id = ${companyId} AND batch.id = ${batchId}
     ORDER BY named.row_number
    ON CONFLICT (company_id, batch_id, number) DO NOTHING`);
  await sql.run(SQL`
    CREATE TEMPORARY TABLE import_document ON COMMIT DROP AS
    SELECT held.id, held.number, held.branch_id, held.month
      FROM (SELECT document.id, document.number, document.branch_id, document.month FROM document
             WHERE document.company_id = ${companyId} AND document.batch_id = ${batchId}
               AND document.number IN (SELECT import_entry.document FROM import_entry)
               FOR KEY SHARE) AS held`);
}

/** Writes the staged entries as lines in one statement; returns how many lines. */
export function insertStagedLines(sql: Transaction, companyId: CompanyId, mark: ImportMark): Promise<number> {
  return sql.run(SQL`
    INSERT INTO entry_line (company_id, branch_id, document_id, month, day, entry_number, sequence, account_id,
                            offset_account_id, side, amount, narration, narration_code, fact_day,
                            printed_narration, created_by, import_id)
    SELECT ${companyId}, import_document.branch_id, import_document.id, import_document.month, import_line.day,
           import_line.entry,
           CASE WHEN import_entry.debits = import_entry.credits THEN import_line.sequence
                ELSE import_line.sequence * 2 - 1 + twin.mirrored END,
           CASE twin.mirrored WHEN 0 THEN import_line.account_id ELSE import_line.offset_account_id END,
           CASE twin.mirrored WHEN 0 THEN import_line.offset_account_id ELSE import_line.account_id END,
           CASE WHEN (twin.mirrored = 0) = (import_line.side = 'D') THEN 'D' ELSE 'C' END::"char",
           import_line.amount, import_line.narration, import_line.narration_code, import_line.fact_day,
           compose_printed_narration(standard.description, import_line.narration, import_line.fact_day), ${mark.by}, ${mark.importId}
      FROM import_line
      JOIN import_entry ON import_entry.document = import_line.document AND import_entry.entry = import_line.entry
      JOIN import_document ON import_document.number = import_line.document
      JOIN (VALUES (0), (1)) AS twin (mirrored)
        ON twin.mirrored = 0 OR import_entry.debits <> import_entry.credits
      LEFT JOIN (SELECT standard_narrations.code, standard_narrations.description
                   FROM (SELECT import_document.branch_id FROM import_document LIMIT 1) AS place
                  CROSS JOIN LATERAL standard_narrations(${companyId}, place.branch_id, ARRAY(
                                       SELECT DISTINCT coded.narration_code FROM import_line AS coded
                                        WHERE coded.narration_code IS NOT NULL))) AS standard
        ON standard.code = import_line.narration_code
     ORDER BY import_line.row_number, twin.mirrored`);
}

/** Gives the planner its statistics when the lines written, not committed yet, are many; the last work of a transaction. */
export async function noteWrittenLines(sql: Transaction, lines: number): Promise<void> {
  await sql.run(SQL`SELECT note_written_lines(${lines})`);
}

/** Sums over the lines that the staged rows stand for; amounts in NUMERIC text. */
export function selectStagedTotals(sql: Transaction): Promise<{ debits: string; credits: string }> {
  return sql.one(SQL`
    SELECT coalesce(sum(CASE WHEN import_entry.debits = import_entry.credits THEN import_entry.debits
                             ELSE import_entry.debits + import_entry.credits END), 0)::numeric(20,2) AS debits,
           coalesce(sum(CASE WHEN import_entry.debits = import_entry.credits THEN import_entry.credits
                             ELSE import_entry.debits + import_entry.credits END), 0)::numeric(20,2) AS credits
      FROM import_entry`);
}

/** The batch of an import, locked against deletion and concurrent imports. */
export function lockBatch(
  sql: Transaction,
  companyId: CompanyId,
  batchId: number,
): Promise<{ month: Month; number: string } | undefined> {
  return sql.maybe(SQL`
    SELECT to_char(batch.month, 'YYYY-MM') AS month, batch.number FROM batch
     WHERE batch.company_id = ${companyId} AND batch.id = ${batchId} FOR NO KEY UPDATE`);
}

export interface DocumentDescription {
  readonly number: string;
  readonly day: number | undefined;
  readonly standardNarration: string | undefined;
  readonly text: string | undefined;
}

/** Updates documents of the batch from the file; those without lines are created. */
export async function describeDocuments(
  sql: Transaction,
  companyId: CompanyId,
  batchId: number,
  documents: readonly DocumentDescription[],
  mark: ImportMark,
): Promise<void> {
  if (documents.length === 0) return;
  await sql.run(SQL`
    INSERT INTO document (company_id, branch_id, month, batch_id, number, reference_day, text, standard_narration,
                          created_by, import_id)
    SELECT batch.company_id, batch.branch_id, batch.month, batch.id, described.number, described.day,
           nullif(described.text, ''), nullif(described.narration, ''), ${mark.by}, ${mark.importId}
      FROM batch
     CROSS JOIN unnest(${documents.map((each) => each.number)}::text[],
       ${documents.map((each) => each.day ?? null)}::integer[], ${documents.map((each) => each.text ?? null)}::text[],
       ${documents.map((each) => each.standardNarration ?? null)}::text[]) AS described (number, day, text, narration)
     WHERE batch.company_id = ${companyId} AND batch.id = ${batchId}
    ON CONFLICT (company_id, batch_id, number) DO UPDATE
       SET reference_day = excluded.reference_day, text = excluded.text, standard_narration = excluded.standard_narration,
           updated_at = excluded.updated_at, updated_by = excluded.created_by`);
}

/** An account as imports see it. */
export interface FindableAccount extends PostingAccount {
  readonly shortCode: string;
  readonly digits: string;
}

export function selectFindableAccounts(sql: Sql, chartId: ChartId): Promise<FindableAccount[]> {
  return sql.rows<FindableAccount>(SQL`
    SELECT ${POSTING_ACCOUNT_COLUMNS}, account.short_code AS "shortCode", account.digits
      FROM account WHERE account.chart_id = ${chartId}`);
}
