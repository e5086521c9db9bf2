import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { appendLine, isAbsent } from './key-files.ts';
import { SealKeyError } from './seal-key-error.ts';
import type { PublishedSealKey } from './signer.ts';

const part = z.string().regex(/^[\w-]{43}$/);
const KEY = z.discriminatedUnion('alg', [
  z.object({
    alg: z.literal('ES256'),
    kty: z.literal('EC'),
    crv: z.literal('P-256'),
    x: part,
    y: part,
    kid: part,
    use: z.literal('sig'),
    since: z.iso.datetime(),
  }),
  z.object({
    alg: z.literal('EdDSA'),
    kty: z.literal('OKP'),
    crv: z.literal('Ed25519'),
    x: part,
    kid: part,
    use: z.literal('sig'),
    since: z.iso.datetime(),
  }),
]);

/** The file of public keys beside that of the private ones: a key (RFC 7517) a line, in the order of time. */
export function publishedFile(file: string): string {
  return `${file}.pub`;
}

/** Newest first; empty where there is no file. @throws SealKeyError if it cannot be read or a line is no key */
export async function readPublished(file: string): Promise<readonly PublishedSealKey[]> {
  const path = publishedFile(file);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (isAbsent(error)) return '';
    throw new SealKeyError(`SEAL_KEY_FILE: ${path} cannot be read (${error.code})`);
  });
  return publishedIn(text, path);
}

/** The keys of such a file's text, newest first; `path` names it. @throws SealKeyError if a line is no key */
export function publishedIn(text: string, path: string): readonly PublishedSealKey[] {
  // A line that a power cut tore was of a key that has not signed.
  const lines = text.split('\n').filter((line) => line.endsWith('}'));
  const keys = new Map(lines.map((line) => parseKey(line, path)).map((key) => [key.kid, key]));
  return [...keys.values()].reverse();
}

function parseKey(line: string, path: string): PublishedSealKey {
  try {
    return KEY.parse(JSON.parse(line));
  } catch {
    throw new SealKeyError(`SEAL_KEY_FILE: a line of ${path} is no public key`);
  }
}

/** Adds a line: keys are never taken out, and none is lost where two processes add theirs. @throws SealKeyError */
export async function addPublished(file: string, key: PublishedSealKey): Promise<void> {
  await appendLine(publishedFile(file), JSON.stringify(key));
}
