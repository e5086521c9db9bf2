import { type KeyObject, verify } from 'node:crypto';
import { calculateJwkThumbprint } from 'jose';
import { signWithCommand } from './command-signer.ts';
import { makeKeyFile, signWithFile } from './file-signer.ts';
import { addPublished, readPublished } from './published-keys.ts';
import { SealKeyError } from './seal-key-error.ts';
import { checkpointText, originOf, signedNote } from './signed-note.ts';
import { type PublicJwk, type PublishedSealKey, SEAL_ALGORITHMS, type SealAlgorithm } from './signer.ts';

export interface SealKeySettings {
  /** SEAL_KEY_FILE: the private keys; the public ones lie beside it, in a file of the same name and `.pub`. */
  readonly file: string;
  /** SEAL_SIGN_COMMAND in words: it signs, and the file is not made. */
  readonly command: readonly string[] | undefined;
  /** SEAL_LOG_NAME: what the logs are called, before company and branch. */
  readonly logName: string;
}

/** Signs seals with keys that are not in the database. Nothing is kept in memory: a rotated key signs at once. */
export interface SealKeys {
  /** Compact JWS (ES256, its `kid` in the header) over the payload. @throws SealKeyError */
  readonly sign: (payload: Uint8Array) => Promise<string>;
  /** The signed head (EdDSA) of a branch's log, as C2SP tlog-checkpoint says. @throws SealKeyError */
  readonly signCheckpoint: (branch: LogBranch, size: number, root: Buffer) => Promise<string>;
  /** The keys that sign. @throws SealKeyError if none can */
  readonly current: () => Promise<readonly PublishedSealKey[]>;
  /** Makes the key file where there is none, unless a command signs; the keys that sign. @throws SealKeyError */
  readonly prepare: () => Promise<readonly PublishedSealKey[]>;
  /** New keys in the place of those that sign, published already. @throws SealKeyError if a command signs */
  readonly rotate: () => Promise<readonly PublishedSealKey[]>;
  /** Every key that ever signed, newest first. Empty where the file is not there. */
  readonly published: () => Promise<readonly PublishedSealKey[]>;
}

/** A branch by the codes that its seals say. */
export interface LogBranch {
  readonly company: string;
  readonly branch: string;
}

export function openSealKeys(settings: SealKeySettings, now: () => Date): SealKeys {
  const signer = settings.command ? signWithCommand(settings.command) : signWithFile(settings.file);
  const published = () => readPublished(settings.file);

  /** The key that signs, published before its first signature. */
  const publishedKey = async (algorithm: SealAlgorithm) => {
    const key = await signer.publicKey(algorithm);
    const jwk = publicJwkOf(key, algorithm);
    const kid = await calculateJwkThumbprint(jwk);
    const known = (await published()).find((each) => each.kid === kid);
    const added = known ?? { ...jwk, kid, use: 'sig' as const, alg: algorithm, since: now().toISOString() };
    if (!known) await addPublished(settings.file, added);
    return { key, published: added };
  };

  /** What `inputOf` makes of the key's id, signed. Another key may come between: then once more with that. */
  const sign = async (algorithm: SealAlgorithm, inputOf: (kid: string) => Buffer, attempts = 2): Promise<Signed> => {
    const { key, published } = await publishedKey(algorithm);
    const input = inputOf(published.kid);
    const signature = await signer.sign(algorithm, input);
    if (isSignature(algorithm, input, key, signature)) return { input, signature, key: published };
    if (attempts > 1) return sign(algorithm, inputOf, attempts - 1);
    throw new SealKeyError(`the signature (${algorithm}) does not fit the public key`);
  };

  const current = () =>
    Promise.all(SEAL_ALGORITHMS.map(async (algorithm) => (await publishedKey(algorithm)).published));

  return {
    published,
    current,
    prepare: async () => {
      if (!settings.command) await makeKeyFile(settings.file, { replace: false });
      return current();
    },
    rotate: async () => {
      if (settings.command) throw new SealKeyError('SEAL_SIGN_COMMAND signs: the key service makes new keys');
      await makeKeyFile(settings.file, { replace: true });
      return current();
    },
    sign: async (payload) => {
      const body = Buffer.from(payload).toString('base64url');
      const { input, signature } = await sign('ES256', (kid) => {
        const header = Buffer.from(JSON.stringify({ alg: 'ES256', kid }));
        return Buffer.from(`${header.toString('base64url')}.${body}`);
      });
      return `${input.toString()}.${signature.toString('base64url')}`;
    },
    signCheckpoint: async (branch, size, root) => {
      const name = originOf(settings.logName, branch);
      const text = checkpointText(name, size, root);
      const { signature, key } = await sign('EdDSA', () => Buffer.from(text));
      return signedNote(text, name, Buffer.from(key.x, 'base64url'), signature);
    },
  };
}

interface Signed {
  readonly input: Buffer;
  readonly signature: Buffer;
  readonly key: PublishedSealKey;
}

/** Whether it is the signature of the bytes by the owner of the public key. */
export function isSignature(algorithm: SealAlgorithm, bytes: Buffer, key: KeyObject, signature: Buffer): boolean {
  return algorithm === 'ES256'
    ? verify('sha256', bytes, { key, dsaEncoding: 'ieee-p1363' }, signature)
    : verify(null, bytes, key, signature);
}

function publicJwkOf(key: KeyObject, algorithm: SealAlgorithm): PublicJwk {
  const { kty, crv, x, y } = key.export({ format: 'jwk' });
  const right = algorithm === 'ES256' ? crv === 'P-256' : crv === 'Ed25519';
  if (!right || kty === undefined || x === undefined)
    throw new SealKeyError(`the key for ${algorithm} is not one on ${algorithm === 'ES256' ? 'P-256' : 'Ed25519'}`);
  return { kty, crv: crv!, x, ...(y === undefined ? {} : { y }) };
}
