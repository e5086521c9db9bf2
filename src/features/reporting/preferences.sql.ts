import type { Sql } from '../../platform/database/sql.ts';
import { SQL } from '../../platform/database/statement.ts';

export async function upsertPreferences(sql: Sql, userId: number, report: string, preferences: string): Promise<void> {
  await sql.run(SQL`
    INSERT INTO report_preference (user_id, report, preferences) VALUES (${userId}, ${report}, ${preferences})
    ON CONFLICT (user_id, report)
    DO UPDATE SET preferences = excluded.preferences, updated_at = excluded.updated_at`);
}

export async function selectPreferences(sql: Sql, userId: number, report: string): Promise<string | undefined> {
  const row = await sql.maybe<{ preferences: string }>(SQL`
    SELECT report_preference.preferences FROM report_preference
     WHERE report_preference.user_id = ${userId} AND report_preference.report = ${report}`);
  return row?.preferences;
}

/** A user by id or name. */
export async function selectUserId(sql: Sql, idOrName: string): Promise<number | undefined> {
  const row = await sql.maybe<{ id: number }>(SQL`
    SELECT app_user.id FROM app_user
     WHERE app_user.id::text = ${idOrName} OR lower(app_user.username) = lower(${idOrName})
     ORDER BY app_user.id::text = ${idOrName} DESC LIMIT 1`);
  return row?.id;
}
