import type { Sql } from '../../../platform/database/sql.ts';
import { merkleRoot } from '../../../platform/merkle-tree.ts';
import type { LogBranch, SealKeys } from '../../../platform/seal-keys/seal-keys.ts';
import type { BranchKey } from '../../access/access.ts';
import { selectLogLeaves } from './seal-log.read.sql.ts';
import { insertCheckpoint } from './seal-log.sql.ts';

/**
 * Signs the head of a branch's log and keeps it, in the transaction that added the seal at `position`: who shows it needs
 * no private key. @throws SealKeyError
 */
export async function recordCheckpoint(
  sql: Sql,
  keys: SealKeys,
  branch: BranchKey & LogBranch,
  position: number,
): Promise<void> {
  const leaves = await selectLogLeaves(sql, branch, position + 1);
  const root = merkleRoot(leaves);
  const note = await keys.signCheckpoint(branch, leaves.length, root);
  await insertCheckpoint(sql, branch, { position, root, note });
}
