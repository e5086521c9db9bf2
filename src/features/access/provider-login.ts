import * as oidc from 'openid-client';
import { problem, RetryLater, reject } from '../../accounting/problem.ts';
import type { IdentityProvider } from '../../platform/config.ts';

/** What a browser keeps while its user is at the provider. */
export interface PendingLogin {
  readonly state: string;
  readonly nonce: string;
  /** Of PKCE (RFC 7636): whoever takes the code on its way cannot use it. */
  readonly verifier: string;
}

const SCOPE = 'openid profile email';
const TIMEOUT_SECONDS = 4;
const RETRY_SECONDS = 5;
/** What a provider says of itself is read again after this time. */
const FRESH_MS = 10 * 60_000;

/** Where the browser goes to sign in at the provider, and what it brings back. */
export async function beginLogin(
  provider: IdentityProvider,
  redirectUri: string,
): Promise<{ address: string; pending: PendingLogin }> {
  const discovered = await discover(provider);
  const pending = {
    state: oidc.randomState(),
    nonce: oidc.randomNonce(),
    verifier: oidc.randomPKCECodeVerifier(),
  };
  const { href } = oidc.buildAuthorizationUrl(discovered, {
    redirect_uri: redirectUri,
    scope: SCOPE,
    state: pending.state,
    nonce: pending.nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(pending.verifier),
    code_challenge_method: 'S256',
  });
  return { address: href, pending };
}

/** The id token for the code that the browser came back with; its signature is checked by `externalLogin`. */
export async function finishLogin(
  provider: IdentityProvider,
  /** With the query that the provider gave it. */
  address: URL,
  { state, nonce, verifier }: PendingLogin,
): Promise<string> {
  const discovered = await discover(provider);
  const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
  const tokens = await oidc.authorizationCodeGrant(discovered, address, checks).catch(rejectGrant);
  return tokens.id_token ?? reject('BAD_CREDENTIALS');
}

function rejectGrant(error: unknown): never {
  if (error instanceof oidc.AuthorizationResponseError) reject('SIGN_IN_CANCELLED');
  if (isUnreachable(error)) throw new RetryLater(problem('IDENTITY_PROVIDER_UNAVAILABLE'), RETRY_SECONDS);
  reject('BAD_CREDENTIALS');
}

/** No answer, or not from the provider itself. */
function isUnreachable(error: unknown): boolean {
  const { code, cause } = error as { code?: string; cause?: { status?: number } };
  return code === 'OAUTH_TIMEOUT' || error instanceof TypeError || (cause?.status ?? 0) >= 500;
}

interface Discovered {
  readonly configuration: Promise<oidc.Configuration>;
  readonly at: number;
}

/** One for each configured provider of a program; logins that come at once share one request. */
const discovered = new WeakMap<IdentityProvider, Discovered>();

async function discover(provider: IdentityProvider): Promise<oidc.Configuration> {
  const known = discovered.get(provider);
  const isFresh = known !== undefined && performance.now() - known.at < FRESH_MS;
  const found = isFresh ? known : { configuration: readConfiguration(provider), at: performance.now() };
  discovered.set(provider, found);
  return found.configuration.catch(() => {
    if (discovered.get(provider) === found) discovered.delete(provider);
    throw new RetryLater(problem('IDENTITY_PROVIDER_UNAVAILABLE'), RETRY_SECONDS);
  });
}

function readConfiguration({ issuer, clientId, clientSecret }: IdentityProvider): Promise<oidc.Configuration> {
  const authentication = clientSecret === undefined ? oidc.None() : undefined;
  return oidc.discovery(new URL(issuer), clientId!, clientSecret, authentication, {
    timeout: TIMEOUT_SECONDS,
    // The configuration takes plain http for this machine alone.
    ...(issuer.startsWith('http:') ? { execute: [oidc.allowInsecureRequests] } : {}),
  });
}
