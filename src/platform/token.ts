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
  /** Maximum lifetime of a token; one that claims a longer life is rejected, whoever signed it. */
  readonly lifetimeSeconds: number;
}

export interface ValidToken {
  readonly userId: number;
  /** Of the credentials that the token was made for: it ends when they change. */
  readonly credentialVersion: number;
  /** Absent: everything that the user may. */
  readonly rights?: TokenRights;
}

/** What a token opens, where it opens less than its user may. */
export interface TokenRights {
  readonly routines: readonly string[];
  /** Ids of companies as a whole, and of branches, each as [company, branch]; absent: all that the user reaches. */
  readonly tenants?: {
    readonly companies: readonly number[];
    readonly branches: readonly (readonly [number, number])[];
  };
}

/** What a valid access token says, else undefined. Never fetches anything that a token names. */
export type TokenVerifier = (token: string) => Promise<ValidToken | undefined>;

/** `typ` of access tokens (RFC 9068): an id token can never pass for one. */
const TOKEN_TYPE = 'at+jwt';
const MAX_TOKEN_LENGTH = 4_096;
/** Published keys are read again after this time, so that a retired one ends its tokens within it. */
const KEY_AGE_MS = 15_000;
/** A token with an unknown key has them read again before, but not more often than this. */
const KEY_COOLDOWN_MS = 1_000;
const CLOCK_TOLERANCE_S = 60;

export async function newSigningKey(): Promise<StoredKey> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const privateJwk = await exportJWK(privateKey);
  return { kid: await calculateJwkThumbprint(privateJwk), privateJwk };
}

/** The public half of a key on a curve, as the database keeps it. */
export interface CurvePoint {
  readonly kty: string;
  readonly crv: string;
  readonly x: string;
  readonly y: string;
}

/** A key as it is published. */
export interface PublishedJwk extends CurvePoint {
  readonly kid: string;
  readonly use: string;
  readonly alg: string;
}

/** The public half of a key, as the key set publishes it. */
export function publicJwk({
  kid,
  publicJwk: { kty, crv, x, y },
}: {
  kid: string;
  publicJwk: CurvePoint;
}): PublishedJwk {
  return { kty, crv, x, y, kid, use: 'sig', alg: 'ES256' };
}

/** An access token (ES256) for the user. */
export async function signAccessToken(
  key: StoredKey,
  user: { id: number; username: string; credentialVersion: number },
  settings: TokenSettings & { now: Date },
  narrowed?: { readonly scope: string; readonly rights: TokenRights },
): Promise<string> {
  const issuedAt = Math.floor(settings.now.getTime() / 1000);
  return new SignJWT({ username: user.username, ver: user.credentialVersion, ...narrowed })
    .setProtectedHeader({ alg: 'ES256', kid: key.kid, typ: TOKEN_TYPE })
    .setIssuer(settings.issuer)
    .setAudience(settings.audience)
    .setSubject(String(user.id))
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + settings.lifetimeSeconds)
    .setJti(crypto.randomUUID())
    .sign(await importJWK(key.privateJwk, 'ES256'));
}

/** Checks tokens against the published keys. Checked tokens are remembered until they expire or their key is retired. */
export function createTokenVerifier(
  loadKeys: () => Promise<readonly JWK[]>,
  settings: TokenSettings & { now: () => Date },
): TokenVerifier {
  const keyOf = createKeyRing(loadKeys);
  const checked = new LRUCache<string, CheckedToken>({ max: 20_000 });

  const check = async (token: string): Promise<CheckedToken | undefined> => {
    const kid = keyIdOf(token);
    const key = kid === undefined ? undefined : await keyOf(kid);
    if (kid === undefined || key === undefined) return undefined;
    const { payload } = await jwtVerify(token, key, {
      algorithms: ['ES256'],
      typ: TOKEN_TYPE,
      issuer: settings.issuer,
      audience: settings.audience,
      requiredClaims: ['exp', 'iat', 'sub', 'ver'],
      currentDate: settings.now(),
    });
    return verifyToken(kid, payload, settings);
  };

  return async (token) => {
    if (token.length > MAX_TOKEN_LENGTH) return undefined;
    const known = checked.get(token);
    if (known) return isOfNow(known, settings.now()) && (await keyOf(known.kid)) ? known : undefined;
    const valid = await undefinedOnError(() => check(token));
    if (valid) checked.set(token, valid);
    return valid;
  };
}

interface CheckedToken extends ValidToken {
  readonly kid: string;
  readonly issued: number;
  readonly expires: number;
}

function verifyToken(
  kid: string,
  { sub, ver, iat, exp, rights }: JWTPayload,
  settings: TokenSettings & { now: () => Date },
): CheckedToken | undefined {
  const userId = Number(sub);
  const isId = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 1;
  if (!isId(userId) || !isId(ver) || !exp || !iat) return undefined;
  const token = {
    ...{ userId, credentialVersion: ver, kid, issued: iat, expires: exp },
    // Signed by the program itself, which wrote it.
    ...(rights === undefined ? {} : { rights: rights as TokenRights }),
  };
  return exp - iat > settings.lifetimeSeconds || !isOfNow(token, settings.now()) ? undefined : token;
}

/** The clock may have been set back since the token was made. */
function isOfNow({ issued, expires }: CheckedToken, now: Date): boolean {
  const seconds = now.getTime() / 1000;
  return expires > seconds && issued <= seconds + CLOCK_TOLERANCE_S;
}

type Key = Awaited<ReturnType<typeof importJWK>>;

/** The published keys by id, read again when they are old or one is unknown. */
function createKeyRing(loadKeys: () => Promise<readonly JWK[]>): (kid: string) => Promise<Key | undefined> {
  let keys = new Map<string, Key>();
  let loadedAt = Number.NEGATIVE_INFINITY;
  let loading: Promise<void> | undefined;

  const load = async () => {
    // Before the reading: a key that is retired while they are read may still be among them.
    const at = performance.now();
    const published = await loadKeys();
    keys = new Map(
      await Promise.all(published.map(async (jwk) => [jwk.kid ?? '', await importJWK(jwk, 'ES256')] as const)),
    );
    loadedAt = at;
  };
  return async (kid) => {
    if (performance.now() - loadedAt > (keys.has(kid) ? KEY_AGE_MS : KEY_COOLDOWN_MS)) {
      loading ??= load().finally(() => {
        loading = undefined;
      });
      await loading;
    }
    return keys.get(kid);
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

/** jose throws its own errors for invalid tokens; any other error is a defect. */
async function undefinedOnError<T>(check: () => Promise<T>): Promise<T | undefined> {
  try {
    return await check();
  } catch (error) {
    if ((error as { code?: string }).code?.startsWith('ERR_J')) return undefined;
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
