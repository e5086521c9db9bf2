import type { Sql } from '../../platform/database/sql.ts';
import { SQL } from '../../platform/database/statement.ts';

/** How the server archives its log. */
export interface Archiver {
  /** Attempts that failed since the server began to count. */
  readonly failures: number;
  /** Whether the last attempt failed: segments wait, and take room on the database's disk. */
  readonly failing: boolean;
  /** Seconds since the last segment was archived, or since the server began to count. */
  readonly age: number;
}

/** undefined where the log is not archived. */
export function selectArchiver(sql: Sql): Promise<Archiver | undefined> {
  return sql.maybe<Archiver>(SQL.named('archiver')`
    SELECT pg_stat_archiver.failed_count AS failures,
           coalesce(pg_stat_archiver.last_failed_time > pg_stat_archiver.last_archived_time,
                    pg_stat_archiver.last_failed_time IS NOT NULL) AS failing,
           extract(epoch FROM clock_timestamp()
             - coalesce(pg_stat_archiver.last_archived_time, pg_stat_archiver.stats_reset))::float8 AS age
      FROM pg_stat_archiver
     WHERE current_setting('archive_mode') <> 'off'`);
}
