import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import type { Tenant } from '../../access/access.ts';
import type { ImportRecordRow } from './import-records.sql.ts';

/** Imports of a branch, newest first; one without its connection was interrupted and saved nothing. */
export function selectImportRecords(sql: Sql, tenant: Tenant, limit: number): Promise<ImportRecordRow[]> {
  return sql.rows<ImportRecordRow>(SQL`
    SELECT import_record.id, import_record.kind, import_record.file_name AS "fileName",
           import_record.content_hash AS "contentHash", import_record.batch_id AS "batchId",
           import_record.dry_run AS "dryRun",
           CASE WHEN import_record.status = 'RUNNING'
                 AND (import_record.started_at < pg_postmaster_start_time()
                      OR NOT EXISTS (SELECT 1 FROM pg_stat_activity
                                      WHERE pg_stat_activity.pid = import_record.backend_pid))
                THEN 'INTERRUPTED' ELSE import_record.status END AS status,
           import_record.rows_read AS "rowsRead", import_record.rows_refused AS "rowsRefused",
           import_record.message, import_record.requested_by AS "requestedBy",
           import_record.started_at AS "startedAt", import_record.finished_at AS "finishedAt"
      FROM import_record
     WHERE import_record.company_id = ${tenant.companyId} AND import_record.branch_id = ${tenant.branchId}
     ORDER BY import_record.id DESC LIMIT ${limit}`);
}
