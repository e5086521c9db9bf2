import { type Month, monthNumberOf, yearOf } from '../../../accounting/period.ts';
import { SEAL_VERSION } from '../../../accounting/seal-leaf.ts';
import type { Transaction } from '../../../platform/database/sql.ts';
import type { SealKeys } from '../../../platform/seal-keys/seal-keys.ts';
import type { BranchKey } from '../../access/access.ts';
import { recordEvents } from '../../operations/events/record-events.sql.ts';
import type { MonthRoots } from './month-roots.ts';
import { recordCheckpoint } from './record-checkpoint.ts';
import { recordBytes, type SealRecord, sealOf } from './seal-record.ts';
import { appendSeal, lockSealLog, selectLogEnd } from './seals.sql.ts';

/** By whom a month is sealed, and when. */
export interface Sealer {
  readonly keys: SealKeys;
  readonly sealedBy: string;
  readonly sealedAt: Date;
}

/** Signs what the closed month is and appends it to the branch's log, in the transaction that closed it; returns the seal. @throws SealKeyError */
export async function sealMonth(
  sql: Transaction,
  branch: BranchKey,
  month: Month,
  roots: MonthRoots,
  sealer: Sealer,
): Promise<string> {
  await lockSealLog(sql, branch);
  const { position, ...end } = await selectLogEnd(sql, branch, month);
  const record: SealRecord = {
    company: end.company,
    branch: end.branch,
    year: String(yearOf(month)),
    month: String(monthNumberOf(month)).padStart(2, '0'),
    version: SEAL_VERSION,
    lines: roots.lines,
    linesRoot: roots.linesRoot.toString('hex'),
    balances: roots.balances,
    balancesRoot: roots.balancesRoot.toString('hex'),
    previous: end.previous?.toString('hex') ?? null,
    sealedAt: sealer.sealedAt.toISOString(),
    sealedBy: sealer.sealedBy,
    replaces: end.replaces?.toString('hex') ?? null,
    reason: end.reason,
  };
  const jws = await sealer.keys.sign(recordBytes(record));
  const seal = sealOf(record);
  await appendSeal(sql, branch, month, { record, seal, position, keyId: keyIdOf(jws), jws });
  await recordCheckpoint(sql, sealer.keys, { ...branch, company: record.company, branch: record.branch }, position);
  const name = seal.toString('hex');
  recordEvents(sql, [{ type: 'month.sealed', ...branch, data: { month, seal: name } }]);
  return name;
}

/** `kid` of a compact JWS. */
function keyIdOf(jws: string): string {
  const header = JSON.parse(Buffer.from(jws.slice(0, jws.indexOf('.')), 'base64url').toString());
  return header.kid;
}
