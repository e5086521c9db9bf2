/** Claims of an id token that may identify a user. */
export const IDENTITY_CLAIMS = ['sub', 'oid'] as const;
export type IdentityClaim = (typeof IDENTITY_CLAIMS)[number];

/** Who a user is at an external provider. */
export interface Identity {
  readonly provider: string;
  readonly claim: IdentityClaim;
  readonly subject: string;
}

/** The name of the enterprise directory among the configured providers. */
const ENTERPRISE_DIRECTORY = 'AZURE';

/** The enterprise directory's `sub` differs from application to application; its `oid` does not. */
export function defaultClaim(provider: string): IdentityClaim {
  return provider === ENTERPRISE_DIRECTORY ? 'oid' : 'sub';
}

/** Key of an identity. */
export function identityKey({ provider, claim, subject }: Identity): string {
  return JSON.stringify([provider, claim, subject]);
}
