import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';

/** Two processes that start at once on a new database must agree on the keys. */
export async function lockSealKeys(sql: Sql): Promise<void> {
  await sql.run(SQL`SELECT pg_advisory_xact_lock(hashtextextended('partidas seal keys', 0))`);
}

/** The oldest first; those registered together by their ids. */
export async function selectSealKeyIds(sql: Sql): Promise<string[]> {
  const rows = await sql.rows<{ kid: string }>(SQL`
    SELECT seal_key.kid FROM seal_key ORDER BY seal_key.registered_at, seal_key.kid COLLATE "C"`);
  return rows.map(({ kid }) => kid);
}

export async function insertSealKeyIds(sql: Sql, kids: readonly string[]): Promise<void> {
  await sql.run(SQL`
    INSERT INTO seal_key (kid) SELECT unnest(${kids}::text[]) ON CONFLICT (kid) DO NOTHING`);
}
