import { type Centavos, decimalOf } from '../../../accounting/money.ts';
import { firstDay, type Month } from '../../../accounting/period.ts';
import type { Context } from '../../../platform/context.ts';
import type { Sql, Transaction } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import type { Tenant } from '../../access/access.ts';
import type { ControlTotals } from './control-totals.ts';
import type { RowProblem } from './staged-row.ts';

export interface ImportRecordRow {
  readonly id: number;
  readonly kind: 'CSV' | 'IPL' | 'JSON' | 'ECD';
  readonly fileName: string;
  readonly contentHash: string;
  readonly batchId: number | null;
  /** null where the import is older than this column. */
  readonly month: Month | null;
  readonly dryRun: boolean;
  readonly status: 'PENDING' | 'RUNNING' | 'DONE' | 'REFUSED' | 'INTERRUPTED' | 'UNDONE';
  readonly rowsRead: number;
  readonly rowsRefused: number;
  /** Lines written and their sums, NUMERIC text; null where nothing was. */
  readonly lines: number | null;
  readonly debits: string | null;
  readonly credits: string | null;
  /** What the sender said that the file has; null: nothing was said. */
  readonly controlRows: number | null;
  readonly controlDebits: string | null;
  readonly controlCredits: string | null;
  readonly message: string | null;
  readonly requestedBy: string;
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
  readonly undoneAt: Date | null;
  readonly undoneBy: string | null;
}

/** Faults of a file that its record keeps. */
const MAX_KEPT_PROBLEMS = 200;

/** An earlier import of the same content whose batch still exists, or that made many; IPL files also carry a name. */
export function selectEarlierImport(
  sql: Sql,
  tenant: Tenant,
  hash: string,
): Promise<{ id: number; fileName: string } | undefined> {
  return sql.maybe(SQL`
    SELECT import_record.id, import_record.file_name AS "fileName"
      FROM import_record
     WHERE import_record.company_id = ${tenant.companyId} AND import_record.branch_id = ${tenant.branchId}
       AND import_record.content_hash = ${hash}
       AND import_record.status = 'DONE' AND NOT import_record.dry_run
       AND (import_record.kind = 'ECD'
            OR EXISTS (SELECT 1 FROM batch
                        WHERE batch.company_id = ${tenant.companyId} AND batch.id = import_record.batch_id))
     ORDER BY import_record.id DESC LIMIT 1`);
}

/** Concurrent imports of one content: the first locks the others' records until it ends; they then find it done. */
export async function lockContent(sql: Transaction, tenant: Tenant, hash: string): Promise<void> {
  await sql.run(SQL`
    SELECT import_record.id FROM import_record
     WHERE import_record.company_id = ${tenant.companyId} AND import_record.branch_id = ${tenant.branchId}
       AND import_record.content_hash = ${hash}
       AND import_record.status = 'RUNNING'
     ORDER BY import_record.id FOR NO KEY UPDATE`);
}

/** Shown to readers at once, outside of the import's own transaction. */
export async function startImportRecord(
  context: Context,
  tenant: Tenant,
  record: {
    kind: 'CSV' | 'IPL' | 'JSON';
    month: Month;
    fileName: string;
    hash: string;
    dryRun: boolean;
    backendPid: number;
    batchId?: number;
    control?: ControlTotals | undefined;
  },
): Promise<number> {
  const { control } = record;
  const row = await context.outOfBand.one<{ id: number }>(SQL`
    INSERT INTO import_record (company_id, branch_id, kind, month, file_name, content_hash, dry_run, backend_pid,
                               batch_id, control_rows, control_debits, control_credits, requested_by)
    VALUES (${tenant.companyId}, ${tenant.branchId}, ${record.kind}, ${firstDay(record.month)}, ${record.fileName},
            ${record.hash}, ${record.dryRun}, ${record.backendPid},
            ${record.batchId ?? null}, ${control?.rows ?? null}, ${sqlAmount(control?.debits)}, ${sqlAmount(control?.credits)}, ${context.caller.username})
    RETURNING import_record.id`);
  return row.id;
}

/** Progress of an import; skipped while another import of the same content has locked its record. */
export async function reportRowsRead(sql: Sql, tenant: Tenant, id: number, rowsRead: number): Promise<void> {
  await sql.run(SQL`
    UPDATE import_record SET rows_read = ${rowsRead}
     WHERE import_record.company_id = ${tenant.companyId}
       AND import_record.id IN (SELECT told.id FROM import_record AS told
                                 WHERE told.company_id = ${tenant.companyId} AND told.id = ${id}
                                   AND told.status = 'RUNNING'
                                   FOR NO KEY UPDATE SKIP LOCKED)`);
}

/** What an import has written. */
export interface WrittenImport {
  /** The first one; null: balances alone. */
  readonly batchId: number | null;
  readonly lines: number;
  /** Sums of its lines, NUMERIC text. */
  readonly debits: string;
  readonly credits: string;
}

/** An ended import ignores late reports. */
export async function updateImportRecord(
  sql: Sql,
  tenant: Tenant,
  id: number,
  change: {
    status: 'DONE' | 'REFUSED';
    rowsRead: number;
    rowsRefused?: number;
    written?: WrittenImport | undefined;
    message?: string | undefined;
    problems?: readonly RowProblem[] | undefined;
  },
): Promise<void> {
  const problems = change.problems?.slice(0, MAX_KEPT_PROBLEMS);
  await sql.run(SQL`
    UPDATE import_record
       SET status = ${change.status}, rows_read = ${change.rowsRead}, rows_refused = ${change.rowsRefused ?? 0},
           batch_id = coalesce(${change.written?.batchId ?? null}, import_record.batch_id),
           lines = ${change.written?.lines ?? null}, debits = ${change.written?.debits ?? null},
           credits = ${change.written?.credits ?? null}, message = ${change.message ?? null},
           problems = ${problems ? JSON.stringify(problems, storable) : null}, finished_at = now()
     WHERE import_record.company_id = ${tenant.companyId} AND import_record.id = ${id}
       AND import_record.status = 'RUNNING'`);
}

/** jsonb takes neither NUL nor half of a character, of which a file can be full. */
function storable(_name: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\uFFFD') : value;
}

export async function backendPid(sql: Transaction): Promise<number> {
  const row = await sql.one<{ pid: number }>(SQL`SELECT pg_backend_pid() AS pid`);
  return row.pid;
}

function sqlAmount(amount: Centavos | undefined): string | null {
  return amount === undefined ? null : decimalOf(amount);
}
