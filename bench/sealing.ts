import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Month } from '../src/accounting/period.ts';
import { closeMonth } from '../src/features/closing/month-close/close-month.ts';
import { type LeafHasher, openLeafHasher } from '../src/features/closing/seals/leaf-hasher.ts';
import { type Database, openDatabase } from '../src/platform/database/database.ts';
import { DEFAULT_SECONDS } from '../src/platform/database/time-limits.ts';
import { openSealKeys } from '../src/platform/seal-keys/seal-keys.ts';
import { type Branch, fillMonth, newBranch, openMonth, settle } from './support/books.ts';
import { byTurns, type Figure, secondsOf } from './support/figure.ts';

const LINES = 200_000;
const ROUNDS = 5;
const MONTH = '2026-01' as Month;
const SCOPE = { companies: '*', wholeCompanies: [], branches: [] } as const;

/** What sealing adds to a month close: the close with its hashing, and with roots that cost nothing, each undone at its end. */
export const sealing: Figure = async (installation) => {
  const folder = await mkdtemp(join(tmpdir(), 'partidas-bench-seals-'));
  const connectionString = installation.databaseUrl;
  const database = openDatabase(connectionString);
  const hasher = openLeafHasher({ connectionString, limits: DEFAULT_SECONDS, pooler: 'none' }, 1);
  const keys = openSealKeys({ file: join(folder, 'seal.pem'), command: undefined, logName: 'bench' }, () => new Date());
  try {
    await keys.prepare();
    const branch = await newBranch(installation);
    await openMonth(installation, branch, 1);
    await fillMonth(installation, branch, 1, LINES);
    await settle(installation);
    const seconds = (by: LeafHasher) =>
      secondsOf(() => closeAndUndo(database, branch, { hasher: by, keys, sealedBy: 'bench', sealedAt: new Date() }));
    // The thread starts, and the statements are prepared.
    await seconds(hasher);
    const { ours, bare, ratio } = await byTurns(
      () => seconds(hasher),
      () => seconds(NO_HASHING),
      ROUNDS,
    );
    return [
      {
        name: `sealing a month of ${LINES.toLocaleString('en')} lines as it is closed`,
        against: 'the close without hashing',
        detail: `${ours.toFixed(2)} s with it, ${bare.toFixed(2)} s without`,
        value: ratio - 1,
        unit: 'ratio',
        atMost: 0.3,
      },
    ];
  } finally {
    await hasher.close();
    await database.close();
    await rm(folder, { recursive: true, force: true });
  }
};

const EMPTY = createHash('sha256').digest();

const NO_HASHING: LeafHasher = {
  begin: () => ({
    finish: async ({ balances }) => ({
      lines: LINES,
      linesRoot: EMPTY,
      balances: balances.length,
      balancesRoot: EMPTY,
    }),
    abandon: () => {},
  }),
  close: async () => {},
};

class Undone extends Error {}

async function closeAndUndo(database: Database, branch: Branch, how: Parameters<typeof closeMonth>[4]): Promise<void> {
  const caller = { id: 0, username: 'bench', admin: true };
  await database
    .transaction(SCOPE, async (sql) => {
      await closeMonth(sql, { caller, address: 'bench' }, branch, MONTH, how);
      throw new Undone();
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undone)) throw error;
    });
}
