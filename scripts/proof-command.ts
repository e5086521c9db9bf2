import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { checkProof, ProofError } from '../src/features/closing/seals/check-proof.ts';
import { StartError } from '../src/platform/config.ts';
import { readTimestamp, TimestampError } from '../src/platform/timestamp.ts';
import { operand } from './operand.ts';

export const PROOF_OPTIONS = {
  seal: { type: 'string' },
  keys: { type: 'string' },
  'timestamp-ca': { type: 'string' },
} as const;

interface ProofOptions {
  readonly seal?: string | undefined;
  readonly keys?: string | undefined;
  readonly 'timestamp-ca'?: string | undefined;
}

const SEALS = z.array(z.looseObject({ seal: z.string().regex(/^[\da-f]{64}$/) })).min(1);

/** Needs neither a database nor a running program: what proves is in the files that are named. */
export const PROOF_COMMANDS = {
  'verify-proof': {
    usage: 'verify-proof <file> [--seal <file or seal>] [--keys <file>] [--timestamp-ca <file>]',
    async manage(_config: unknown, [word]: readonly string[], options: ProofOptions): Promise<void> {
      const proof = await textOf(operand('file', word));
      try {
        const said = checkProof(proof, {
          seals: options.seal === undefined ? undefined : await sealsOf(options.seal),
          keys: options.keys === undefined ? undefined : await textOf(options.keys),
        });
        console.log([said, ...(await timestampOf(proof, options['timestamp-ca']))].join('; '));
      } catch (error) {
        if (error instanceof ProofError || error instanceof TimestampError)
          throw new StartError(`not proved: ${error.message}`);
        throw error;
      }
    },
  },
} as const;

/** A seal as it is printed, or a file with one or all that GET /seals/{company}/{branch} answered. */
async function sealsOf(given: string): Promise<ReadonlySet<string>> {
  if (/^[\da-f]{64}$/i.test(given)) return new Set([given.toLowerCase()]);
  const text = await textOf(given);
  if (/^[\da-f]{64}$/i.test(text.trim())) return new Set([text.trim().toLowerCase()]);
  try {
    const found = JSON.parse(text) as unknown;
    return new Set(SEALS.parse(Array.isArray(found) ? found : [found]).map(({ seal }) => seal));
  } catch {
    throw new StartError(`${given} holds no seals`);
  }
}

/** What a third party says of the time, if the proof brings it; checked with openssl against its certificate, if given. */
async function timestampOf(proof: string, authority: string | undefined): Promise<string[]> {
  const { seal, timestamp } = JSON.parse(proof) as { seal: string; timestamp: string | null };
  if (timestamp === null) {
    if (authority !== undefined) throw new ProofError('there is no timestamp in it');
    return [];
  }
  const token = Buffer.from(timestamp, 'base64');
  const { hash, time } = readTimestamp(token);
  if (hash.toString('hex') !== seal) throw new ProofError('the timestamp is of another seal');
  if (authority === undefined) return [`timestamp ${time}, whose signature was not checked (--timestamp-ca)`];
  await verifyWithOpenssl(token, seal, authority);
  return [`timestamp ${time}, signed by the authority`];
}

async function verifyWithOpenssl(token: Buffer, seal: string, authority: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'partidas-proof-'));
  try {
    const file = join(folder, 'token');
    await writeFile(file, token);
    const asked = ['ts', '-verify', '-digest', seal, '-in', file, '-token_in', '-CAfile', authority];
    await promisify(execFile)('openssl', asked, { timeout: 30_000 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new StartError('openssl is not installed, which checks timestamps');
    throw new ProofError('openssl does not find the timestamp signed by that authority');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function textOf(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new StartError(`${path} cannot be read (${error.code})`);
  });
}
