import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';

/** Chains rows of the trail that are not yet, at most so many; returns how many (migration 0035). */
export async function chainAudit(sql: Sql, most: number, settlingSeconds: number): Promise<number> {
  const { added } = await sql.one<{ added: number }>(
    SQL`SELECT chain_audit(${most}, make_interval(secs => ${settlingSeconds})) AS added`,
  );
  return added;
}

/** Keeps a signed end beside the chain. */
export async function keepAuditHead(sql: Sql, position: number, jws: string): Promise<void> {
  await sql.rows(SQL`SELECT keep_audit_head(${position}, ${jws})`);
}
