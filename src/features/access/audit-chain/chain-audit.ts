import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../../../platform/database/database.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SYSTEM_SCOPE } from '../../../platform/database/system-scope.ts';
import type { Log } from '../../../platform/log.ts';
import { writeWhole } from '../../../platform/seal-keys/key-files.ts';
import type { SealKeys } from '../../../platform/seal-keys/seal-keys.ts';
import { signedPayload } from '../../../platform/seal-keys/signed-payload.ts';
import { startTurns, type Turns } from '../../../platform/turns.ts';
import { type AuditHead, selectAuditHead, selectAuditLinkHash, selectNewestAuditHead } from './audit-chain.read.sql.ts';
import { chainAudit, keepAuditHead } from './audit-chain.sql.ts';
import { auditHeadIn } from './verify-audit.ts';

const EVERY_MS = 60_000;
/** Rows of one transaction: whoever else would chain waits no longer. */
const PIECE = 5_000;
/** How long a row of the trail may take from its id to its transaction's own, which no snapshot shows. */
const SETTLING_SECONDS = 60;

export interface AuditChaining {
  readonly database: Database;
  readonly keys: Pick<SealKeys, 'sign' | 'published'>;
  readonly dataDir: string;
  readonly log: Pick<Log, 'error' | 'warn'>;
}

/** Where the newest signed end of the chain is kept outside of the database. */
export function auditHeadFile(dataDir: string): string {
  return join(dataDir, 'audit-head.jws');
}

/** Chains the trail at the start and every minute (docs/decisions/0041). */
export function startAuditChain(options: AuditChaining): Turns {
  return startTurns(async () => {
    await extendAuditChain(options).catch((error) => options.log.warn({ err: error }, 'audit chain'));
    return EVERY_MS;
  });
}

/**
 * One turn: chains what was written, and where the end moved signs it. The newest signed end is in a file outside of the
 * database; one an hour stays beside the chain. A chain that no longer goes through the signed ends was forged, or the
 * database restored from before: its end is not signed, so that `verify` goes on saying so.
 */
export async function extendAuditChain(
  { database, keys, dataDir, log }: Omit<AuditChaining, 'log'> & { readonly log: Pick<Log, 'error'> },
  settlingSeconds: number = SETTLING_SECONDS,
): Promise<void> {
  const chained = () => database.transaction(SYSTEM_SCOPE, (sql) => chainAudit(sql, PIECE, settlingSeconds));
  while ((await chained()) === PIECE);
  const sql = database.under(SYSTEM_SCOPE);
  const path = auditHeadFile(dataDir);
  const kept = await readKeptHead(path, keys);
  const stored = await selectNewestAuditHead(sql);
  // Compared before the end is read: whoever signs meanwhile only makes the chain longer.
  const isContinued =
    kept !== 'UNPROVEN' &&
    (await isInChain(sql, kept)) &&
    // The file proves; a stored end is compared even after its key was lost.
    (await isInChain(sql, stored && auditHeadIn(signedPayload(stored.jws, undefined))));
  if (!isContinued) {
    log.error(
      { path, kept, stored: stored?.position },
      'audit chain: a signed end is not in the chain, none is signed',
    );
    return;
  }
  const head = await selectAuditHead(sql);
  if (head === undefined || head.position <= (kept?.position ?? 0)) return;
  const jws = await keys.sign(Buffer.from(JSON.stringify(head)));
  await keepAuditHead(sql, head.position, jws);
  // Processes that share the folder may sign at once: each has a file of its own until it is whole.
  await writeWhole(path, jws, { setting: 'DATA_DIR', mode: 0o644, replace: true });
}

/** Undefined without a file. Any other failure to read it ends the turn: unread, it would be overwritten. */
async function readKeptHead(path: string, keys: AuditChaining['keys']): Promise<AuditHead | 'UNPROVEN' | undefined> {
  const jws = await readFile(path, 'utf8').catch((error: { code?: string }) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  return jws === undefined ? undefined : (auditHeadIn(signedPayload(jws, await keys.published())) ?? 'UNPROVEN');
}

/** Whether the chain still has the link of a signed end; without one there is nothing to compare. */
async function isInChain(sql: Sql, head: AuditHead | undefined): Promise<boolean> {
  return head === undefined || (await selectAuditLinkHash(sql, head.position)) === head.hash;
}
