import type pg from 'pg';

/**
 * In a transaction of the owner in which no trigger runs, but those that are always on. Each command is a message of its own: nodes of
 * a cluster hand on the whole message with each SET LOCAL in it, and never end.
 */
export async function pastTriggers<Result>(owner: pg.Client, work: () => Promise<Result>): Promise<Result> {
  await owner.query('BEGIN');
  try {
    await owner.query('SET LOCAL session_replication_role = replica');
    const result = await work();
    await owner.query('COMMIT');
    return result;
  } catch (error) {
    await owner.query('ROLLBACK');
    throw error;
  }
}
