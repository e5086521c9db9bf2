import type { AccountId } from '../../../accounting/ids.ts';
import { type Centavos, centavosFromSql, decimalOf } from '../../../accounting/money.ts';
import { type Day, firstDay, monthOfDay } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { type Fragment, SQL } from '../../../platform/database/statement.ts';
import type { BranchKey, BranchSet } from '../../access/access.ts';
import { rowsOf, subtreeLeaves } from '../../closing/balances/balance-rules.sql.ts';

/** Filters of lines; an absent filter matches everything. */
export interface LineFilter {
  readonly from: Day;
  readonly to: Day;
  /** Of a summary account, the lines of all accounts below it; the same for the offset account. */
  readonly accountId: AccountId | undefined;
  readonly offsetAccountId: AccountId | undefined;
  readonly minimum: Centavos | undefined;
  readonly maximum: Centavos | undefined;
  /** Part of the narration, in any case, with or without accents. */
  readonly text: string | undefined;
  readonly narrationCode: string | undefined;
  readonly batch: string | undefined;
  readonly document: string | undefined;
  readonly entry: string | undefined;
}

/** Where a page ends: the next one begins after it. */
export interface LineKey {
  readonly day: Day;
  readonly id: number;
}

/** By day and id, from the first line to the last or back. */
export type LineDirection = 'ASC' | 'DESC';

export interface FoundLine extends LineKey {
  readonly branch: string;
  readonly batchId: number;
  readonly batch: string;
  readonly documentId: number;
  readonly document: string;
  readonly entry: string;
  readonly accountId: AccountId;
  readonly accountCode: string;
  readonly offsetAccountId: AccountId | null;
  readonly offsetCode: string | null;
  readonly side: 'D' | 'C';
  /** NUMERIC text. */
  readonly amount: string;
  readonly narrationCode: string | null;
  readonly narration: string | null;
  readonly closing: boolean;
  /** The import that wrote it. */
  readonly importId: number | null;
  readonly createdBy: string | null;
  readonly updatedBy: string | null;
}

/** What answers show of a line; the joins of its batch, document, branch and accounts are the statement's. */
export const FOUND_LINE_COLUMNS = SQL`entry_line.id, entry_line.day, branch.code AS branch, batch.id AS "batchId",
           batch.number AS batch, document.id AS "documentId", document.number AS document,
           entry_line.entry_number AS entry, entry_line.account_id AS "accountId", account.code AS "accountCode",
           offset_account.id AS "offsetAccountId", offset_account.code AS "offsetCode", entry_line.side,
           entry_line.amount, entry_line.narration_code AS "narrationCode",
           coalesce(entry_line.printed_narration, entry_line.narration) AS narration, entry_line.closing,
           entry_line.import_id AS "importId", entry_line.created_by AS "createdBy",
           coalesce(entry_line.updated_by, entry_line.created_by) AS "updatedBy"`;

/**
 * Lines of branches by day and id, after the key given. The months keep the ledger index in play, for the batches too,
 * or the planner would read those of all branches.
 */
export function selectFoundLines(
  sql: Sql,
  branches: BranchKey | BranchSet,
  filter: LineFilter,
  after: LineKey | undefined,
  most: number,
  direction: LineDirection,
): Promise<FoundLine[]> {
  const span = spanAfter(filter, after, direction);
  const [isAfter, order] = [direction === 'ASC' ? SQL`>` : SQL`<`, SQL.direction(direction)];
  return sql.rows<FoundLine>(SQL`
    SELECT ${FOUND_LINE_COLUMNS}
      FROM entry_line
      JOIN document ON document.company_id = entry_line.company_id AND document.id = entry_line.document_id
      JOIN batch ON batch.company_id = document.company_id AND batch.id = document.batch_id
      JOIN branch ON branch.company_id = entry_line.company_id AND branch.id = entry_line.branch_id
      JOIN account ON account.id = entry_line.account_id
      LEFT JOIN account AS offset_account ON offset_account.id = entry_line.offset_account_id
     WHERE ${matches(branches, span)}
       AND (${after?.day ?? null}::date IS NULL
            OR (entry_line.day, entry_line.id) ${isAfter} (${after?.day ?? null}, ${after?.id ?? null}::bigint))
     ORDER BY entry_line.day ${order}, entry_line.id ${order}
     LIMIT ${most}`);
}

export interface LineTotals {
  readonly lines: number;
  readonly debit: Centavos;
  readonly credit: Centavos;
}

/** How many lines match, and what they debit and credit; those of closing entries too. */
export async function sumFoundLines(
  sql: Sql,
  branches: BranchKey | BranchSet,
  filter: LineFilter,
): Promise<LineTotals> {
  const { lines, debit, credit } = await sql.one<{ lines: number; debit: string; credit: string }>(SQL`
    SELECT count(*) AS lines, coalesce(sum(entry_line.amount) FILTER (WHERE entry_line.side = 'D'), 0) AS debit,
           coalesce(sum(entry_line.amount) FILTER (WHERE entry_line.side = 'C'), 0) AS credit
      FROM entry_line
      JOIN document ON document.company_id = entry_line.company_id AND document.id = entry_line.document_id
      JOIN batch ON batch.company_id = document.company_id AND batch.id = document.batch_id
     WHERE ${matches(branches, filter)}`);
  return { lines, debit: centavosFromSql(debit), credit: centavosFromSql(credit) };
}

/** The filter as conditions on entry_line, document and batch. */
function matches(branches: BranchKey | BranchSet, filter: LineFilter): Fragment {
  const { from, to, text = null, narrationCode = null, batch = null, document = null, entry = null } = filter;
  const [firstMonth, lastMonth] = [firstDay(monthOfDay(from)), firstDay(monthOfDay(to))];
  const minimum = filter.minimum === undefined ? null : decimalOf(filter.minimum);
  const maximum = filter.maximum === undefined ? null : decimalOf(filter.maximum);
  return SQL`${rowsOf('entry_line', branches)}
       AND entry_line.month BETWEEN ${firstMonth} AND ${lastMonth} AND entry_line.day BETWEEN ${from} AND ${to}
       AND ${rowsOf('batch', branches)} AND batch.month BETWEEN ${firstMonth} AND ${lastMonth}
       AND ${isOfAccount('entry_line.account_id', filter.accountId)}
       AND ${isOfAccount('entry_line.offset_account_id', filter.offsetAccountId)}
       AND (${minimum}::numeric IS NULL OR entry_line.amount >= ${minimum})
       AND (${maximum}::numeric IS NULL OR entry_line.amount <= ${maximum})
       AND (${text}::text IS NULL
            OR strpos(search_text(coalesce(entry_line.printed_narration, entry_line.narration)),
                      search_text(${text})) > 0)
       AND (${narrationCode}::text IS NULL OR entry_line.narration_code = ${narrationCode})
       AND (${batch}::text IS NULL OR batch.number = ${batch})
       AND (${document}::text IS NULL OR document.number = ${document})
       AND (${entry}::text IS NULL OR entry_line.entry_number = ${entry})`;
}

/** The account itself or, where it is a summary account, one below it. The array is made once, before the lines are read. */
function isOfAccount(column: string, accountId: AccountId | undefined): Fragment {
  if (accountId === undefined) return SQL`true`;
  return SQL`${SQL.identifier(column)} = ANY (ARRAY(SELECT leaf.id FROM (${subtreeLeaves(SQL`${accountId}`)}) AS leaf))`;
}

/** Lines of each day that has any, in the accounts of the filter: the ledger index alone, so other filters do not count. */
export function countLinesByDay(
  sql: Sql,
  branches: BranchKey | BranchSet,
  filter: LineFilter,
  after: LineKey | undefined,
  direction: LineDirection,
): Promise<{ day: Day; lines: number }[]> {
  const { from, to, accountId } = spanAfter(filter, after, direction);
  return sql.rows(SQL`
    SELECT entry_line.day, count(*) AS lines
      FROM entry_line
     WHERE ${rowsOf('entry_line', branches)}
       AND entry_line.month BETWEEN ${firstDay(monthOfDay(from))} AND ${firstDay(monthOfDay(to))}
       AND entry_line.day BETWEEN ${from} AND ${to} AND ${isOfAccount('entry_line.account_id', accountId)}
     GROUP BY entry_line.day ORDER BY entry_line.day`);
}

/** The filter without the days before the key, seen in the direction. */
function spanAfter(filter: LineFilter, after: LineKey | undefined, direction: LineDirection): LineFilter {
  if (after === undefined) return filter;
  if (direction === 'ASC') return after.day > filter.from ? { ...filter, from: after.day } : filter;
  return after.day < filter.to ? { ...filter, to: after.day } : filter;
}
