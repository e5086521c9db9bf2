import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import type { AccountId, ChartId, CompanyId } from '../../../accounting/ids.ts';
import { centavosFromDecimal } from '../../../accounting/money.ts';
import { dayNumberOf, firstDay, type Month } from '../../../accounting/period.ts';
import type { EntryForm, PostingAccount } from '../../../accounting/posting.ts';
import type { Sql, Transaction } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import type { Tenant } from '../../access/access.ts';
import { POSTING_ACCOUNT_COLUMNS } from '../entries/entries.sql.ts';
import type { StagedRow } from './staged-row.ts';

/**
 * Where rows stand between the file and the books: COPY, which row-level security does not let into a tenant's table.
 * A table of this transaction alone, so that whatever ends it, no row is left.
 */
export async function beginStaging(sql: Transaction): Promise<void> {
  await sql.run(SQL`SAVEPOINT lines`);
  await sql.run(SQL`
    CREATE TEMPORARY TABLE import_line (
      place integer NOT NULL, entry text COLLATE "C" NOT NULL, sequence integer NOT NULL, day integer NOT NULL,
      side "char" NOT NULL, account_id bigint NOT NULL, offset_account_id bigint, amount numeric(18,2) NOT NULL,
      narration text, narration_code text, fact_day date
    ) ON COMMIT DROP`);
}

/** As if no row had been staged and no line written. */
export async function undoStaging(sql: Transaction): Promise<void> {
  await sql.run(SQL`ROLLBACK TO SAVEPOINT lines`);
}

/** A row as COPY reads it; `place` counts the entries of the file from 1, `sequence` the rows of the entry. */
export function copyText(row: StagedRow, place: number, sequence: number): string {
  return `${place}\t${escapeCopyText(row.entry)}\t${sequence}\t${dayNumberOf(row.day)}\t${row.side}\t${row.accountId}\t${
    row.offsetAccountId ?? '\\N'
  }\t${row.decimal}\t${nullable(row.narration)}\t${nullable(row.narrationCode)}\t${row.factDay ?? '\\N'}\n`;
}

/** Adds rows to the staging table, in one write. */
export async function stageRows(sql: Transaction, rows: Buffer): Promise<void> {
  await pipeline(Readable.from([rows]), sql.connection.query(copyFrom('COPY import_line FROM STDIN')));
}

function nullable(text: string | null): string {
  return text === null ? '\\N' : escapeCopyText(text);
}

/** Readers reject tabs, line ends and other control characters: only the backslash is escaped. */
function escapeCopyText(text: string): string {
  return text.includes('\\') ? text.replaceAll('\\', '\\\\') : text;
}

/** Places in the list, from 0, of the entries whose number their document has already. */
export async function selectTakenEntries(
  sql: Transaction,
  companyId: CompanyId,
  entries: readonly { documentId: number; entry: string }[],
): Promise<number[]> {
  const rows = await sql.rows<{ place: number }>(SQL`
    SELECT named.place - 1 AS place
      FROM unnest(${entries.map((each) => each.documentId)}::bigint[], ${entries.map((each) => each.entry)}::text[])
             WITH ORDINALITY AS named (document_id, entry, place)
     WHERE EXISTS (SELECT 1 FROM entry_line
                    WHERE entry_line.company_id = ${companyId} AND entry_line.document_id = named.document_id
                      AND natural_sort_key(entry_line.entry_number) = natural_sort_key(named.entry))
     ORDER BY named.place`);
  return rows.map(({ place }) => place);
}

/**
 * Of imports that use accounts for the first time in a branch, one writes after the other: each notes those accounts in
 * many statements, in the order of its file, and two that notice each other's would wait for each other.
 */
export async function takeTurnForFirstUse(sql: Transaction, tenant: Tenant, ids: readonly AccountId[]): Promise<void> {
  const { hasFirst } = await sql.one<{ hasFirst: boolean }>(SQL`
    SELECT EXISTS (SELECT 1 FROM unnest(${ids}::bigint[]) AS used (id)
                    WHERE NOT EXISTS (SELECT 1 FROM account_use
                                       WHERE account_use.company_id = ${tenant.companyId}
                                         AND account_use.branch_id = ${tenant.branchId}
                                         AND account_use.account_id = used.id)) AS "hasFirst"`);
  if (hasFirst) await sql.run(SQL`SELECT pg_advisory_xact_lock(hashtextextended('first use', ${tenant.branchId}))`);
}

/** Who imports: every document and line says by whom and by which import it was made. */
export interface ImportMark {
  readonly importId: number;
  /** Name of the user. */
  readonly by: string;
}

/** A document of the batch, and whether this import made it. */
export interface ImportedDocument {
  readonly id: number;
  readonly number: string;
  readonly isNew: boolean;
}

/** The documents of these numbers, made where the batch lacks them, locked against deletion. */
export async function ensureDocuments(
  sql: Transaction,
  companyId: CompanyId,
  batchId: number,
  numbers: readonly string[],
  mark: ImportMark,
): Promise<ImportedDocument[]> {
  await sql.run(SQL`
    INSERT INTO document (company_id, branch_id, month, batch_id, number, created_by, import_id)
    SELECT batch.company_id, batch.branch_id, batch.month, batch.id, named.number, ${mark.by}, ${mark.importId}
      FROM batch
     CROSS JOIN unnest(${numbers}::text[]) WITH ORDINALITY AS named (number, place)
     WHERE batch.company_id = ${companyId} AND batch.id = ${batchId}
     ORDER BY named.place
    ON CONFLICT (company_id, batch_id, number) DO NOTHING`);
  return sql.rows<ImportedDocument>(SQL`
    SELECT document.id, document.number, coalesce(document.import_id = ${mark.importId}, false) AS "isNew"
      FROM document
     WHERE document.company_id = ${companyId} AND document.batch_id = ${batchId} AND document.number = ANY (${numbers}::text[])
       FOR KEY SHARE`);
}

/** Where staged lines go, and which documents and narrations they name. */
export interface StagedLines {
  readonly tenant: Tenant;
  readonly month: Month;
  /** Places of the entries before the first staged. */
  readonly before: number;
  /** Of each entry. */
  readonly documentIds: readonly number[];
  readonly narrationCodes: readonly string[];
  readonly mark: ImportMark;
  /** Of each entry, whether it closes a result; undefined: none does. */
  readonly closings?: readonly boolean[] | undefined;
}

/** Writes the staged rows as lines in one statement, whose entries are whole, and empties the table; returns how many lines. */
export async function insertStagedLines(sql: Transaction, form: EntryForm, staged: StagedLines): Promise<number> {
  const { tenant, month, mark, closings } = staged;
  const { companyId, branchId } = tenant;
  const place = SQL`import_line.place - ${staged.before}`;
  const closing = closings === undefined ? SQL`false` : SQL`(${closings}::boolean[])[${place}]`;
  const first = SQL`import_line.account_id, import_line.offset_account_id, import_line.side`;
  const stoodFor =
    form === 'LINES'
      ? SQL`(import_line.sequence, ${first})`
      : SQL`(import_line.sequence * 2 - 1, ${first}),
            (import_line.sequence * 2, import_line.offset_account_id, import_line.account_id,
             CASE import_line.side WHEN 'D' THEN 'C' ELSE 'D' END::"char")`;
  const hasCodes = staged.narrationCodes.length > 0;
  const standards = SQL`
      LEFT JOIN standard_narrations(${companyId}, ${branchId}, ${staged.narrationCodes}) AS standard
        ON standard.code = import_line.narration_code`;
  const { lines } = await sql.one<{ lines: number }>(SQL`
    WITH written AS (
    INSERT INTO entry_line (company_id, branch_id, document_id, month, day, entry_number, sequence, account_id,
                            offset_account_id, side, amount, narration, narration_code, fact_day,
                            printed_narration, closing, created_by, import_id)
    SELECT ${companyId}, ${branchId}, (${staged.documentIds}::bigint[])[${place}], ${firstDay(month)}::date,
           ${firstDay(month)}::date + (import_line.day - 1), import_line.entry, line.sequence, line.account_id,
           line.offset_account_id, line.side, import_line.amount, import_line.narration, import_line.narration_code,
           import_line.fact_day,
           compose_printed_narration(${hasCodes ? SQL`standard.description` : SQL`NULL`}, import_line.narration,
                                     import_line.fact_day),
           ${closing}, ${mark.by}, ${mark.importId}
      FROM import_line
     CROSS JOIN LATERAL (VALUES ${stoodFor}) AS line (sequence, account_id, offset_account_id, side)
      ${hasCodes ? standards : SQL``}
    RETURNING 1)
    SELECT count(*) AS lines FROM written`);
  await sql.run(SQL`TRUNCATE import_line`);
  return lines;
}

/** A table of rows whose entries stand apart in their file. */
export async function createGathering(sql: Transaction): Promise<void> {
  await sql.run(SQL`
    CREATE TEMPORARY TABLE import_row (
      row_number integer NOT NULL, document text COLLATE "C" NOT NULL, entry text COLLATE "C" NOT NULL, content text NOT NULL
    ) ON COMMIT DROP`);
}

/** Adds a chunk of rows, of which none is looked at again before all are there. */
export async function gatherRows(sql: Transaction, rows: readonly StagedRow[]): Promise<void> {
  const text = rows.map(
    (row) =>
      `${row.row}\t${escapeCopyText(row.document)}\t${escapeCopyText(row.entry)}\t${escapeCopyText(contentOf(row))}\n`,
  );
  const into = sql.connection.query(copyFrom('COPY import_row FROM STDIN'));
  await pipeline(Readable.from([Buffer.from(text.join(''))]), into);
}

/** The rows entry by entry, those of an entry in the order of the file, entries as their first rows come. */
export async function* gatheredRows(sql: Transaction): AsyncGenerator<StagedRow[]> {
  await sql.run(SQL`
    DECLARE gathered CURSOR FOR
    SELECT import_row.content FROM import_row
     ORDER BY min(import_row.row_number) OVER (PARTITION BY import_row.document, import_row.entry), import_row.row_number`);
  for (;;) {
    const rows = await sql.rows<{ content: string }>(SQL`FETCH 2000 FROM gathered`);
    if (rows.length === 0) return;
    yield rows.map(({ content }) => rowOf(content));
  }
}

/** Row-level values as JSON: an amount has its decimal text there. */
function contentOf({ amount: _amount, ...row }: StagedRow): string {
  return JSON.stringify(row);
}

function rowOf(content: string): StagedRow {
  const row = JSON.parse(content) as Omit<StagedRow, 'amount'>;
  return { ...row, amount: centavosFromDecimal(row.decimal)! };
}

/** Gives the planner its statistics when the lines written, not committed yet, are many; the last work of a transaction. */
export async function noteWrittenLines(sql: Transaction, lines: number): Promise<void> {
  await sql.run(SQL`SELECT note_written_lines(${lines})`);
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
