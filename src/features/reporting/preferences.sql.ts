import type { Sql } from '../../platform/database/sql.ts';

export async function upsertPreferences(sql: Sql, userId: number, report: string, preferences: string): Promise<void> {
  await sql.run({
    text: `INSERT INTO report_preference (user_id, report, preferences) VALUES ($1, $2, $3)
           ON CONFLICT (user_id, report)
           DO UPDATE SET preferences = excluded.preferences, updated_at = now()`,
    values: [userId, report, preferences],
  });
}

export async function selectPreferences(sql: Sql, userId: number, report: string): Promise<string | undefined> {
  const row = await sql.maybe<{ preferences: string }>({
    text: `SELECT report_preference.preferences FROM report_preference
            WHERE report_preference.user_id = $1 AND report_preference.report = $2`,
    values: [userId, report],
  });
  return row?.preferences;
}

/** A user by id or name. */
export async function selectUserId(sql: Sql, idOrName: string): Promise<number | undefined> {
  const row = await sql.maybe<{ id: number }>({
    text: `SELECT app_user.id FROM app_user
            WHERE app_user.id::text = $1 OR lower(app_user.username) = lower($1)
            ORDER BY app_user.id::text = $1 DESC LIMIT 1`,
    values: [idOrName],
  });
  return row?.id;
}
