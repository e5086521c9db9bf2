import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import type { Hash } from '../../../platform/merkle-tree.ts';
import type { BranchKey } from '../../access/access.ts';

export async function insertCheckpoint(
  sql: Sql,
  { companyId, branchId }: BranchKey,
  { position, root, note }: { readonly position: number; readonly root: Hash; readonly note: string },
): Promise<void> {
  await sql.run(SQL`
    INSERT INTO seal_checkpoint (company_id, branch_id, position, root, note)
    VALUES (${companyId}, ${branchId}, ${position}, ${root}, ${note})`);
}
