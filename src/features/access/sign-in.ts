import { refuse } from '../../accounting/problem.ts';
import type { Config } from '../../platform/config.ts';
import type { Context } from '../../platform/context.ts';
import { EVERYTHING } from '../../platform/sql.ts';
import { signAccessToken } from '../../platform/token.ts';
import { selectLocalUser, type UserSigningIn } from './credentials.sql.ts';
import { attemptPassword } from './sign-in-attempts.ts';
import { signingKey } from './signing-keys.ts';
import { selectCredentialVersion } from './users.read.sql.ts';

export interface SignedIn {
  readonly accessToken: string;
  readonly tokenType: 'Bearer';
  readonly expiresIn: number;
}

/** The same refusal, after the same time, for an absent, inactive or expired user and for a wrong password. */
export async function signIn(context: Context, config: Config, username: string, password: string): Promise<SignedIn> {
  const user = await selectLocalUser(context.database.under(EVERYTHING), username);
  const passes = await attemptPassword(context, {
    username,
    password,
    passwordHash: user?.passwordHash ?? null,
    allowed: user !== undefined && maySignIn(user, context.now()),
  });
  if (!user || !passes) refuse('BAD_CREDENTIALS');
  return issueToken(context, config, user);
}

export function maySignIn(user: Pick<UserSigningIn, 'active' | 'expiresAt'>, now: Date): boolean {
  return user.active && (user.expiresAt === null || user.expiresAt > now);
}

/** For the credentials as they were read at the beginning: refused when they have changed since. */
export async function issueToken(context: Context, config: Config, user: UserSigningIn): Promise<SignedIn> {
  const present = await selectCredentialVersion(context.database.under(EVERYTHING), user.id);
  if (present?.credentialVersion !== user.credentialVersion) refuse('BAD_CREDENTIALS');
  const key = await signingKey(context.database);
  const accessToken = await signAccessToken(key, user, {
    issuer: config.tokenIssuer,
    audience: config.tokenAudience,
    lifetimeSeconds: config.accessTokenTtl,
    now: context.now(),
  });
  return { accessToken, tokenType: 'Bearer', expiresIn: config.accessTokenTtl };
}
