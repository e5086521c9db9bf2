import {
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  type JWTPayload,
  jwtVerify,
  SignJWT,
} from 'jose';
import { LRUCache } from 'lru-cache';

/** A signing key as it is stored. */
export interface StoredKey {
  readonly kid: string;
  readonly privateJwk: JWK;
}

export interface TokenSettings {
  readonly issuer: string;
  readonly audience: string;
}

export interface ValidToken {
  readonly userId: number;
  /** Seconds since 1970. */
  readonly issuedAt: number;
}

/** What a valid access token says, else undefined. Never fetches anything that a token names. */
export type TokenVerifier = (token: string) => Promise<ValidToken | undefined>;

/** `typ` of access tokens (RFC 9068): an id token can never pass for one. */
const TOKEN_TYPE = 'at+jwt';
const MAX_TOKEN_LENGTH = 4_096;
/** No token of ours lives longer; one that says so was not made here. */
const MAX_LIFETIME_S = 31_536_000;
const KEY_COOLDOWN_MS = 5_000;

export async function newSigningKey(): Promise<StoredKey> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const privateJwk = await exportJWK(privateKey);
  return { kid: await calculateJwkThumbprint(privateJwk), privateJwk };
}

/** The public half of a key, as the key set publishes it. */
export function publicJwk({ kid, privateJwk }: StoredKey): JWK {
  const { kty, crv, x, y } = privateJwk;
  return { kty, crv, x, y, kid, use: 'sig', alg: 'ES256' } as JWK;
}

/** An access token (ES256) for the user. */
export async function signAccessToken(
  key: StoredKey,
  user: { id: number; username: string },
  settings: TokenSettings & { lifetimeSeconds: number; now: Date },
): Promise<string> {
  const issuedAt = Math.floor(settings.now.getTime() / 1000);
  return new SignJWT({ username: user.username })
    .setProtectedHeader({ alg: 'ES256', kid: key.kid, typ: TOKEN_TYPE })
    .setIssuer(settings.issuer)
    .setAudience(settings.audience)
    .setSubject(String(user.id))
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + settings.lifetimeSeconds)
    .setJti(crypto.randomUUID())
    .sign(await importJWK(key.privateJwk, 'ES256'));
}

/**
 * Checks tokens against the published keys. `loadKeys` reads them again when a token names an unknown one, at most
 * every five seconds. Checked tokens are remembered until they expire.
 */
export function createTokenVerifier(
  loadKeys: () => Promise<readonly JWK[]>,
  settings: TokenSettings & { now: () => Date },
): TokenVerifier {
  let keys = new Map<string, Awaited<ReturnType<typeof importJWK>>>();
  let loadedAt = Number.NEGATIVE_INFINITY;
  const checked = new LRUCache<string, ValidToken & { readonly expires: number }>({ max: 20_000 });

  const keyOf = async (kid: string) => {
    if (!keys.has(kid) && performance.now() - loadedAt > KEY_COOLDOWN_MS) {
      const published = await loadKeys();
      loadedAt = performance.now();
      keys = new Map(
        await Promise.all(published.map(async (jwk) => [jwk.kid ?? '', await importJWK(jwk, 'ES256')] as const)),
      );
    }
    return keys.get(kid);
  };

  const claimsOf = async (token: string): Promise<JWTPayload | undefined> => {
    const kid = keyIdOf(token);
    const key = kid === undefined ? undefined : await keyOf(kid);
    if (key === undefined) return undefined;
    const { payload } = await jwtVerify(token, key, {
      algorithms: ['ES256'],
      typ: TOKEN_TYPE,
      issuer: settings.issuer,
      audience: settings.audience,
      requiredClaims: ['exp', 'iat', 'sub'],
      currentDate: settings.now(),
    });
    return payload;
  };

  return async (token) => {
    if (token.length > MAX_TOKEN_LENGTH) return undefined;
    const now = settings.now().getTime() / 1000;
    const known = checked.get(token);
    if (known) return known.expires > now ? known : undefined;
    const claims = await refusalAsUndefined(() => claimsOf(token));
    const userId = Number(claims?.sub);
    if (!claims?.exp || !claims.iat || claims.exp - claims.iat > MAX_LIFETIME_S || claims.iat > now + 60)
      return undefined;
    if (!Number.isSafeInteger(userId) || userId < 1) return undefined;
    const valid = { userId, issuedAt: claims.iat, expires: claims.exp };
    checked.set(token, valid);
    return valid;
  };
}

function keyIdOf(token: string): string | undefined {
  try {
    const header = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { kid?: unknown };
    return typeof header.kid === 'string' && header.kid.length <= 100 ? header.kid : undefined;
  } catch {
    return undefined;
  }
}

/** jose throws for every token it refuses; anything else is a fault of ours. */
async function refusalAsUndefined<T>(check: () => Promise<T>): Promise<T | undefined> {
  try {
    return await check();
  } catch (error) {
    if ((error as { code?: string }).code?.startsWith('ERR_J')) return undefined;
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
