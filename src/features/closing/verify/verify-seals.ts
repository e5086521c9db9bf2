import type { Sql, Transaction } from '../../../platform/database/sql.ts';
import { merkleRoot } from '../../../platform/merkle-tree.ts';
import type { BranchKey } from '../../access/access.ts';
import type { MonthKey } from '../../posting/months/months.sql.ts';
import { readMonthRoots } from '../seals/month-roots.ts';
import { recordBytes, type SealRecord, sealOf } from '../seals/seal-record.ts';
import type { Finding } from './difference.ts';
import {
  type SealedState,
  type StoredSeal,
  selectCheckpointRoots,
  selectLastSeal,
  selectSealedStates,
  selectSealLog,
  selectSealsNamed,
} from './seal-facts.read.sql.ts';

/** The payload of a JWS that one of the keys signed. */
export type ReadSigned = (jws: string) => Buffer | undefined;

/** A closed month against its seal: the roots of its lines and balances as they are now. */
export async function verifyMonthSeal(sql: Transaction, key: MonthKey, archived: boolean): Promise<Finding[]> {
  const seal = await selectLastSeal(sql, key, key.month);
  if (seal === undefined) return [];
  const roots = await readMonthRoots(sql, { ...key, archived });
  const compared = [
    ['lines', String(seal.lines), String(roots.lines)],
    ['root of the lines', seal.linesRoot, roots.linesRoot.toString('hex')],
    ['balances', String(seal.balances), String(roots.balances)],
    ['root of the balances', seal.balancesRoot, roots.balancesRoot.toString('hex')],
  ] as const;
  return compared
    .filter(([, expected, found]) => expected !== found)
    .map(([what, expected, found]) => ({ kind: 'SEAL', what, expected, found }));
}

/** The log of a branch: every record, its hash and signature, the chain, and that no closed month lacks its seal. */
export async function verifySealLog(sql: Sql, branch: BranchKey, read: ReadSigned): Promise<Finding[]> {
  const log = await selectSealLog(sql, branch);
  const states = await selectSealedStates(sql, branch);
  const roots = await selectCheckpointRoots(sql, branch);
  const leaves = log.map(({ seal }) => Buffer.from(seal, 'hex'));
  const heads = roots.flatMap(({ position, root }): Finding[] => {
    const expected = merkleRoot(leaves.slice(0, position + 1)).toString('hex');
    return expected === root
      ? []
      : [{ kind: 'SEAL_CHAIN', what: `head of ${position + 1} seals`, expected, found: root }];
  });
  return [
    ...log.flatMap((seal, at) => wrongSeal(seal, log.slice(0, at), read)),
    ...missingSeals(log, states),
    ...heads,
  ];
}

function wrongSeal(seal: StoredSeal, before: readonly StoredSeal[], read: ReadSigned): Finding[] {
  const findings: Finding[] = [];
  const what = `seal ${seal.position} of ${monthOf(seal)}`;
  const compare = (kind: Finding['kind'], field: string, expected: string | null, found: string | null) => {
    if (expected !== found) findings.push({ kind, what: `${what}: ${field}`, expected, found });
  };
  compare('SEAL_CHAIN', 'position', String(before.length), String(seal.position));
  compare('SEAL_CHAIN', 'previous', before.at(-1)?.seal ?? null, seal.previous);
  const replaced = before.findLast((each) => monthOf(each) === monthOf(seal))?.seal ?? null;
  compare('SEAL_CHAIN', 'replaces', replaced, seal.replaces);
  compare('SEAL_RECORD', 'hash of the record', sealOf(seal).toString('hex'), seal.seal);
  const signed = read(seal.jws);
  if (signed === undefined) findings.push({ kind: 'SEAL_SIGNATURE', what, expected: 'a signature of the seal keys' });
  else compare('SEAL_RECORD', 'signed record', signed.toString(), recordBytes(seal).toString());
  return findings;
}

function missingSeals(log: readonly StoredSeal[], states: readonly SealedState[]): Finding[] {
  const findings: Finding[] = [];
  for (const { month, state, isOlder, reopenings } of states) {
    const found = log.filter((seal) => monthOf(seal) === month).length;
    if (found === 0 && (state === 'OPEN' || isOlder)) continue;
    const expected = reopenings + (state === 'CLOSED' ? 1 : 0);
    if (found !== expected) {
      findings.push({
        kind: 'SEAL_MISSING',
        what: `seals of ${month}`,
        expected: String(expected),
        found: String(found),
      });
    }
  }
  return findings;
}

/** A seal that somebody else kept: its JWS is all that counts. */
export interface KeptSeal {
  readonly seal: string;
  readonly jws: string;
}

/** Compares a kept seal with the log: it must still be there, the same, and signed by a key of this installation. */
export async function verifyKeptSeal(sql: Sql, kept: KeptSeal, read: ReadSigned): Promise<Finding[]> {
  const what = `kept seal ${kept.seal.slice(0, 16)}`;
  const signed = read(kept.jws);
  const record = signed && (JSON.parse(signed.toString()) as SealRecord);
  if (record === undefined || sealOf(record).toString('hex') !== kept.seal) {
    return [{ kind: 'SEAL_AGAINST', what, expected: 'a seal that the seal keys signed' }];
  }
  const { company, branch, year, month } = record;
  const place = `${what} of ${company}/${branch} ${year}-${month}`;
  const [stored] = await selectSealsNamed(sql, company, branch, kept.seal);
  if (stored === undefined) return [{ kind: 'SEAL_AGAINST', what: place, expected: kept.seal, found: null }];
  const found = recordBytes(stored).toString();
  return found === signed!.toString()
    ? []
    : [{ kind: 'SEAL_AGAINST', what: place, expected: signed!.toString(), found }];
}

function monthOf({ year, month }: Pick<SealRecord, 'year' | 'month'>): string {
  return `${year}-${month}`;
}
