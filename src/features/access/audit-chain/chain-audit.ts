import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../../platform/database/database.ts';
import { SYSTEM_SCOPE } from '../../../platform/database/system-scope.ts';
import type { Log } from '../../../platform/log.ts';
import type { SealKeys } from '../../../platform/seal-keys/seal-keys.ts';
import { selectAuditHead } from './audit-chain.read.sql.ts';
import { chainAudit, keepAuditHead } from './audit-chain.sql.ts';

const EVERY_MS = 60_000;
/** Rows of one transaction: whoever else would chain waits no longer. */
const PIECE = 5_000;
/** How long a row of the trail may take from its id to its transaction's own, which no snapshot shows. */
const SETTLING_SECONDS = 60;

export interface AuditChaining {
  readonly database: Database;
  readonly keys: Pick<SealKeys, 'sign'>;
  readonly dataDir: string;
  readonly log: Log;
}

/** Where the newest signed end of the chain is kept outside of the database. */
export function auditHeadFile(dataDir: string): string {
  return join(dataDir, 'audit-head.jws');
}

/** Chains the trail at the start and every minute (docs/decisions/0041); `stop` resolves when no turn is active. */
export function startAuditChain(options: AuditChaining): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const turns = async () => {
    while (!stopping.signal.aborted) {
      await extendAuditChain(options).catch((error) => options.log.warn({ err: error }, 'audit chain'));
      await sleep(EVERY_MS, undefined, { signal: stopping.signal }).catch(() => {});
    }
  };
  const ended = turns();
  return {
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}

/**
 * One turn: chains what was written, and where the end moved signs it. The newest signed end is in a file outside of the
 * database; one an hour stays beside the chain.
 */
export async function extendAuditChain(
  { database, keys, dataDir }: Omit<AuditChaining, 'log'>,
  settlingSeconds: number = SETTLING_SECONDS,
): Promise<void> {
  const chained = () => database.transaction(SYSTEM_SCOPE, (sql) => chainAudit(sql, PIECE, settlingSeconds));
  while ((await chained()) === PIECE);
  const sql = database.under(SYSTEM_SCOPE);
  const head = await selectAuditHead(sql);
  const path = auditHeadFile(dataDir);
  const kept = await readFile(path, 'utf8').catch(() => '');
  if (head === undefined || payloadIn(kept) === JSON.stringify(head)) return;
  const jws = await keys.sign(Buffer.from(JSON.stringify(head)));
  await keepAuditHead(sql, head.position, jws);
  await mkdir(dataDir, { recursive: true });
  await writeFile(`${path}.part`, jws);
  await rename(`${path}.part`, path);
}

/** Unproven: it only says whether the end moved. */
function payloadIn(jws: string): string {
  return Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString();
}
