import type { FindingCode } from '../../../accounting/finding-code.ts';
import type { BranchId, CompanyId } from '../../../accounting/ids.ts';
import { firstDay, lastDay, type Month } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { type Fragment, SQL } from '../../../platform/database/statement.ts';
import { readImportStatus } from '../../posting/imports/import-records.read.sql.ts';
import { leavesOfGroups } from '../balances/balance-rules.sql.ts';
import { selectBranchGroups } from '../balances/member-states.read.sql.ts';
import { unbalancedEntries } from '../month-close/prove-entries.read.sql.ts';

/** What a reading of findings is about: one month of some branches of a company. */
export interface ChecklistPlace {
  readonly companyId: CompanyId;
  readonly branchIds: readonly BranchId[];
  readonly month: Month;
  /** Items of each finding and branch; undefined: counts only. */
  readonly items: number | undefined;
}

/** Something to mend. */
export interface FoundItem {
  readonly name: string;
  /** Of the record that the finding is about; null: the branch itself. */
  readonly id: number | null;
  /** Debit-positive NUMERIC text. */
  readonly amount: string | null;
}

/** One finding of one branch. */
export interface Found {
  readonly code: FindingCode;
  readonly branchId: BranchId;
  readonly count: number;
  readonly items: readonly FoundItem[];
}

const NO_ID = SQL`NULL::bigint AS id`;
const NO_AMOUNT = SQL`NULL::numeric AS amount`;
const COUNTS = SQL`true AS counts`;

/** Business days that are not closed: a weekend at the end of a month closes with the next month's first day. */
export function selectOpenDays(sql: Sql, place: ChecklistPlace): Promise<Found[]> {
  return grouped(
    sql,
    place,
    SQL`
    SELECT 'DAYS_OPEN' AS code, calendar_day.branch_id, calendar_day.day::text AS rank, to_char(calendar_day.day, 'DD/MM/YYYY') AS name,
           ${NO_ID}, ${NO_AMOUNT}, ${COUNTS}
      FROM calendar_day
     WHERE ${ofBranches('calendar_day', place)}
       AND calendar_day.day BETWEEN ${firstDay(place.month)} AND ${lastDay(place.month)}
       AND calendar_day.business_day AND NOT calendar_day.closed`,
  );
}

/** Documents with an entry whose lines do not balance. */
export function selectUnbalancedDocuments(sql: Sql, place: ChecklistPlace): Promise<Found[]> {
  const { companyId, branchIds, month } = place;
  return grouped(
    sql,
    place,
    SQL`
    SELECT 'UNBALANCED_DOCUMENTS' AS code, wrong.branch_id, lpad(wrong.document_id::text, 20, '0') AS rank,
           coalesce(batch.number, '?') || '/' || coalesce(document.number, '?') AS name,
           wrong.document_id AS id, wrong.difference AS amount, ${COUNTS}
      FROM (SELECT entry.branch_id, entry.document_id, sum(entry.debits - entry.credits) AS difference
              FROM (${unbalancedEntries(companyId, branchIds, month)}) AS entry
             GROUP BY entry.branch_id, entry.document_id) AS wrong
      LEFT JOIN document ON document.company_id = ${companyId} AND document.id = wrong.document_id
      LEFT JOIN batch ON batch.company_id = ${companyId} AND batch.id = document.batch_id`,
  );
}

/** Of imports: rejected or interrupted, and their file was not imported since. */
export const unmendedImport = async (
  sql: Sql,
  companyId: CompanyId,
) => SQL`NOT import_record.dry_run AND ${await readImportStatus(sql)} IN ('REFUSED', 'INTERRUPTED')
       AND NOT EXISTS (SELECT 1 FROM import_record AS later
                        WHERE later.company_id = ${companyId}
                          AND later.branch_id = import_record.branch_id AND later.id > import_record.id
                          AND later.month = import_record.month AND later.kind = import_record.kind
                          AND later.file_name = import_record.file_name
                          AND NOT later.dry_run)`;

/** Imports that were rejected or interrupted, and whose file was not imported since. */
export async function selectFailedImports(sql: Sql, place: ChecklistPlace): Promise<Found[]> {
  return grouped(
    sql,
    place,
    SQL`
    SELECT 'IMPORTS_WITH_ERRORS' AS code, import_record.branch_id, lpad(import_record.id::text, 20, '0') AS rank,
           import_record.file_name AS name, import_record.id, ${NO_AMOUNT}, ${COUNTS}
      FROM import_record
     WHERE ${ofBranches('import_record', place)} AND import_record.month = ${firstDay(place.month)} AND ${await unmendedImport(sql, place.companyId)}`,
  );
}

/**
 * The side that increases an account. A contra account reduces its class whatever was registered as its own side:
 * charts give it either that of its class, or the opposite one.
 */
const EXPECTED_SIDE = SQL`CASE WHEN account.contra AND account.account_class = '01' THEN 'C'
                              WHEN account.contra AND account.account_class IN ('02', '03') THEN 'D'
                              ELSE account.normal_balance END`;

/**
 * What balances say, of one reading of them: posting accounts whose balance is on the other side than their own, and the
 * two sides of the memorandum accounts (class 05) where these differ. The root of an account's tree says on which side
 * it is, as groups 3 and 9 do under COSIF.
 */
export async function selectBalanceFindings(sql: Sql, place: ChecklistPlace): Promise<Found[]> {
  const groups = await selectBranchGroups(sql, place.companyId, place.branchIds, place.month);
  return grouped(
    sql,
    place,
    SQL`
    WITH leaf AS MATERIALIZED (${leavesOfGroups(groups, place.month)}), side AS (
      SELECT leaf.branch_id, coalesce(root.normal_balance, 'D') = 'C' AS is_credit, sum(leaf.balance) AS amount,
             sum(sum(leaf.balance)) OVER (PARTITION BY leaf.branch_id) AS difference
        FROM leaf
        JOIN account ON account.id = leaf.account_id AND account.account_class = '05'
        JOIN account AS root ON root.id = coalesce(account.ancestors[1], account.id)
       GROUP BY leaf.branch_id, is_credit
    )
    SELECT 'INVERTED_BALANCES' AS code, leaf.branch_id, account.sort_key AS rank,
           account.code || ' ' || account.description AS name, account.id, leaf.balance AS amount, ${COUNTS}
      FROM leaf
      JOIN account ON account.id = leaf.account_id
     WHERE ${EXPECTED_SIDE} = CASE WHEN leaf.balance < 0 THEN 'D' ELSE 'C' END
    UNION ALL
    SELECT 'MEMORANDUM_DIFFERENCE', side.branch_id, side.is_credit::text,
           CASE WHEN side.is_credit THEN 'Compensação passiva' ELSE 'Compensação ativa' END, NULL, side.amount, true
      FROM side
     WHERE side.difference <> 0`,
  );
}

/**
 * Quotas of the month that no longer agree with the books, and amounts of closed days that have no quotas yet; of branches that
 * have quotas, also those without any such.
 */
export function selectStaleQuotas(sql: Sql, place: ChecklistPlace): Promise<Found[]> {
  return grouped(
    sql,
    place,
    SQL`
    SELECT 'STALE_QUOTAS' AS code, tax_quota.branch_id, tax_quota.day::text AS rank, to_char(tax_quota.day, 'DD/MM/YYYY') AS name,
           ${NO_ID}, ${NO_AMOUNT}, tax_quota.stale_since IS NOT NULL AS counts
      FROM tax_quota
     WHERE ${ofBranches('tax_quota', place)}
       AND tax_quota.reference_day BETWEEN ${firstDay(place.month)} AND ${lastDay(place.month)}
    UNION ALL
    SELECT 'STALE_QUOTAS', daily_quota.branch_id, daily_quota.day::text, to_char(daily_quota.day, 'DD/MM/YYYY'),
           NULL, NULL, daily_quota.stale
      FROM daily_quota
     WHERE ${ofBranches('daily_quota', place)} AND daily_quota.replaced_at IS NULL
       AND daily_quota.day BETWEEN ${firstDay(place.month)} AND ${lastDay(place.month)}
    UNION ALL
    SELECT 'STALE_QUOTAS', quota_movement.branch_id, quota_movement.day::text,
           to_char(quota_movement.day, 'DD/MM/YYYY') || ': movimentação sem cotas', quota_movement.id, quota_movement.amount, true
      FROM quota_movement
      JOIN calendar_day ON calendar_day.company_id = quota_movement.company_id
       AND calendar_day.branch_id = quota_movement.branch_id AND calendar_day.day = quota_movement.day AND calendar_day.closed
     WHERE ${ofBranches('quota_movement', place)} AND quota_movement.quotas IS NULL
       AND quota_movement.day BETWEEN ${firstDay(place.month)} AND ${lastDay(place.month)}`,
  );
}

/** Uses of entry templates that wait to be posted on a day of the month. */
export function selectPendingTemplates(sql: Sql, place: ChecklistPlace): Promise<Found[]> {
  return grouped(
    sql,
    place,
    SQL`
    SELECT 'TEMPLATES_PENDING' AS code, entry_template_data.branch_id, entry_template_data.day::text AS rank,
           entry_template_data.code || ' ' || to_char(entry_template_data.day, 'DD/MM/YYYY') AS name,
           entry_template_data.id, ${NO_AMOUNT}, ${COUNTS}
      FROM entry_template_data
     WHERE ${ofBranches('entry_template_data', place)} AND entry_template_data.status = 'PENDING'
       AND entry_template_data.day BETWEEN ${firstDay(place.month)} AND ${lastDay(place.month)}`,
  );
}

/** What would take a batch above its limit and waits for a second person, by who sent it and when. */
export function selectWaitingDrafts(sql: Sql, place: ChecklistPlace): Promise<Found[]> {
  return grouped(
    sql,
    place,
    SQL`
    SELECT 'DRAFTS_WAITING' AS code, approval.branch_id, lpad(approval.id::text, 20, '0') AS rank,
           approval.requested_by || ', ' || ${localTime('approval.requested_at')} AS name, approval.id, ${NO_AMOUNT}, ${COUNTS}
      FROM approval
     WHERE ${ofBranches('approval', place)} AND approval.month = ${firstDay(place.month)}
       AND approval.kind = 'DRAFT' AND approval.state = 'PENDING'`,
  );
}

/** Rules that failed or broke in the last run of each document; of branches with runs, also those where all passed. */
export function selectFailedRules(sql: Sql, place: ChecklistPlace): Promise<Found[]> {
  return grouped(
    sql,
    place,
    SQL`
    SELECT 'RULES_FAILED' AS code, last.branch_id, regulatory_document.code AS rank,
           regulatory_document.code || ' (' || last.wrong || ')' AS name, last.id, ${NO_AMOUNT},
           last.wrong > 0 AS counts
      FROM (SELECT DISTINCT ON (compliance_process.branch_id, compliance_process.document_id)
                   compliance_process.branch_id, compliance_process.document_id, compliance_process.id,
                   compliance_process.failed + compliance_process.broken AS wrong
              FROM compliance_process
             WHERE ${ofBranches('compliance_process', place)} AND compliance_process.month = ${firstDay(place.month)}
             ORDER BY compliance_process.branch_id, compliance_process.document_id, compliance_process.id DESC) AS last
      JOIN regulatory_document ON regulatory_document.id = last.document_id`,
  );
}

/**
 * Branches without a journal in force, of their own or of the institution, that has the month; the book of daily trial
 * balances may be kept in its place.
 */
export function selectMissingBooks(sql: Sql, place: ChecklistPlace): Promise<Found[]> {
  return grouped(
    sql,
    place,
    SQL`
    SELECT 'BOOKS_ISSUED' AS code, asked.id AS branch_id, '' AS rank, 'Diário' AS name, ${NO_ID}, ${NO_AMOUNT}, ${COUNTS}
      FROM unnest(${place.branchIds}::bigint[]) AS asked (id)
     WHERE NOT EXISTS (SELECT 1 FROM issued_book
                        WHERE issued_book.company_id = ${place.companyId}
                          AND (issued_book.branch_id = asked.id OR issued_book.branch_id IS NULL)
                          AND issued_book.kind IN ('JOURNAL', 'TRIAL_BALANCES') AND issued_book.state = 'ISSUED'
                          AND issued_book.period_from <= ${firstDay(place.month)}
                          AND issued_book.period_to >= ${lastDay(place.month)})`,
  );
}

/**
 * Closed months: the first digits of the seal in force, when and who sealed. What is named is no fault; only a month that was
 * closed before there were seals counts.
 */
export function selectSealedMonths(sql: Sql, { companyId, branchIds, month, items }: ChecklistPlace): Promise<Found[]> {
  const named = SQL`json_build_object('name', last.name, 'id', NULL, 'amount', NULL)`;
  return sql.rows<Found>(SQL`
    SELECT 'SEALED' AS code, month.branch_id AS "branchId", CASE WHEN last.name IS NULL THEN 1 ELSE 0 END AS count,
           CASE WHEN last.name IS NULL OR ${items ?? 0}::integer = 0 THEN '[]' ELSE json_build_array(${named}) END AS items
      FROM month
      LEFT JOIN LATERAL (
             SELECT left(encode(seal.seal, 'hex'), 16) || ', ' || ${localTime('seal.sealed_at')} || ', ' || seal.sealed_by AS name
               FROM seal
              WHERE seal.company_id = ${companyId} AND seal.branch_id = month.branch_id AND seal.month = month.month
              ORDER BY seal.position DESC LIMIT 1) AS last ON true
     WHERE ${ofBranches('month', { companyId, branchIds })} AND month.month = ${firstDay(month)} AND month.state = 'CLOSED'`);
}

/**
 * What the last nightly verification found up to the month, in the branch or in its company as a whole; a branch that it has
 * not come to has no row.
 */
export function selectBookDifferences(
  sql: Sql,
  { companyId, branchIds, month, items }: ChecklistPlace,
): Promise<Found[]> {
  return sql.rows<Found>(SQL`
    WITH result AS (
      SELECT asked.id AS branch_id, verify_result.month, verify_result.differences, verify_result.first,
             ${localTime('verify_result.verified_at')} AS verified
        FROM unnest(${branchIds}::bigint[]) AS asked (id)
        JOIN verify_result ON verify_result.company_id = ${companyId}
         AND (verify_result.branch_id = asked.id OR verify_result.branch_id IS NULL)
         AND (verify_result.month <= ${firstDay(month)} OR verify_result.month IS NULL)
    ), named AS (
      SELECT result.branch_id, concat_ws(', ', to_char(result.month, 'MM/YYYY'),
                                         (each.difference ->> 'kind') || ' ' || (each.difference ->> 'what'), result.verified) AS name,
             row_number() OVER (PARTITION BY result.branch_id ORDER BY result.month, each.place) AS place
        FROM result
        CROSS JOIN jsonb_array_elements(result.first) WITH ORDINALITY AS each (difference, place)
    )
    SELECT 'BOOKS_DIFFER' AS code, result.branch_id AS "branchId", sum(result.differences) AS count,
           coalesce((SELECT json_agg(json_build_object('name', named.name, 'id', NULL, 'amount', NULL) ORDER BY named.place)
                       FROM named
                      WHERE named.branch_id = result.branch_id AND named.place <= ${items ?? null}::integer), '[]') AS items
      FROM result
     GROUP BY result.branch_id`);
}

/** As people in São Paulo write a moment. */
function localTime(column: string): Fragment {
  return SQL`to_char(${SQL.identifier(column)} AT TIME ZONE 'America/Sao_Paulo', 'DD/MM/YYYY HH24:MI')`;
}

function ofBranches(
  table: string,
  { companyId, branchIds }: Pick<ChecklistPlace, 'companyId' | 'branchIds'>,
): Fragment {
  return SQL`${SQL.identifier(`${table}.company_id`)} = ${companyId}
       AND ${SQL.identifier(`${table}.branch_id`)} = ANY (${branchIds}::bigint[])`;
}

/**
 * A finding by branch: how many there are, and the first of them. `found` selects code, branch_id, rank (their order), name, id,
 * amount and counts; a row that does not count says that the branch has something of the kind, and nothing is wrong.
 */
function grouped(sql: Sql, { items }: ChecklistPlace, found: Fragment): Promise<Found[]> {
  if (items === undefined) return counted(sql, found);
  return sql.rows<Found>(SQL`
    SELECT placed.code, placed.branch_id AS "branchId", count(*) FILTER (WHERE placed.counts) AS count,
           coalesce(json_agg(json_build_object('name', placed.name, 'id', placed.id, 'amount', placed.amount::text)
                             ORDER BY placed.place) FILTER (WHERE placed.counts AND placed.place <= ${items}), '[]') AS items
      FROM (SELECT found.*, row_number() OVER (PARTITION BY found.code, found.branch_id, found.counts ORDER BY found.rank) AS place
              FROM (${found}) AS found) AS placed
     GROUP BY placed.code, placed.branch_id`);
}

/** The same where nothing is named: then nothing need be put in order. */
function counted(sql: Sql, found: Fragment): Promise<Found[]> {
  return sql.rows<Found>(SQL`
    SELECT found.code, found.branch_id AS "branchId", count(*) FILTER (WHERE found.counts) AS count, '[]'::json AS items
      FROM (${found}) AS found
     GROUP BY found.code, found.branch_id`);
}
