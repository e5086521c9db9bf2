import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';

/** Tables whose old rows the cleanup removes, and what goes with them. One that grows for long is not cleaned. */
const CLEANED_TABLES = [
  'compliance_process',
  'console_session',
  'event',
  'event_outbox',
  'idempotency_key',
  'import_file',
  'import_file_piece',
  'job',
  'job_progress',
  'lookup_cache',
  'report_file_piece',
  'signin_failure',
  'used_id_token',
  'webhook_delivery',
];

/** How large a table is, with its indexes and long values, as PostgreSQL last estimated it. */
export interface TableSize {
  readonly table: string;
  readonly rows: number;
  readonly bytes: number;
}

/** Reads the catalogue alone: the tables themselves may be locked. */
export function selectCleanedTables(sql: Sql): Promise<TableSize[]> {
  return sql.rows<TableSize>(SQL.named('cleaned_tables')`
    SELECT sized.relname AS "table", greatest(sized.reltuples, 0)::float8 AS rows,
           (SELECT sum(part.relpages)::float8 FROM pg_class AS part
             WHERE part.oid IN (sized.oid, sized.reltoastrelid)
                OR part.oid IN (SELECT pg_index.indexrelid FROM pg_index
                                 WHERE pg_index.indrelid IN (sized.oid, sized.reltoastrelid)))
             * current_setting('block_size')::float8 AS bytes
      FROM pg_class AS sized
     WHERE sized.relnamespace = 'public'::regnamespace AND sized.relname = ANY (${CLEANED_TABLES}::text[])`);
}
