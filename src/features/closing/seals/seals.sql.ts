import { firstDay, type Month } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import type { Hash } from '../../../platform/merkle-tree.ts';
import type { BranchKey } from '../../access/access.ts';
import type { SealRecord } from './seal-record.ts';

/** Where the log of a branch goes on, and what the next seal of a month says beside its roots. */
export interface LogEnd {
  readonly company: string;
  readonly branch: string;
  /** Of the next seal. */
  readonly position: number;
  readonly previous: Hash | null;
  /** The month's last seal; null: it has none. */
  readonly replaces: Hash | null;
  /** Why the month was opened again since then. */
  readonly reason: string | null;
}

/** Waits for whoever seals another month of the branch, and holds the log until the end of the transaction. */
export async function lockSealLog(sql: Sql, { branchId }: BranchKey): Promise<void> {
  await sql.rows(
    SQL.named('lock-seal-log')`SELECT pg_advisory_xact_lock(hashint8extended(${branchId}, ${LOG_SEED})) AS turn`,
  );
}

/** Of locks of months it is the days since 2000: none is so far before. */
const LOG_SEED = -10_000_000;

export function selectLogEnd(sql: Sql, { companyId, branchId }: BranchKey, month: Month): Promise<LogEnd> {
  return sql.one<LogEnd>(SQL.named('seal-log-end')`
    SELECT company.code AS company, branch.code AS branch, coalesce(last.position + 1, 0) AS position,
           last.seal AS previous, replaced.seal AS replaces,
           CASE WHEN replaced.seal IS NOT NULL THEN reopening.reason END AS reason
      FROM branch
      JOIN company ON company.id = branch.company_id
      LEFT JOIN LATERAL (
        SELECT seal.position, seal.seal FROM seal
         WHERE seal.company_id = branch.company_id AND seal.branch_id = branch.id
         ORDER BY seal.position DESC LIMIT 1) AS last ON true
      LEFT JOIN LATERAL (
        SELECT seal.seal FROM seal
         WHERE seal.company_id = branch.company_id AND seal.branch_id = branch.id AND seal.month = ${firstDay(month)}
         ORDER BY seal.position DESC LIMIT 1) AS replaced ON true
      LEFT JOIN LATERAL (
        SELECT month_reopening.reason FROM month_reopening
         WHERE month_reopening.company_id = branch.company_id AND month_reopening.branch_id = branch.id
           AND month_reopening.month = ${firstDay(month)}
         ORDER BY month_reopening.id DESC LIMIT 1) AS reopening ON true
     WHERE branch.company_id = ${companyId} AND branch.id = ${branchId}`);
}

export interface NewSeal {
  readonly record: SealRecord;
  readonly seal: Hash;
  readonly position: number;
  readonly keyId: string;
  readonly jws: string;
}

/** By the owner's function, which checks the place in the log and that the month is closed. */
export async function appendSeal(
  sql: Sql,
  { companyId, branchId }: BranchKey,
  month: Month,
  { record, seal, position, keyId, jws }: NewSeal,
): Promise<void> {
  const bytes = (hex: string | null) => (hex === null ? null : Buffer.from(hex, 'hex'));
  await sql.rows(SQL.named('append-seal')`
    SELECT append_seal(ROW(${companyId}, ${branchId}, ${position}, ${firstDay(month)}, ${record.version},
                           ${record.company}, ${record.branch}, ${record.lines}, ${bytes(record.linesRoot)},
                           ${record.balances}, ${bytes(record.balancesRoot)}, ${bytes(record.previous)},
                           ${record.sealedAt}, ${record.sealedBy}, ${bytes(record.replaces)}, ${record.reason},
                           ${seal}, ${keyId}, ${jws})::seal)`);
}
