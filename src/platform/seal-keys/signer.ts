import type { KeyObject } from 'node:crypto';

/** ES256 signs seals, EdDSA (Ed25519) the heads of their logs, as the witnesses of such logs expect it. */
export const SEAL_ALGORITHMS = ['ES256', 'EdDSA'] as const;
export type SealAlgorithm = (typeof SEAL_ALGORITHMS)[number];

/** Where a public key is on its curve (RFC 7517, RFC 8037). */
export interface PublicJwk {
  readonly kty: string;
  readonly crv: string;
  readonly x: string;
  readonly y?: string;
}

/** A public key as it is published, with the time since when it has been known. */
export interface PublishedSealKey extends PublicJwk {
  readonly kid: string;
  readonly use: 'sig';
  readonly alg: SealAlgorithm;
  readonly since: string;
}

/** What holds the private keys: a file, or a command that asks a key service. */
export interface Signer {
  /** The public half of the key that signs. @throws SealKeyError */
  readonly publicKey: (algorithm: SealAlgorithm) => Promise<KeyObject>;
  /** ES256: r and s, 64 bytes; EdDSA: 64 bytes. @throws SealKeyError */
  readonly sign: (algorithm: SealAlgorithm, bytes: Buffer) => Promise<Buffer>;
}
