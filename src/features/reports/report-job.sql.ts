import type { Caller } from '../../platform/context.ts';
import type { Transaction } from '../../platform/sql.ts';
import { REPORT } from './report-job.read.sql.ts';

/**
 * How many reports of that user wait or are printed, in all companies. Requests of one user that come at once are counted
 * one after the other; a lock of the user's row would need the right to change it.
 */
export async function countReportsUnderWay(sql: Transaction, { id, username }: Caller): Promise<number> {
  await sql.run({ text: `SELECT pg_advisory_xact_lock(hashtextextended('reports of user', $1))`, values: [id] });
  const { count } = await sql.one<{ count: number }>({
    text: `SELECT count(*) AS count FROM job
            WHERE job.kind = $1 AND job.requested_by = $2 AND job.status IN ('PENDING', 'RUNNING')`,
    values: [REPORT, username],
  });
  return count;
}
