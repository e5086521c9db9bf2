import { randomBytes } from 'node:crypto';
import type { Database } from '../../platform/database/database.ts';
import { systemSql } from '../../platform/database/system-scope.ts';
import { hashPassword } from './passwords.ts';
import { hasAdministrator } from './users.read.sql.ts';
import { insertAdministrator } from './users.sql.ts';

/**
 * Makes the administrator at the first start. Without a configured password it generates one and returns it, to be
 * shown once.
 */
export async function ensureAdministrator(
  database: Database,
  username: string,
  password: string | undefined,
): Promise<string | undefined> {
  return systemSql(database).transaction(async (sql) => {
    if (await hasAdministrator(sql)) return undefined;
    const generated = password === undefined ? randomBytes(15).toString('base64url') : undefined;
    const inserted = await insertAdministrator(sql, username, await hashPassword(password ?? generated!));
    // Another program was faster: its administrator is used.
    return inserted ? generated : undefined;
  });
}
