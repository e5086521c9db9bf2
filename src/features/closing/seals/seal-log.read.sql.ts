import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import type { Hash } from '../../../platform/merkle-tree.ts';
import type { BranchKey } from '../../access/access.ts';

/** The leaves of a branch's log, which are its seals: the first `size` of them. */
export async function selectLogLeaves(sql: Sql, { companyId, branchId }: BranchKey, size: number): Promise<Hash[]> {
  const rows = await sql.rows<{ seal: Hash }>(SQL`
    SELECT seal.seal FROM seal
     WHERE seal.company_id = ${companyId} AND seal.branch_id = ${branchId} AND seal.position < ${size}
     ORDER BY seal.position`);
  return rows.map(({ seal }) => seal);
}

/** The signed head of a branch's log: the newest, or that of so many seals. */
export async function selectCheckpoint(
  sql: Sql,
  { companyId, branchId }: BranchKey,
  size: number | undefined,
): Promise<string | undefined> {
  const found = await sql.maybe<{ note: string }>(SQL`
    SELECT seal_checkpoint.note FROM seal_checkpoint
     WHERE seal_checkpoint.company_id = ${companyId} AND seal_checkpoint.branch_id = ${branchId}
       AND (${size ?? null}::bigint IS NULL OR seal_checkpoint.position = ${size ?? null}::bigint - 1)
     ORDER BY seal_checkpoint.position DESC LIMIT 1`);
  return found?.note;
}
