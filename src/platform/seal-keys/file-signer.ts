import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { z } from 'zod';
import { isAbsent, writeWhole } from './key-files.ts';
import { SealKeyError } from './seal-key-error.ts';
import type { SealAlgorithm, Signer } from './signer.ts';

/** One private key of each algorithm, PKCS #8 in PEM: what openssl reads. */
const KEYS = z.strictObject({ ES256: z.string().max(4_000), EdDSA: z.string().max(4_000) });
type PrivateKeys = z.output<typeof KEYS>;

const READABLE_BY_OTHERS = 0o007;

/** Signs with the keys of the file, which is read each time: it is small, and a rotation needs no restart. */
export function signWithFile(path: string): Signer {
  const keyOf = async (algorithm: SealAlgorithm): Promise<KeyObject> => {
    const keys = await readKeys(path);
    if (keys === undefined) throw new SealKeyError(`SEAL_KEY_FILE: ${path} is not there`);
    try {
      return createPrivateKey(keys[algorithm]);
    } catch {
      throw new SealKeyError(`SEAL_KEY_FILE: the key for ${algorithm} in ${path} is no private key`);
    }
  };
  return {
    publicKey: async (algorithm) => createPublicKey(await keyOf(algorithm)),
    sign: async (algorithm, bytes) => {
      const key = await keyOf(algorithm);
      return algorithm === 'ES256' ? sign('sha256', bytes, { key, dsaEncoding: 'ieee-p1363' }) : sign(null, bytes, key);
    },
  };
}

/**
 * New keys in the place of those of the file, which are gone then; only its owner reads it. Without `replace` a file
 * that is there stays. @throws SealKeyError
 */
export async function makeKeyFile(path: string, { replace }: { readonly replace: boolean }): Promise<boolean> {
  // A start that makes nothing writes nothing: the disk may be full.
  if (!replace && existsSync(path)) return false;
  const pem = (privateKey: KeyObject) => privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const keys: PrivateKeys = {
    ES256: pem(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey),
    EdDSA: pem(generateKeyPairSync('ed25519').privateKey),
  };
  return writeWhole(path, `${JSON.stringify(keys, null, 2)}\n`, {
    setting: 'SEAL_KEY_FILE',
    mode: 0o600,
    replace,
  });
}

async function readKeys(path: string): Promise<PrivateKeys | undefined> {
  let text: string;
  let mode: number;
  try {
    const file = await open(path, 'r');
    try {
      ({ mode } = await file.stat());
      text = await file.readFile('utf8');
    } finally {
      await file.close();
    }
  } catch (error) {
    const failure = error as NodeJS.ErrnoException;
    if (isAbsent(failure)) return undefined;
    throw new SealKeyError(`SEAL_KEY_FILE: ${path} cannot be read (${failure.code})`);
  }
  if (process.platform !== 'win32' && (mode & READABLE_BY_OTHERS) !== 0)
    throw new SealKeyError(`SEAL_KEY_FILE: other users may read ${path}; chmod 600 takes that away`);
  return parseKeys(text, path);
}

function parseKeys(text: string, path: string): PrivateKeys {
  try {
    return KEYS.parse(JSON.parse(text));
  } catch {
    throw new SealKeyError(`SEAL_KEY_FILE: ${path} is no file of seal keys`);
  }
}
