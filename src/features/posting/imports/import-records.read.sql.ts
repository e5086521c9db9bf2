import { firstDay, type Month } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { type Fragment, SQL } from '../../../platform/database/statement.ts';
import { offsetOf, type PageRequest } from '../../../platform/page-request.ts';
import type { CompanyTenant, Tenant } from '../../access/access.ts';
import type { ImportRecordRow } from './import-records.sql.ts';
import type { RowProblem } from './staged-row.ts';

/**
 * The status of an import as it is now: one without its connection was interrupted and saved nothing. The connections are
 * those of the server that is asked, the records may lie on another; an import that began since they were read has its own.
 */
export async function readImportStatus(sql: Sql): Promise<Fragment> {
  const { readAt, startedAt, connections } = await sql.one<{ readAt: Date; startedAt: Date; connections: number[] }>(
    SQL.named('server-connections')`
      SELECT clock_timestamp() AS "readAt", pg_postmaster_start_time() AS "startedAt",
             ARRAY(SELECT pg_stat_activity.pid FROM pg_stat_activity) AS connections`,
  );
  return SQL`CASE WHEN import_record.status = 'RUNNING' AND import_record.started_at < ${readAt}
   AND (import_record.started_at < ${startedAt} OR import_record.backend_pid <> ALL (${connections}::integer[]))
  THEN 'INTERRUPTED' ELSE import_record.status END`;
}

const importColumns = async (
  sql: Sql,
) => SQL`import_record.id, import_record.kind, import_record.file_name AS "fileName",
  import_record.content_hash AS "contentHash", import_record.batch_id AS "batchId",
  to_char(import_record.month, 'YYYY-MM') AS month, import_record.dry_run AS "dryRun",
  ${await readImportStatus(sql)} AS status,
  import_record.rows_read AS "rowsRead", import_record.rows_refused AS "rowsRefused", import_record.lines,
  import_record.debits, import_record.credits, import_record.control_rows AS "controlRows",
  import_record.control_debits AS "controlDebits", import_record.control_credits AS "controlCredits",
  import_record.message, import_record.requested_by AS "requestedBy", import_record.started_at AS "startedAt",
  import_record.finished_at AS "finishedAt", import_record.undone_at AS "undoneAt",
  import_record.undone_by AS "undoneBy"`;

/** Which imports of a branch are listed: those into a month, or all; those that were only tried, the others, or all. */
export interface ImportFilter {
  readonly month: Month | undefined;
  readonly dryRun: boolean | undefined;
}

/** A page of the imports of a branch, newest first. */
export async function selectImportRecords(
  sql: Sql,
  tenant: Tenant,
  filter: ImportFilter,
  page: PageRequest,
): Promise<ImportRecordRow[]> {
  return sql.rows<ImportRecordRow>(SQL`
    SELECT ${await importColumns(sql)}
      FROM import_record
     WHERE ${isListed(tenant, filter)}
     ORDER BY import_record.id DESC LIMIT ${page.size} OFFSET ${offsetOf(page)}`);
}

export async function countImportRecords(sql: Sql, tenant: Tenant, filter: ImportFilter): Promise<number> {
  const { total } = await sql.one<{ total: number }>(SQL`
    SELECT count(*) AS total FROM import_record
     WHERE ${isListed(tenant, filter)}`);
  return total;
}

function isListed({ companyId, branchId }: Tenant, { month, dryRun }: ImportFilter): Fragment {
  const ofMonth = month === undefined ? SQL`` : SQL`AND import_record.month = ${firstDay(month)}`;
  const tried = dryRun === undefined ? SQL`` : SQL`AND import_record.dry_run = ${dryRun}`;
  return SQL`import_record.company_id = ${companyId} AND import_record.branch_id = ${branchId} ${ofMonth} ${tried}`;
}

/** The faults that a rejected import keeps. */
export async function selectImportProblems(sql: Sql, { companyId }: CompanyTenant, id: number): Promise<RowProblem[]> {
  const row = await sql.maybe<{ problems: RowProblem[] | null }>(SQL`
    SELECT import_record.problems FROM import_record
     WHERE import_record.company_id = ${companyId} AND import_record.id = ${id}`);
  return row?.problems ?? [];
}

export async function selectImportRecord(
  sql: Sql,
  { companyId, branchId }: Tenant,
  id: number,
): Promise<ImportRecordRow | undefined> {
  return sql.maybe<ImportRecordRow>(SQL`
    SELECT ${await importColumns(sql)} FROM import_record
     WHERE import_record.company_id = ${companyId} AND import_record.branch_id = ${branchId}
       AND import_record.id = ${id}`);
}
