import { once } from 'node:events';
import type { MessagePort } from 'node:worker_threads';
import { workerData } from 'piscina';
import { openDatabase } from '../../../platform/database/database.ts';
import type { LeafHasherSettings, RootsAnswer } from './leaf-hasher.ts';
import { readLineLeaves, rootsOf, type UncommittedLeaves } from './month-roots.ts';
import type { SealedMonth } from './seal-leaves.read.sql.ts';

const { connectionString, limits, pooler } = workerData as LeafHasherSettings;
// A month is read on one connection; idle ones close.
const database = openDatabase(connectionString!, { max: 1, name: 'partidas-seals', limits, pooler }).doing('job');

/**
 * Runs in a worker thread: reads and hashes the committed lines of a month that its close holds locked, and then, with what
 * the close itself has written, makes the roots. Without that, because the close failed, it makes none.
 */
export async function hashLeaves({
  month,
  port,
}: {
  readonly month: SealedMonth;
  readonly port: MessagePort;
}): Promise<RootsAnswer | undefined> {
  const written = once(port, 'message') as Promise<[UncommittedLeaves | undefined]>;
  try {
    const scope = { companies: [month.companyId], wholeCompanies: [month.companyId], branches: [] };
    const lines = await database.snapshot(scope, (sql) => readLineLeaves(sql, month));
    // Most of the tree is made by the time that the close has its balances.
    lines.root();
    const [rest] = await written;
    if (rest === undefined) return undefined;
    if (rest.closing) lines.addDocument(rest.closing, rest.closing.day, rest.closing.leaves);
    const { linesRoot, balancesRoot, ...counts } = rootsOf(lines, rest.balances);
    return { ...counts, linesRoot: linesRoot.toString('hex'), balancesRoot: balancesRoot.toString('hex') };
  } finally {
    port.close();
  }
}
