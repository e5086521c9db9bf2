import { refuse } from '../../accounting/problem.ts';
import type { Config } from '../../platform/config.ts';
import type { Context } from '../../platform/context.ts';
import { EVERYTHING, type Sql } from '../../platform/sql.ts';
import { signAccessToken } from '../../platform/token.ts';
import { signingKey } from './bootstrap.ts';
import { attemptPassword } from './sign-in-attempts.ts';

export interface SignedIn {
  readonly accessToken: string;
  readonly tokenType: 'Bearer';
  readonly expiresIn: number;
}

/** The same refusal, after the same time, for an absent, inactive or expired user and for a wrong password. */
export async function signIn(context: Context, config: Config, username: string, password: string): Promise<SignedIn> {
  const user = await userByName(context.database.under(EVERYTHING), username);
  const passes = await attemptPassword(context, {
    username,
    password,
    passwordHash: user?.passwordHash ?? null,
    allowed: user !== undefined && maySignIn(user, context.now()),
  });
  if (!user || !passes) refuse('BAD_CREDENTIALS');
  return issueToken(context, config, user);
}

export function maySignIn(user: { active: boolean; expiresAt: Date | null }, now: Date): boolean {
  return user.active && (user.expiresAt === null || user.expiresAt > now);
}

export async function issueToken(
  context: Context,
  config: Config,
  user: { id: number; username: string },
): Promise<SignedIn> {
  const key = await signingKey(context.database);
  const accessToken = await signAccessToken(key, user, {
    issuer: config.tokenIssuer,
    audience: config.tokenAudience,
    lifetimeSeconds: config.accessTokenTtl,
    now: context.now(),
  });
  return { accessToken, tokenType: 'Bearer', expiresIn: config.accessTokenTtl };
}

interface LocalUser {
  readonly id: number;
  readonly username: string;
  readonly passwordHash: string | null;
  readonly active: boolean;
  readonly expiresAt: Date | null;
}

function userByName(sql: Sql, username: string): Promise<LocalUser | undefined> {
  return sql.maybe<LocalUser>({
    name: 'user-by-name',
    text: `SELECT app_user.id, app_user.username, app_user.password_hash AS "passwordHash", app_user.active,
                  app_user.expires_at AS "expiresAt"
             FROM app_user WHERE lower(app_user.username) = lower($1)`,
    values: [username],
  });
}
