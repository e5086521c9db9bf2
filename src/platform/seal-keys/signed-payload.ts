import { createPublicKey, type JsonWebKey, verify } from 'node:crypto';
import type { PublishedSealKey } from './signer.ts';

/** The payload of a compact JWS (ES256) that one of the keys signed; undefined for anything else. Without keys it is unproven. */
export function signedPayload(jws: string, keys: readonly PublishedSealKey[] | undefined): Buffer | undefined {
  const [header = '', payload = '', signature = '', ...more] = jws.split('.');
  if (keys === undefined) return Buffer.from(payload, 'base64url');
  const key = keys.find(({ alg, kid }) => alg === 'ES256' && kid === keyIdIn(header));
  if (key === undefined || more.length > 0) return undefined;
  const { kty, crv, x, y } = key;
  const publicKey = createPublicKey({ key: { kty, crv, x, y } as JsonWebKey, format: 'jwk' });
  const input = Buffer.from(`${header}.${payload}`);
  const isSigned = verify(
    'sha256',
    input,
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  return isSigned ? Buffer.from(payload, 'base64url') : undefined;
}

function keyIdIn(header: string): unknown {
  try {
    return JSON.parse(Buffer.from(header, 'base64url').toString()).kid;
  } catch {
    return undefined;
  }
}
