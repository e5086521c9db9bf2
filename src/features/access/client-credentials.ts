import { timingSafeEqual } from 'node:crypto';
import { reject } from '../../accounting/problem.ts';
import type { Config } from '../../platform/config.ts';
import type { Context } from '../../platform/context.ts';
import { signAccessToken } from '../../platform/token.ts';
import { ELEVATION } from './elevation-reasons.ts';
import { isInNetworks } from './network.ts';
import { selectUserState } from './permissions.read.sql.ts';
import { type Client, selectClient, touchSecret } from './service-accounts.sql.ts';
import { hashOfSecret } from './service-accounts.ts';
import { maySignIn } from './sign-in.ts';
import { countClientFailure } from './sign-in-attempts.ts';
import { recordSignIn, recordSignInFailure, type SignInFailure } from './sign-in-trail.ts';
import { signingKey } from './signing-keys.ts';
import { grantedScope } from './token-scope.ts';

export interface ClientCredentials {
  readonly clientId: string;
  readonly secret: string;
}

export interface ClientToken {
  readonly accessToken: string;
  readonly expiresIn: number;
  readonly scope: string;
}

/**
 * A token for a service account (RFC 6749, 4.4). The same INVALID_CLIENT for an unknown client, a wrong or ended secret,
 * an account that may not sign in and a foreign network; INVALID_SCOPE for a scope beyond the account's rights.
 */
export async function clientToken(
  context: Context,
  config: Config,
  { clientId, secret }: ClientCredentials,
  scope: string | undefined,
): Promise<ClientToken> {
  const now = context.now();
  const client = await context.elevated(ELEVATION.signIn, (system) => selectClient(system, clientId, now));
  const found = secretOf(client, secret);
  const failure = failureOf(context, client, found);
  if (failure !== undefined || !client || !found) {
    await rejectClient(context, client ?? { username: clientId }, failure ?? 'WRONG_SECRET');
    return reject('INVALID_CLIENT');
  }
  const { user, granted, key } = await context.elevated(ELEVATION.signIn, async (system) => {
    const state = (await selectUserState(system, client.id)) ?? reject('INVALID_CLIENT');
    const scopeOfToken = await grantedScope(system, state, scope);
    await touchSecret(system, found.id, now);
    return { user: state, granted: scopeOfToken, key: await signingKey(system) };
  });
  const settings = {
    issuer: config.tokenIssuer,
    audience: config.tokenAudience,
    lifetimeSeconds: config.accessTokenTtl,
    now,
  };
  const narrowing = granted.rights && { scope: granted.scope, rights: granted.rights };
  const accessToken = await signAccessToken(key, user, settings, narrowing);
  await recordSignIn(context, user, 'CLIENT_SECRET');
  return { accessToken, expiresIn: config.accessTokenTtl, scope: granted.scope };
}

/** Every secret of the client is looked at, whichever fits. */
function secretOf(client: Client | undefined, secret: string): Client['secrets'][number] | undefined {
  const hash = hashOfSecret(secret);
  const fitting = (client?.secrets ?? []).filter((each) => timingSafeEqual(Buffer.from(each.hash, 'base64'), hash));
  return fitting[0];
}

function failureOf(
  context: Context,
  client: Client | undefined,
  secret: Client['secrets'][number] | undefined,
): SignInFailure | undefined {
  if (!client) return 'UNKNOWN_USER';
  if (!secret) return 'WRONG_SECRET';
  if (secret.isExpired) return 'SECRET_EXPIRED';
  if (!client.active) return 'INACTIVE';
  if (!maySignIn(client, context.now())) return 'EXPIRED';
  return isInNetworks(client.networks, context.address) ? undefined : 'NETWORK';
}

async function rejectClient(
  context: Context,
  comer: { readonly id?: number; readonly username: string },
  failure: SignInFailure,
): Promise<void> {
  await countClientFailure(context);
  await recordSignInFailure(context, comer, failure);
}
