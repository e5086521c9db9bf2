import { readFile } from 'node:fs/promises';
import type { SealKeys } from '../../../platform/seal-keys/seal-keys.ts';
import { auditHeadFile } from '../../access/audit-chain/chain-audit.ts';
import type { KeptOutside } from './verify.ts';

/** What this installation keeps outside of its database. @throws SealKeyError if the keys cannot be read */
export async function readOutside(keys: Pick<SealKeys, 'published'>, dataDir: string): Promise<KeptOutside> {
  const auditHead = await readFile(auditHeadFile(dataDir), 'utf8').catch((error: { code?: string }) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  return { keys: await keys.published(), auditHead };
}
