import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import type { Hash } from '../../../platform/merkle-tree.ts';
import type { BranchKey } from '../../access/access.ts';

export interface UnstampedSeal extends BranchKey {
  readonly position: number;
  readonly seal: Hash;
}

/** Seals of any company without a timestamp, the newest first. */
export function selectUnstamped(sql: Sql, limit: number): Promise<UnstampedSeal[]> {
  return sql.rows<UnstampedSeal>(SQL`
    SELECT seal.company_id AS "companyId", seal.branch_id AS "branchId", seal.position, seal.seal
      FROM seal
     WHERE NOT EXISTS (SELECT 1 FROM seal_timestamp
                        WHERE seal_timestamp.company_id = seal.company_id AND seal_timestamp.branch_id = seal.branch_id
                          AND seal_timestamp.position = seal.position)
     ORDER BY seal.sealed_at DESC, seal.company_id, seal.branch_id
     LIMIT ${limit}`);
}

/** Of two processes that asked at once the first one's stays. */
export async function insertTimestamp(
  sql: Sql,
  { companyId, branchId, position }: Omit<UnstampedSeal, 'seal'>,
  token: Buffer,
): Promise<void> {
  await sql.run(SQL`
    INSERT INTO seal_timestamp (company_id, branch_id, position, token)
    VALUES (${companyId}, ${branchId}, ${position}, ${token})
    ON CONFLICT (company_id, branch_id, position) DO NOTHING`);
}
