import { createLocalJWKSet, type JSONWebKeySet, type JWTPayload, type JWTVerifyOptions, jwtVerify } from 'jose';
import { problem, RetryLater } from '../../accounting/problem.ts';
import type { IdentityProvider } from '../../platform/config.ts';
import { fetchWithin } from '../../platform/fetch-within.ts';

/** Signatures by public keys only: with a shared secret, a provider's published key could sign. */
export const ALGORITHMS: readonly string[] = ['RS256', 'ES256', 'PS256'];

/** From the first byte sent to the last one read; with it, a login is answered within five seconds. */
const TIMEOUT_MS = 4_000;
const MAX_BYTES = 256 * 1024;
/** Older keys are still used while they are refreshed, so that a provider that is down blocks no sign-in. */
const FRESH_MS = 10 * 60_000;
/** A token with an unknown key has the keys read again, but not more often than this. */
const MISS_COOLDOWN_MS = 5_000;

/**
 * The claims of a token that one of the provider's published keys has signed, else undefined. Throws a 503 when the key
 * is unknown and the provider's keys cannot be read.
 */
export async function verifyByProvider(
  provider: IdentityProvider,
  token: string,
  header: { kid?: string },
  options: JWTVerifyOptions,
): Promise<JWTPayload | undefined> {
  const keys = await keyRingOf(provider).keysFor(header.kid);
  try {
    return (await jwtVerify(token, createLocalJWKSet(keys), options)).payload;
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_JWKS_MULTIPLE_MATCHING_KEYS') {
      for await (const key of error as AsyncIterable<Parameters<typeof jwtVerify>[1]>) {
        const verified = await jwtVerify(token, key, options).catch(() => undefined);
        if (verified) return verified.payload;
      }
    }
    return undefined;
  }
}

interface KeyRing {
  keysFor(kid: string | undefined): Promise<JSONWebKeySet>;
}

/** One ring for each configured provider of a program. */
const keyRings = new WeakMap<IdentityProvider, KeyRing>();

function keyRingOf(provider: IdentityProvider): KeyRing {
  const known = keyRings.get(provider) ?? newKeyRing(provider);
  keyRings.set(provider, known);
  return known;
}

function newKeyRing(provider: IdentityProvider): KeyRing {
  let held: { keys: JSONWebKeySet; readAt: number } | undefined;
  let reading: Promise<JSONWebKeySet> | undefined;
  let missedAt = Number.NEGATIVE_INFINITY;
  // Concurrent callers share one request.
  const read = () => {
    reading ??= readKeySet(provider.jwksUri)
      .then((keys) => {
        held = { keys, readAt: performance.now() };
        return keys;
      })
      .finally(() => {
        reading = undefined;
      });
    return reading;
  };
  return {
    async keysFor(kid) {
      if (!held) return read();
      if (performance.now() - held.readAt > FRESH_MS) read().catch(() => {});
      if (kid === undefined || held.keys.keys.some((key) => key.kid === kid)) return held.keys;
      if (performance.now() - missedAt < MISS_COOLDOWN_MS) return held.keys;
      missedAt = performance.now();
      return read();
    },
  };
}

async function readKeySet(address: string): Promise<JSONWebKeySet> {
  try {
    const { status, contentType, text } = await fetchWithin(address, { milliseconds: TIMEOUT_MS, bytes: MAX_BYTES });
    const isJson = /^application\/(jwk-set\+)?json\b/i.test(contentType);
    if (status !== 200 || !isJson) throw new Error(`answered ${status} ${contentType}`);
    const keys = JSON.parse(text) as JSONWebKeySet;
    createLocalJWKSet(keys);
    return keys;
  } catch {
    throw new RetryLater(problem('IDENTITY_PROVIDER_UNAVAILABLE'), 5);
  }
}
