import type { Month } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { type Fragment, SQL } from '../../../platform/database/statement.ts';
import type { BranchKey } from '../../access/access.ts';
import type { SealRecord } from '../seals/seal-record.ts';

/** A seal as its row says it; hashes in hexadecimal. */
export interface StoredSeal extends SealRecord {
  readonly position: number;
  readonly seal: string;
  readonly jws: string;
}

const SEAL = SQL`
           seal.position, seal.company, seal.branch, to_char(seal.month, 'YYYY') AS year,
           to_char(seal.month, 'MM') AS month, seal.version, seal.lines, encode(seal.lines_root, 'hex') AS "linesRoot",
           seal.balances, encode(seal.balances_root, 'hex') AS "balancesRoot", encode(seal.previous, 'hex') AS previous,
           to_char(seal.sealed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "sealedAt",
           seal.sealed_by AS "sealedBy", encode(seal.replaces, 'hex') AS replaces, seal.reason,
           encode(seal.seal, 'hex') AS seal, seal.jws`;

/** The log of a branch, in its order. */
export function selectSealLog(sql: Sql, { companyId, branchId }: BranchKey): Promise<StoredSeal[]> {
  return sql.rows<StoredSeal>(SQL`
    SELECT ${SEAL} FROM seal
     WHERE seal.company_id = ${companyId} AND seal.branch_id = ${branchId} ORDER BY seal.position`);
}

/** The seals that carry this hash, of branches with these codes when they were sealed. */
export function selectSealsNamed(sql: Sql, company: string, branch: string, seal: string): Promise<StoredSeal[]> {
  return sql.rows<StoredSeal>(SQL`
    SELECT ${SEAL} FROM seal
     WHERE seal.company = ${company} AND seal.branch = ${branch} AND seal.seal = decode(${seal}, 'hex')
     LIMIT 2`);
}

/** A month with what its seals must be: one of its first close, and one of each close after a reopening. */
export interface SealedState {
  readonly month: Month;
  readonly state: 'OPEN' | 'CLOSED';
  /** It was closed before seals were. */
  readonly isOlder: boolean;
  /** Reopenings since its first seal. */
  readonly reopenings: number;
}

export function selectSealedStates(sql: Sql, { companyId, branchId }: BranchKey): Promise<SealedState[]> {
  const sealed: Fragment = SQL`(SELECT min(seal.sealed_at) FROM seal
                   WHERE seal.company_id = ${companyId} AND seal.branch_id = ${branchId} AND seal.month = month.month)`;
  return sql.rows<SealedState>(SQL`
    SELECT to_char(month.month, 'YYYY-MM') AS month, month.state,
           coalesce(month.closed_at < (SELECT migration.run_on FROM migration WHERE migration.name = '0033-seals'), false)
             AS "isOlder",
           (SELECT count(*) FROM month_reopening
             WHERE month_reopening.company_id = ${companyId} AND month_reopening.branch_id = ${branchId}
               AND month_reopening.month = month.month AND month_reopening.reopened_at > ${sealed}) AS reopenings
      FROM month
     WHERE month.company_id = ${companyId} AND month.branch_id = ${branchId}
     ORDER BY month.month`);
}

/** The seal of a month that is in force; undefined: it has none. */
export async function selectLastSeal(sql: Sql, branch: BranchKey, month: Month): Promise<StoredSeal | undefined> {
  const [last] = await sql.rows<StoredSeal>(SQL`
    SELECT ${SEAL} FROM seal
     WHERE seal.company_id = ${branch.companyId} AND seal.branch_id = ${branch.branchId}
       AND to_char(seal.month, 'YYYY-MM') = ${month}
     ORDER BY seal.position DESC LIMIT 1`);
  return last;
}

/** Roots of the signed heads of the branch's log, in hexadecimal. */
export function selectCheckpointRoots(
  sql: Sql,
  { companyId, branchId }: BranchKey,
): Promise<{ position: number; root: string }[]> {
  return sql.rows<{ position: number; root: string }>(SQL`
    SELECT seal_checkpoint.position, encode(seal_checkpoint.root, 'hex') AS root
      FROM seal_checkpoint
     WHERE seal_checkpoint.company_id = ${companyId} AND seal_checkpoint.branch_id = ${branchId}
     ORDER BY seal_checkpoint.position`);
}
