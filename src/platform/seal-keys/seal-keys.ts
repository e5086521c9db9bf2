import { createPublicKey, type JsonWebKey, type KeyObject, verify } from 'node:crypto';
import { calculateJwkThumbprint } from 'jose';
import { signWithCommand } from './command-signer.ts';
import { signWithFile } from './file-signer.ts';
import { addPublished, readPublished } from './published-keys.ts';
import { SealKeyError } from './seal-key-error.ts';
import { type SignedNote, signatureLine } from './signed-note.ts';
import { type PublicJwk, type PublishedSealKey, SEAL_ALGORITHMS, type SealAlgorithm } from './signer.ts';

export interface SealKeySettings {
  /** SEAL_KEY_FILE: the private keys; the public ones lie beside it, in a file of the same name and `.pub`. */
  readonly file: string;
  /** SEAL_SIGN_COMMAND in words: it signs, and the file is not made. */
  readonly command: readonly string[] | undefined;
}

/** Signs seals with keys that are not in the database. Nothing is kept in memory: a rotated key signs at once. */
export interface SealKeys {
  /** Compact JWS (ES256, its `kid` in the header) over the payload. @throws SealKeyError */
  readonly sign: (payload: Uint8Array) => Promise<string>;
  /** The note with its signature (EdDSA) under the name, as C2SP signed-note says. @throws SealKeyError */
  readonly signNote: (name: string, text: string) => Promise<SignedNote>;
  /** The keys that sign. @throws SealKeyError if there are none */
  readonly current: () => Promise<readonly PublishedSealKey[]>;
  /** Every key that ever signed, newest first. Empty where the file is not there. */
  readonly published: () => Promise<readonly PublishedSealKey[]>;
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

  return {
    published,
    current: async () =>
      Promise.all(SEAL_ALGORITHMS.map(async (algorithm) => (await publishedKey(algorithm)).published)),
    sign: async (payload) => {
      const body = Buffer.from(payload).toString('base64url');
      const { input, signature } = await sign('ES256', (kid) => {
        const header = Buffer.from(JSON.stringify({ alg: 'ES256', kid }));
        return Buffer.from(`${header.toString('base64url')}.${body}`);
      });
      return `${input.toString()}.${signature.toString('base64url')}`;
    },
    signNote: async (name, text) => {
      const { signature, key } = await sign('EdDSA', () => Buffer.from(text));
      return { text, line: signatureLine(name, Buffer.from(key.x, 'base64url'), signature) };
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

export function publicKeyOf({ kty, crv, x, y }: PublicJwk): KeyObject {
  return createPublicKey({ key: { kty, crv, x, ...(y === undefined ? {} : { y }) } as JsonWebKey, format: 'jwk' });
}

function publicJwkOf(key: KeyObject, algorithm: SealAlgorithm): PublicJwk {
  const { kty, crv, x, y } = key.export({ format: 'jwk' });
  const right = algorithm === 'ES256' ? crv === 'P-256' : crv === 'Ed25519';
  if (!right || kty === undefined || x === undefined)
    throw new SealKeyError(`the key for ${algorithm} is not one on ${algorithm === 'ES256' ? 'P-256' : 'Ed25519'}`);
  return { kty, crv: crv!, x, ...(y === undefined ? {} : { y }) };
}
