import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';

export type LookupKind = 'CNPJ' | 'CEP';

/** What was found in the last 24 hours. */
export async function selectFound<Found>(sql: Sql, kind: LookupKind, key: string): Promise<Found | undefined> {
  const row = await sql.maybe<{ answer: Found }>(SQL`
    SELECT lookup_cache.answer FROM lookup_cache
     WHERE lookup_cache.kind = ${kind} AND lookup_cache.key = ${key}
       AND lookup_cache.fetched_at > now() - interval '24 hours'`);
  return row?.answer;
}

/** Stores a response and deletes those older than a day. */
export async function saveFound(sql: Sql, kind: LookupKind, key: string, answer: unknown): Promise<void> {
  await sql.run(SQL`DELETE FROM lookup_cache WHERE lookup_cache.fetched_at < now() - interval '24 hours'`);
  await sql.run(SQL`
    INSERT INTO lookup_cache (kind, key, answer) VALUES (${kind}, ${key}, ${JSON.stringify(answer)})
    ON CONFLICT (kind, key) DO UPDATE SET answer = excluded.answer, fetched_at = now()`);
}
