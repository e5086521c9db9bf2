import type { Sql } from '../../platform/database/sql.ts';
import { SQL } from '../../platform/database/statement.ts';

/** Whether nobody used the token before; of several at the same moment, one did not. */
export async function insertUsedIdToken(
  sql: Sql,
  token: { provider: string; tokenId: string; expiresAt: Date },
): Promise<boolean> {
  const inserted = await sql.run(SQL`
    INSERT INTO used_id_token (provider, token_id, expires_at)
    VALUES (${token.provider}, ${token.tokenId}, ${token.expiresAt}) ON CONFLICT DO NOTHING`);
  return inserted === 1;
}

export async function deleteUsedIdTokensBefore(sql: Sql, moment: Date): Promise<void> {
  await sql.run(SQL`DELETE FROM used_id_token WHERE used_id_token.expires_at <= ${moment}`);
}
