import type { Context } from '../../../platform/context.ts';
import type { Sql, Transaction } from '../../../platform/database/sql.ts';
import type { Tenant } from '../../access/access.ts';

export interface ImportRecordRow {
  readonly id: number;
  readonly kind: 'CSV' | 'IPL' | 'JSON';
  readonly fileName: string;
  readonly contentHash: string;
  readonly batchId: number | null;
  readonly dryRun: boolean;
  readonly status: 'RUNNING' | 'DONE' | 'REFUSED' | 'INTERRUPTED';
  readonly rowsRead: number;
  readonly rowsRefused: number;
  readonly message: string | null;
  readonly requestedBy: string;
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
}

/** An earlier import of the same content whose batch still exists; IPL files also carry a name. */
export function selectEarlierImport(sql: Sql, tenant: Tenant, hash: string): Promise<{ fileName: string } | undefined> {
  return sql.maybe({
    text: `SELECT import_record.file_name AS "fileName"
             FROM import_record
            WHERE import_record.company_id = $1 AND import_record.branch_id = $2 AND import_record.content_hash = $3
              AND import_record.status = 'DONE' AND NOT import_record.dry_run
              AND EXISTS (SELECT 1 FROM batch
                           WHERE batch.company_id = import_record.company_id AND batch.id = import_record.batch_id)
            ORDER BY import_record.id DESC LIMIT 1`,
    values: [tenant.companyId, tenant.branchId, hash],
  });
}

/**
 * Imports of one content at the same time: the first to come here holds the others' records until it ends, and they find
 * it done.
 */
export async function lockContent(sql: Transaction, tenant: Tenant, hash: string): Promise<void> {
  await sql.run({
    text: `SELECT import_record.id FROM import_record
            WHERE import_record.company_id = $1 AND import_record.branch_id = $2 AND import_record.content_hash = $3
              AND import_record.status = 'RUNNING'
            ORDER BY import_record.id FOR NO KEY UPDATE`,
    values: [tenant.companyId, tenant.branchId, hash],
  });
}

/** Shown to readers at once, outside of the import's own transaction. */
export async function startImportRecord(
  context: Context,
  tenant: Tenant,
  record: { kind: 'CSV' | 'IPL' | 'JSON'; fileName: string; hash: string; dryRun: boolean; backendPid: number },
): Promise<number> {
  const row = await context.outOfBand.one<{ id: number }>({
    text: `INSERT INTO import_record (company_id, branch_id, kind, file_name, content_hash, dry_run, backend_pid, requested_by)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING import_record.id`,
    values: [
      tenant.companyId,
      tenant.branchId,
      record.kind,
      record.fileName,
      record.hash,
      record.dryRun,
      record.backendPid,
      context.caller.username,
    ],
  });
  return row.id;
}

/** How far an import is; not while somebody waits for its end, and holds its record. */
export async function reportRowsRead(sql: Sql, tenant: Tenant, id: number, rowsRead: number): Promise<void> {
  await sql.run({
    text: `UPDATE import_record SET rows_read = $3
            WHERE import_record.company_id = $1
              AND import_record.id IN (SELECT told.id FROM import_record AS told
                                        WHERE told.company_id = $1 AND told.id = $2 AND told.status = 'RUNNING'
                                          FOR NO KEY UPDATE SKIP LOCKED)`,
    values: [tenant.companyId, id, rowsRead],
  });
}

/** What has ended stays so, whatever is told late. */
export async function updateImportRecord(
  sql: Sql,
  tenant: Tenant,
  id: number,
  change: {
    status: 'DONE' | 'REFUSED';
    rowsRead: number;
    rowsRefused?: number;
    batchId?: number | undefined;
    message?: string | undefined;
  },
): Promise<void> {
  await sql.run({
    text: `UPDATE import_record
              SET status = $3, rows_read = $4, rows_refused = $5, batch_id = coalesce($6, import_record.batch_id),
                  message = $7, finished_at = now()
            WHERE import_record.company_id = $1 AND import_record.id = $2 AND import_record.status = 'RUNNING'`,
    values: [
      tenant.companyId,
      id,
      change.status,
      change.rowsRead,
      change.rowsRefused ?? 0,
      change.batchId ?? null,
      change.message ?? null,
    ],
  });
}

export async function backendPid(sql: Transaction): Promise<number> {
  const row = await sql.one<{ pid: number }>({ text: 'SELECT pg_backend_pid() AS pid' });
  return row.pid;
}
