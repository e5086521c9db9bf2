import { reject } from '../../../accounting/problem.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { consistencyPath, type Hash, merkleRoot } from '../../../platform/merkle-tree.ts';
import type { BranchKey } from '../../access/access.ts';
import { selectCheckpoint, selectLogLeaves } from './seal-log.read.sql.ts';

/** The signed head of the branch's log, or that of its first `size` seals. @throws BusinessError if there is none */
export async function readCheckpoint(sql: Sql, branch: BranchKey, size?: number): Promise<string> {
  return (
    (await selectCheckpoint(sql, branch, size)) ?? reject('NO_SUCH_HEAD', {}, size === undefined ? undefined : 'size')
  );
}

export interface ConsistencyProof {
  readonly from: { readonly size: number; readonly root: Hash };
  readonly to: { readonly size: number; readonly root: Hash };
  readonly path: readonly Hash[];
}

/** Proves that the log of the first `from` seals is the beginning of that of the first `to`. @throws BusinessError */
export async function proveConsistency(
  sql: Sql,
  branch: BranchKey,
  from: number,
  to: number,
): Promise<ConsistencyProof> {
  const leaves = await selectLogLeaves(sql, branch, to);
  if (leaves.length < to) reject('NO_SUCH_HEAD', {}, 'to');
  if (from > to) reject('NO_SUCH_HEAD', {}, 'from');
  return {
    from: { size: from, root: merkleRoot(leaves.slice(0, from)) },
    to: { size: to, root: merkleRoot(leaves) },
    path: await consistencyPath(leaves, from, to),
  };
}
