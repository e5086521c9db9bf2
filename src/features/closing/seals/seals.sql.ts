import { firstDay, type Month } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { type Fragment, SQL } from '../../../platform/database/statement.ts';
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

export async function selectLogEnd(sql: Sql, key: BranchKey, month: Month): Promise<LogEnd> {
  const { companyId, branchId } = key;
  const ofMonth = SQL`seal.month = ${firstDay(month)}`;
  const last = await selectLastSeal(sql, key, SQL`true`);
  const replaced = last && (await selectLastSeal(sql, key, ofMonth));
  const reopening =
    replaced &&
    (await sql.maybe<{ reason: string }>(SQL.named('seal-reopening')`
      SELECT month_reopening.reason FROM month_reopening
       WHERE month_reopening.company_id = ${companyId} AND month_reopening.branch_id = ${branchId}
         AND month_reopening.month = ${firstDay(month)}
       ORDER BY month_reopening.id DESC LIMIT 1`));
  const names = await sql.one<Pick<LogEnd, 'company' | 'branch'>>(SQL.named('seal-names')`
    SELECT company.code AS company, branch.code AS branch
      FROM branch
      JOIN company ON company.id = branch.company_id
     WHERE branch.company_id = ${companyId} AND branch.id = ${branchId}`);
  return {
    ...names,
    position: last ? last.position + 1 : 0,
    previous: last?.seal ?? null,
    replaces: replaced?.seal ?? null,
    reason: reopening?.reason ?? null,
  };
}

function selectLastSeal(
  sql: Sql,
  { companyId, branchId }: BranchKey,
  condition: Fragment,
): Promise<{ position: number; seal: Hash } | undefined> {
  return sql.maybe(SQL`
    SELECT seal.position, seal.seal FROM seal
     WHERE seal.company_id = ${companyId} AND seal.branch_id = ${branchId} AND ${condition}
     ORDER BY seal.position DESC LIMIT 1`);
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
    SELECT append_seal(${companyId}, ROW(${companyId}, ${branchId}, ${position}, ${firstDay(month)}, ${record.version},
                           ${record.company}, ${record.branch}, ${record.lines}, ${bytes(record.linesRoot)},
                           ${record.balances}, ${bytes(record.balancesRoot)}, ${bytes(record.previous)},
                           ${record.sealedAt}, ${record.sealedBy}, ${bytes(record.replaces)}, ${record.reason},
                           ${seal}, ${keyId}, ${jws})::seal)`);
}
