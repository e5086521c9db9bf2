import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';

/**
 * Gives the committed events their places in the order and returns the last place. Whoever reads events does it first:
 * without readers it happens once a minute, by the cleanup.
 */
export async function publishEvents(sql: Sql): Promise<number> {
  const { reached } = await sql.one<{ reached: number }>(
    SQL.named('publish-events')`SELECT publish_events() AS reached`,
  );
  return reached;
}

/** Removes at most `limit` of the oldest events that are older than that, and returns how many. */
export async function removeOldEvents(sql: Sql, limit: number, days: number): Promise<number> {
  const { removed } = await sql.one<{ removed: number }>(SQL`
    WITH oldest AS (
      SELECT event.company_id, event.position FROM event ORDER BY event.position LIMIT ${limit}
    ), gone AS (
      DELETE FROM event USING oldest
       WHERE event.company_id = oldest.company_id AND event.position = oldest.position
         AND event.at < now() - make_interval(days => ${days})
      RETURNING event.position
    ), marked AS (
      UPDATE event_stream SET removed_position = greatest(event_stream.removed_position, (SELECT max(gone.position) FROM gone))
       WHERE EXISTS (SELECT FROM gone)
    )
    SELECT count(*) AS removed FROM gone`);
  return removed;
}
