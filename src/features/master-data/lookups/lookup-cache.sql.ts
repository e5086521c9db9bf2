import type { Sql } from '../../../platform/database/sql.ts';

export type LookupKind = 'CNPJ' | 'CEP';

/** What was found in the last 24 hours. */
export async function selectFound<Found>(sql: Sql, kind: LookupKind, key: string): Promise<Found | undefined> {
  const row = await sql.maybe<{ answer: Found }>({
    text: `SELECT lookup_cache.answer FROM lookup_cache
            WHERE lookup_cache.kind = $1 AND lookup_cache.key = $2
              AND lookup_cache.fetched_at > now() - interval '24 hours'`,
    values: [kind, key],
  });
  return row?.answer;
}

/** Keeps what was found; what is older than a day goes. */
export async function saveFound(sql: Sql, kind: LookupKind, key: string, answer: unknown): Promise<void> {
  await sql.run({ text: `DELETE FROM lookup_cache WHERE lookup_cache.fetched_at < now() - interval '24 hours'` });
  await sql.run({
    text: `INSERT INTO lookup_cache (kind, key, answer) VALUES ($1, $2, $3)
           ON CONFLICT (kind, key) DO UPDATE SET answer = excluded.answer, fetched_at = now()`,
    values: [kind, key, JSON.stringify(answer)],
  });
}
