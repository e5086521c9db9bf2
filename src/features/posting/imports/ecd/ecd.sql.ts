import type { AccountId, ChartId, CompanyId } from '../../../../accounting/ids.ts';
import { firstDay, type Month } from '../../../../accounting/period.ts';
import type { Sql } from '../../../../platform/database/sql.ts';
import { SQL } from '../../../../platform/database/statement.ts';
import type { BranchKey, Tenant } from '../../../access/access.ts';
import type { Signatory } from '../../../master-data/companies/company-options.read.sql.ts';

/** The reference chart of a code of the federal revenue service. */
export async function selectReferenceChart(sql: Sql, code: string): Promise<string | undefined> {
  const row = await sql.maybe<{ id: string }>(SQL`
    SELECT reference_chart.id FROM reference_chart WHERE reference_chart.code = ${code} AND reference_chart.active`);
  return row?.id;
}

/**
 * Maps accounts that have no reference account yet. Of each account whose reference account exists: whether it was mapped
 * now, had the same, or has another.
 */
export async function mapAccounts(
  sql: Sql,
  chartId: ChartId,
  referenceChartId: string,
  asked: readonly { readonly id: AccountId; readonly reference: string }[],
): Promise<ReadonlyMap<AccountId, 'MAPPED' | 'SAME' | 'OTHER'>> {
  const rows = await sql.rows<{ id: AccountId; outcome: 'MAPPED' | 'SAME' | 'OTHER' }>(SQL`
    WITH found AS (
      SELECT DISTINCT ON (asked.id) asked.id, reference_account.id AS reference_id, reference_account.code
        FROM unnest(${asked.map(({ id }) => id)}::bigint[], ${asked.map(({ reference }) => reference)}::text[])
               AS asked (id, code)
        JOIN reference_account ON reference_account.chart_id = ${referenceChartId}
         AND reference_account.code = asked.code AND reference_account.account_type = 'A'
       ORDER BY asked.id, reference_account.valid_from DESC
    ), before AS (
      SELECT found.id, found.reference_id, named.code AS named, found.code
        FROM found
        JOIN account ON account.chart_id = ${chartId} AND account.id = found.id
        LEFT JOIN reference_account AS named ON named.id = account.reference_account_id
    ), mapped AS (
      UPDATE account SET reference_account_id = before.reference_id, updated_at = now()
        FROM before
       WHERE account.chart_id = ${chartId} AND account.id = before.id AND before.named IS NULL
      RETURNING account.id
    )
    SELECT before.id,
           CASE WHEN before.named IS NULL THEN 'MAPPED' WHEN before.named = before.code THEN 'SAME' ELSE 'OTHER' END
             AS outcome
      FROM before LEFT JOIN mapped ON mapped.id = before.id`);
  return new Map(rows.map(({ id, outcome }) => [id, outcome]));
}

/** Standard narrations that the branch uses, its own before its company's before everybody's. */
export async function selectNarrationTexts(
  sql: Sql,
  { companyId, branchId }: BranchKey,
  codes: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await sql.rows<{ code: string; description: string }>(SQL`
    SELECT standard.code, standard.description
      FROM standard_narrations(${companyId}, ${branchId}, ${codes}) AS standard`);
  return new Map(rows.map(({ code, description }) => [code, description]));
}

/** Signatories of a branch that has none. */
export async function addSignatories(
  sql: Sql,
  { companyId, branchId }: BranchKey,
  signatories: readonly Signatory[],
): Promise<void> {
  await sql.run(SQL`
    UPDATE company_options SET signatories = ${JSON.stringify(signatories)}, updated_at = now()
     WHERE company_options.company_id = ${companyId} AND company_options.branch_id = ${branchId}`);
}

/** Whether the month has batches or documents already. */
export async function hasMovements(sql: Sql, { companyId, branchId }: BranchKey, month: Month): Promise<boolean> {
  const { found } = await sql.one<{ found: boolean }>(SQL`
    SELECT EXISTS (SELECT 1 FROM batch
                    WHERE batch.company_id = ${companyId} AND batch.branch_id = ${branchId}
                      AND batch.month = ${firstDay(month)}) AS found`);
  return found;
}

/** A batch of the import. */
export async function insertEcdBatch(
  sql: Sql,
  tenant: Tenant,
  batch: { readonly month: Month; readonly number: string; readonly isClosing: boolean; readonly by: string },
): Promise<number> {
  const { companyId, branchId } = tenant;
  const row = await sql.one<{ id: number }>(SQL`
    INSERT INTO batch (company_id, branch_id, month, number, description, closing, created_by)
    VALUES (${companyId}, ${branchId}, ${firstDay(batch.month)}, ${batch.number},
            ${batch.isClosing ? 'Encerramento de resultado (ECD)' : 'ECD'}, ${batch.isClosing}, ${batch.by})
    RETURNING batch.id`);
  return row.id;
}

/** Takes an import's file away. */
export async function forgetFile(sql: Sql, companyId: CompanyId, importId: number): Promise<void> {
  await sql.run(SQL`
    DELETE FROM import_file WHERE import_file.company_id = ${companyId} AND import_file.import_id = ${importId}`);
}

/** An import that waits for its job. */
export async function insertWaitingImport(
  sql: Sql,
  tenant: Tenant,
  record: { readonly fileName: string; readonly hash: string; readonly dryRun: boolean; readonly by: string },
): Promise<number> {
  const row = await sql.one<{ id: number }>(SQL`
    INSERT INTO import_record (company_id, branch_id, kind, file_name, content_hash, dry_run, status, backend_pid,
                               requested_by)
    VALUES (${tenant.companyId}, ${tenant.branchId}, 'ECD', ${record.fileName}, ${record.hash}, ${record.dryRun},
            'PENDING', 0, ${record.by})
    RETURNING import_record.id`);
  return row.id;
}

/** The record of an import whose job has begun, or has begun again; readers see it at once. */
export async function beginImport(sql: Sql, companyId: CompanyId, id: number, backendPid: number): Promise<void> {
  await sql.run(SQL`
    UPDATE import_record SET status = 'RUNNING', backend_pid = ${backendPid}, started_at = now(), rows_read = 0
     WHERE import_record.company_id = ${companyId} AND import_record.id = ${id}
       AND import_record.status IN ('PENDING', 'RUNNING')`);
}

/** The first month and batch of an import; a file of balances has no batch. */
export async function placeImport(
  sql: Sql,
  companyId: CompanyId,
  id: number,
  place: { readonly month: Month; readonly batchId: number | null },
): Promise<void> {
  await sql.run(SQL`
    UPDATE import_record SET month = ${firstDay(place.month)}, batch_id = ${place.batchId}
     WHERE import_record.company_id = ${companyId} AND import_record.id = ${id}`);
}
