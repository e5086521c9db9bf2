import { reject } from '../../accounting/problem.ts';
import { recordRef } from '../../accounting/record-name.ts';
import type { Context } from '../../platform/context.ts';
import { selectPreferences, selectUserId, upsertPreferences } from './preferences.sql.ts';

/** Saves a user's preferences for a report, as JSON text. */
export async function savePreferences(
  context: Context,
  user: string,
  report: string,
  preferences: string,
): Promise<void> {
  const userId = await userIdOf(context, user);
  await context.transaction((sql) => upsertPreferences(sql, userId, report, preferences));
}

/** The saved JSON text; an empty object where there is none. */
export async function readPreferences(context: Context, user: string, report: string): Promise<string> {
  return (await selectPreferences(context.sql, await userIdOf(context, user), report)) ?? '{}';
}

/** Preferences are the user's own; administrators may read and change all. */
async function userIdOf({ caller, sql }: Context, user: string): Promise<number> {
  if (user === String(caller.id) || user.toLowerCase() === caller.username.toLowerCase()) return caller.id;
  if (!caller.admin) reject('ADMIN_ONLY');
  return (await selectUserId(sql, user)) ?? reject('NOT_FOUND', recordRef('User', user), 'user');
}
