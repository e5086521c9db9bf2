import type { BranchId } from '../../../../accounting/ids.ts';
import { type Centavos, centavosFromSql } from '../../../../accounting/money.ts';
import type { Day, Month } from '../../../../accounting/period.ts';
import { copyRows, type TakeRow } from '../../../../platform/database/copy-rows.ts';
import type { Sql, Transaction } from '../../../../platform/database/sql.ts';
import { type Fragment, SQL } from '../../../../platform/database/statement.ts';
import { bookOrder } from '../../../posting/entries/book-order.sql.ts';
import { type EcdRows, monthDate, ofCompany } from './ecd-rows.sql.ts';

/** Lines of longer entries are not gathered: their total is asked for before. */
export const LONG_ENTRY = 10_000;

/** A standard narration, as lines without a text of their own print it. */
export interface UsedNarration {
  readonly code: string;
  readonly text: string;
}

export interface CountedLines {
  readonly entries: number;
  readonly lines: number;
  /** Outside of the days of the file, in its months. */
  readonly outside: number;
  readonly narrations: readonly UsedNarration[];
  readonly long: ReadonlyMap<string, Centavos>;
}

interface CountRow {
  readonly code: string | null;
  readonly text: string | null;
  readonly entries: number;
  readonly lines: number;
  readonly outside: number;
  readonly long: readonly (readonly [documentId: number, entry: string])[] | null;
}

/** The lines of the file, before they are read: how many, and what stands before them. Archived months are read in their place. */
export async function countLines(sql: Sql, rows: EcdRows, from: Day, to: Day): Promise<CountedLines> {
  const ofTable = (table: Fragment) => SQL`
    SELECT line.document_id, line.entry_number, line.day, line.sequence,
           CASE WHEN line.narration IS NULL THEN line.narration_code END AS code,
           CASE WHEN line.narration IS NULL AND line.narration_code IS NOT NULL THEN line.printed_narration END AS text
      FROM ${table} AS line
     WHERE ${ofCompany(rows, 'line')} AND line.month BETWEEN ${monthDate(rows.from)} AND ${monthDate(rows.to)}`;
  const found = await sql.rows<CountRow>(SQL`
    SELECT line.code, line.text, count(*) AS lines, count(*) FILTER (WHERE line.sequence = 1) AS entries,
           count(*) FILTER (WHERE line.day NOT BETWEEN ${from} AND ${to}) AS outside,
           jsonb_agg(jsonb_build_array(line.document_id, line.entry_number))
             FILTER (WHERE line.sequence = ${LONG_ENTRY + 1}) AS long
      FROM (${ofTable(SQL`entry_line`)} UNION ALL ${ofTable(SQL`entry_line_archive`)}) AS line
     GROUP BY line.code, line.text`);
  const sum = (of: (row: CountRow) => number) => found.reduce((total, row) => total + of(row), 0);
  const long = new Map<string, Centavos>();
  for (const [document, entry] of found.flatMap((row) => row.long ?? []))
    long.set(`${document}\t${entry}`, await selectTotal(sql, rows, document, entry));
  return {
    entries: sum(({ entries }) => entries),
    lines: sum(({ lines }) => lines),
    outside: sum(({ outside }) => outside),
    narrations: oneOfEachCode(found),
    long,
  };
}

/** Branches may have different texts under one code; the file has one. */
function oneOfEachCode(rows: readonly CountRow[]): UsedNarration[] {
  const texts = new Map<string, string>();
  for (const { code, text } of rows) {
    if (code === null || text === null || text.trim() === '') continue;
    const known = texts.get(code);
    if (known === undefined || text < known) texts.set(code, text);
  }
  return [...texts].map(([code, text]) => ({ code, text })).sort((one, other) => (one.code < other.code ? -1 : 1));
}

async function selectTotal(sql: Sql, rows: EcdRows, document: number, entry: string): Promise<Centavos> {
  const ofTable = (table: Fragment) => SQL`
    SELECT line.amount FROM ${table} AS line
     WHERE ${ofCompany(rows, 'line')} AND line.month BETWEEN ${monthDate(rows.from)} AND ${monthDate(rows.to)}
       AND line.document_id = ${document} AND line.entry_number = ${entry} AND line.side = 'D'`;
  const { total } = await sql.one<{ total: string }>(SQL`
    SELECT coalesce(sum(line.amount), 0)::numeric(20,2) AS total
      FROM (${ofTable(SQL`entry_line`)} UNION ALL ${ofTable(SQL`entry_line_archive`)}) AS line`);
  return centavosFromSql(total);
}

/** A month of a branch, and where its movements are. */
export interface EcdMonth {
  readonly branchId: BranchId;
  readonly month: Month;
  readonly archived: boolean;
}

/**
 * The lines of a month of a branch in the order of batches, documents and entries, which is that of the numbers of entries in
 * the file: document ⇥ entry ⇥ day ⇥ closing ⇥ fact day ⇥ batch ⇥ document ⇥ account ⇥ side ⇥ amount ⇥ standard narration of a line
 * without a text of its own ⇥ text. `ready` is waited for after each piece of the wire.
 */
export async function copyLines(
  sql: Transaction,
  { companyId }: EcdRows,
  { branchId, month, archived }: EcdMonth,
  take: TakeRow,
  ready: () => Promise<void> | undefined,
): Promise<void> {
  const table = (name: 'batch' | 'document' | 'entry_line') => SQL.identifier(archived ? `${name}_archive` : name);
  const of = (alias: string) => {
    const column = (name: string) => SQL.identifier(`${alias}.${name}`);
    return SQL`${column('company_id')} = ${SQL.integer(companyId)} AND ${column('branch_id')} = ${SQL.integer(branchId)}
         AND ${column('month')} = ${monthDate(month)}`;
  };
  const { text } = SQL`
    COPY (
      WITH folder AS MATERIALIZED (
        SELECT document.id, batch.number AS batch, document.number AS document, document.text,
               row_number() OVER (
                 ORDER BY ${bookOrder({ batch: { rank: 'batch.sort_key' }, document: { rank: 'document.sort_key' } })}) AS place
          FROM ${table('document')} AS document
          JOIN ${table('batch')} AS batch ON batch.company_id = document.company_id AND batch.id = document.batch_id
         WHERE ${of('batch')} AND document.company_id = ${SQL.integer(companyId)}
      )
      SELECT line.document_id, line.entry_number, line.day, line.closing::integer, coalesce(line.fact_day::text, ''),
             folder.batch, folder.document, line.account_id, line.side, line.amount,
             CASE WHEN line.narration IS NULL THEN coalesce(line.narration_code, '') ELSE '' END,
             coalesce(nullif(line.printed_narration, ''), nullif(line.narration, ''), folder.text, '')
        FROM ${table('entry_line')} AS line
        JOIN folder ON folder.id = line.document_id
       WHERE ${of('line')}
       ORDER BY ${bookOrder({ document: { rank: 'folder.place' }, entry: 'line.entry_number', sequence: 'line.sequence' })}
    ) TO STDOUT`;
  await copyRows(sql.connection, text, take, ready);
}
