import type { BranchId, ChartId, CompanyId } from '../../../accounting/ids.ts';
import { type Centavos, decimalOf } from '../../../accounting/money.ts';
import { type Day, firstDay, type Month } from '../../../accounting/period.ts';
import type { PostingNarration } from '../../../accounting/posting.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import type { BranchKey } from '../../access/access.ts';
import {
  highestNumber,
  POSTING_ACCOUNT_COLUMNS,
  POSTING_NARRATION_COLUMNS,
  type PostingRules,
  postingRuleColumns,
} from '../entries/entries.sql.ts';
import type { FindableAccount } from '../imports/staging.sql.ts';
import { fairMonthLock, type MonthKey, type MonthRow } from '../months/months.sql.ts';

// Statements over all entries of a request: one each, however many branches, months and documents they name. They are
// planned for each request, whose lists may be short or long.

interface OfCompany {
  readonly companyId: CompanyId;
}

/** A statement for each company, in the order of their ids: all that it asks for is on the company's server. */
async function companyByCompany<Asked extends OfCompany, Row>(
  asked: readonly Asked[],
  ask: (companyId: CompanyId, own: readonly Asked[]) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const found: Row[] = [];
  for (const [companyId, own] of companiesOf(asked)) found.push(...(await ask(companyId, own)));
  return found;
}

/** The same for statements that answer each of what was asked in its turn. */
async function inTheirOrder<Asked extends OfCompany, Row>(
  asked: readonly Asked[],
  ask: (companyId: CompanyId, own: readonly Asked[]) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const answers = new Map<Asked, Row>();
  for (const [companyId, own] of companiesOf(asked)) {
    const rows = await ask(companyId, own);
    for (const [at, each] of own.entries()) answers.set(each, rows[at]!);
  }
  return asked.map((each) => answers.get(each)!);
}

function companiesOf<Asked extends OfCompany>(asked: readonly Asked[]): [CompanyId, Asked[]][] {
  return [...Map.groupBy(asked, ({ companyId }) => companyId)].sort(([one], [other]) => one - other);
}

/** Locks the months against closing, in the order of their keys. */
export function lockMonths(sql: Sql, keys: readonly MonthKey[]): Promise<Pick<MonthRow, keyof MonthKey | 'state'>[]> {
  return companyByCompany(keys, (companyId, own) =>
    sql.rows<Pick<MonthRow, keyof MonthKey | 'state'>>(SQL`
      SELECT ${fairMonthLock('SHARE')}, month.company_id AS "companyId", month.branch_id AS "branchId",
             to_char(month.month, 'YYYY-MM') AS month, month.state
        FROM unnest(${own.map((key) => key.branchId)}::bigint[],
                    ${own.map((key) => firstDay(key.month))}::date[]) AS wanted (branch_id, month)
        JOIN month ON month.company_id = ${companyId} AND month.branch_id = wanted.branch_id
         AND month.month = wanted.month
       ORDER BY month.branch_id, month.month
         FOR SHARE OF month`),
  );
}

/** The options of the branches, and which of the days are closed there; read after the months are locked. */
export function selectRulesOfBranches(
  sql: Sql,
  branches: readonly BranchKey[],
  days: readonly Day[],
): Promise<(PostingRules & BranchKey)[]> {
  return companyByCompany(branches, (companyId, own) =>
    sql.rows<PostingRules & BranchKey>(SQL`
      SELECT company_options.company_id AS "companyId", company_options.branch_id AS "branchId",
             ${postingRuleColumns(companyId, SQL`SELECT * FROM unnest(${days}::date[])`)}
        FROM company_options
       WHERE company_options.company_id = ${companyId}
         AND company_options.branch_id = ANY (${own.map((each) => each.branchId)}::bigint[])`),
  );
}

/** What names accounts: those of ids and exact codes, or all others that the texts can mean. */
export type AccountNames =
  | { readonly ids: readonly number[]; readonly codes: readonly string[] }
  | { readonly shortCodes: readonly string[]; readonly digits: readonly string[] };

/** The accounts of the charts that are named so, locked: none is removed or made a summary account before the commit. */
export function lockNamedAccounts(
  sql: Sql,
  chartIds: readonly ChartId[],
  names: AccountNames,
): Promise<(FindableAccount & { chartId: ChartId })[]> {
  const isNamed =
    'ids' in names
      ? SQL`account.id = ANY (${names.ids}::bigint[]) OR account.code = ANY (${names.codes}::text[])`
      : SQL`account.short_code = ANY (${names.shortCodes}::text[]) OR account.digits = ANY (${names.digits}::text[])`;
  return sql.rows(SQL`
    SELECT account.chart_id AS "chartId", ${POSTING_ACCOUNT_COLUMNS}, account.short_code AS "shortCode", account.digits
      FROM account
     WHERE account.chart_id = ANY (${chartIds}::bigint[]) AND (${isNamed})
     ORDER BY account.id
       FOR KEY SHARE`);
}

/** The branches' narrations of the codes: the nearest of a code last. */
export function selectNarrationsOfBranches(
  sql: Sql,
  branches: readonly BranchKey[],
  codes: readonly string[],
): Promise<(PostingNarration & { branchId: BranchId; code: string })[]> {
  return sql.rows(SQL`
    SELECT wanted.branch_id AS "branchId", ${POSTING_NARRATION_COLUMNS}
      FROM unnest(${branches.map((each) => each.companyId)}::bigint[], ${branches.map((each) => each.branchId)}::bigint[])
             AS wanted (company_id, branch_id)
      JOIN standard_narration ON standard_narration.code = ANY (${codes}::text[])
       AND coalesce(standard_narration.company_id, wanted.company_id) = wanted.company_id
       AND coalesce(standard_narration.branch_id, wanted.branch_id) = wanted.branch_id
     ORDER BY standard_narration.company_id NULLS FIRST, standard_narration.branch_id NULLS FIRST`);
}

/** Where a document is looked for: by its id, or by its number in a batch of that id or number. */
export interface WantedPlace extends MonthKey {
  readonly documentId: number | null;
  readonly batchId: number | null;
  readonly batch: string | null;
  readonly document: string | null;
}

/** What stands at a place; null: there is none in that month. */
export interface FoundPlace {
  readonly batchId: number | null;
  readonly batch: string | null;
  readonly documentId: number | null;
  readonly document: string | null;
}

/** What stands at the places, in their order. */
export function selectPlaces(sql: Sql, places: readonly WantedPlace[]): Promise<FoundPlace[]> {
  return inTheirOrder(places, (companyId, own) =>
    sql.rows<FoundPlace>(SQL`
      SELECT batch.id AS "batchId", batch.number AS batch, document.id AS "documentId", document.number AS document
        FROM unnest(${own.map((each) => each.branchId)}::bigint[], ${own.map((each) => firstDay(each.month))}::date[],
                    ${own.map((each) => each.documentId)}::bigint[], ${own.map((each) => each.batchId)}::bigint[],
                    ${own.map((each) => each.batch)}::text[], ${own.map((each) => each.document)}::text[])
               WITH ORDINALITY AS wanted (branch_id, month, document_id, batch_id, batch, document, position)
       CROSS JOIN LATERAL (
             SELECT CASE WHEN wanted.document_id IS NOT NULL
                         THEN (SELECT held.batch_id FROM document AS held
                                WHERE held.company_id = ${companyId} AND held.id = wanted.document_id
                                  AND held.branch_id = wanted.branch_id AND held.month = wanted.month)
                         WHEN wanted.batch IS NOT NULL
                         THEN (SELECT named.id FROM batch AS named
                                WHERE named.company_id = ${companyId} AND named.branch_id = wanted.branch_id
                                  AND named.month = wanted.month AND named.number = wanted.batch)
                         ELSE (SELECT named.id FROM batch AS named
                                WHERE named.company_id = ${companyId} AND named.id = wanted.batch_id
                                  AND named.branch_id = wanted.branch_id AND named.month = wanted.month) END AS batch_id
           ) AS placed
       CROSS JOIN LATERAL (
             SELECT CASE WHEN wanted.document_id IS NOT NULL AND placed.batch_id IS NOT NULL THEN wanted.document_id
                         ELSE (SELECT named.id FROM document AS named
                                WHERE named.company_id = ${companyId} AND named.batch_id = placed.batch_id
                                  AND named.number = wanted.document) END AS document_id
           ) AS found
        LEFT JOIN batch ON batch.company_id = ${companyId} AND batch.id = placed.batch_id
        LEFT JOIN document ON document.company_id = ${companyId} AND document.id = found.document_id
       ORDER BY wanted.position`),
  );
}

/** Makes batches that are absent, in the order of their keys. */
export async function insertBatches(
  sql: Sql,
  batches: readonly (MonthKey & { readonly batch: string })[],
  by: string,
): Promise<void> {
  await sql.run(SQL`
    INSERT INTO batch (company_id, branch_id, month, number, created_by)
    SELECT DISTINCT added.company_id, added.branch_id, added.month, added.number, ${by}
      FROM unnest(${batches.map((each) => each.companyId)}::bigint[], ${batches.map((each) => each.branchId)}::bigint[],
                  ${batches.map((each) => firstDay(each.month))}::date[], ${batches.map((each) => each.batch)}::text[])
             AS added (company_id, branch_id, month, number)
     ORDER BY added.company_id, added.branch_id, added.month, added.number
    ON CONFLICT (company_id, branch_id, month, number) DO NOTHING`);
}

/** Makes documents that are absent, in the order of their keys. */
export async function insertDocuments(
  sql: Sql,
  documents: readonly (MonthKey & { readonly batchId: number; readonly document: string })[],
  by: string,
): Promise<void> {
  await sql.run(SQL`
    INSERT INTO document (company_id, branch_id, month, batch_id, number, created_by)
    SELECT added.company_id, added.branch_id, added.month, added.batch_id, added.number, ${by}
      FROM unnest(${documents.map((each) => each.companyId)}::bigint[], ${documents.map((each) => each.branchId)}::bigint[],
                  ${documents.map((each) => firstDay(each.month))}::date[], ${documents.map((each) => each.batchId)}::bigint[],
                  ${documents.map((each) => each.document)}::text[]) AS added (company_id, branch_id, month, batch_id, number)
     ORDER BY added.company_id, added.batch_id, added.number
    ON CONFLICT (company_id, batch_id, number) DO NOTHING`);
}

export interface DocumentKey {
  readonly companyId: CompanyId;
  readonly documentId: number;
}

/** Locks the documents against deletion; `forNumbers` also against others who look for the next number. Says how many there are. */
export async function lockDocumentRows(
  sql: Sql,
  documents: readonly DocumentKey[],
  forNumbers: boolean,
): Promise<number> {
  const locked = await companyByCompany(documents, (companyId, own) =>
    sql.rows<{ id: number }>(SQL`
      SELECT document.id FROM document
       WHERE document.company_id = ${companyId} AND document.id = ANY (${own.map((each) => each.documentId)}::bigint[])
       ORDER BY document.id
         FOR ${forNumbers ? SQL`NO KEY UPDATE` : SQL`KEY SHARE`}`),
  );
  return locked.length;
}

/** The highest number of an entry of each document, in their order; null: none that is a number. */
export async function selectHighestNumbers(sql: Sql, documents: readonly DocumentKey[]): Promise<(string | null)[]> {
  const rows = await inTheirOrder(documents, (companyId, own) =>
    sql.rows<{ number: string | null }>(SQL`
      SELECT ${highestNumber(SQL`${companyId}`, SQL`wanted.document_id`)} AS number
        FROM unnest(${own.map((each) => each.documentId)}::bigint[]) WITH ORDINALITY AS wanted (document_id, position)
       ORDER BY wanted.position`),
  );
  return rows.map(({ number }) => number);
}

/** Those of the numbers that their documents have already. Reads whole documents: asked only when something is at fault. */
export function selectTakenNumbers(
  sql: Sql,
  entries: readonly (DocumentKey & { readonly number: string })[],
): Promise<{ documentId: number; number: string }[]> {
  return sql.rows(SQL`
    SELECT entry_line.document_id AS "documentId", entry_line.entry_number AS number
      FROM entry_line
     WHERE entry_line.company_id = ANY (${[...new Set(entries.map((each) => each.companyId))]}::bigint[])
       AND entry_line.document_id = ANY (${[...new Set(entries.map((each) => each.documentId))]}::bigint[])
       AND entry_line.entry_number = ANY (${[...new Set(entries.map((each) => each.number))]}::text[])
       AND entry_line.sequence = 1`);
}

/** A whole logical entry to write; lines get their sequence in the order given. */
export interface NewEntry extends BranchKey {
  readonly documentId: number;
  readonly month: Month;
  readonly day: Day;
  readonly number: string;
  readonly narrationCode: string | null;
  readonly factDay: Day | null;
  readonly sourceId: number | null;
  readonly lines: readonly NewBulkLine[];
}

export interface NewBulkLine {
  readonly side: 'D' | 'C';
  readonly accountId: number;
  readonly offsetAccountId: number | null;
  readonly amount: Centavos;
  readonly narration: string | null;
}

/** Writes the lines of all entries of a company in one statement, in the order given. */
export async function insertEntriesOfBranches(sql: Sql, entries: readonly NewEntry[], by: string): Promise<void> {
  for (const [companyId, own] of companiesOf(entries)) await insertEntriesOf(sql, companyId, own, by);
}

async function insertEntriesOf(
  sql: Sql,
  companyId: CompanyId,
  entries: readonly NewEntry[],
  by: string,
): Promise<void> {
  const lines = entries.flatMap((entry, at) =>
    entry.lines.map((line, before) => ({ ...line, at, sequence: before + 1 })),
  );
  const codes = [...new Set(entries.flatMap((entry) => entry.narrationCode ?? []))];
  const isLate = entries.some((entry) => entry.factDay !== null);
  const standard = codes.length === 0 ? SQL`NULL` : SQL`standard.description`;
  const printed =
    codes.length === 0 && !isLate
      ? SQL`NULL`
      : SQL`compose_printed_narration(${standard}, line.narration, ${isLate ? SQL`entry.fact_day` : SQL`NULL`})`;
  await sql.one(SQL`
    WITH written AS (
      INSERT INTO entry_line (company_id, branch_id, document_id, month, day, entry_number, sequence, account_id,
                              offset_account_id, side, amount, narration, narration_code, printed_narration, created_by,
                              source_id, fact_day)
      SELECT ${companyId}, entry.branch_id, entry.document_id, entry.month, entry.day, entry.number, line.sequence,
             line.account_id, line.offset_account_id, line.side::"char", line.amount, line.narration, entry.narration_code,
             ${printed}, ${by}, entry.source_id, entry.fact_day
        FROM unnest(${lines.map((line) => line.at + 1)}::bigint[], ${lines.map((line) => line.sequence)}::integer[],
                    ${lines.map((line) => line.accountId)}::bigint[], ${lines.map((line) => line.offsetAccountId)}::bigint[],
                    ${lines.map((line) => line.side)}::text[], ${lines.map((line) => decimalOf(line.amount))}::numeric[],
                    ${lines.map((line) => line.narration)}::text[])
               WITH ORDINALITY AS line (entry, sequence, account_id, offset_account_id, side, amount, narration, place)
        JOIN unnest(${entries.map((each) => each.branchId)}::bigint[],
                    ${entries.map((each) => each.documentId)}::bigint[], ${entries.map((each) => firstDay(each.month))}::date[],
                    ${entries.map((each) => each.day)}::date[], ${entries.map((each) => each.number)}::text[],
                    ${entries.map((each) => each.narrationCode)}::text[], ${entries.map((each) => each.sourceId)}::bigint[],
                    ${entries.map((each) => each.factDay)}::date[])
               WITH ORDINALITY AS entry (branch_id, document_id, month, day, number, narration_code, source_id,
                                         fact_day, place)
          ON entry.place = line.entry
        ${
          codes.length === 0
            ? SQL``
            : SQL`LEFT JOIN ${standardTexts(companyId, entries, codes)} AS standard
          ON standard.branch_id = entry.branch_id AND standard.code = entry.narration_code`
        }
       ORDER BY line.place
      RETURNING 1)
    SELECT count(*) AS lines FROM written`);
}

/** The texts of the codes in each branch of the entries. */
function standardTexts(companyId: CompanyId, entries: readonly NewEntry[], codes: readonly string[]) {
  const branchIds = [...new Set(entries.map((each) => each.branchId))];
  return SQL`(SELECT place.branch_id, standard_narrations.code, standard_narrations.description
                FROM unnest(${branchIds}::bigint[]) AS place (branch_id)
               CROSS JOIN LATERAL standard_narrations(${companyId}, place.branch_id, ${codes}::text[]))`;
}
