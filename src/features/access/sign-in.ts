import { refuse } from '../../accounting/problem.ts';
import type { Config } from '../../platform/config.ts';
import type { Context } from '../../platform/context.ts';
import { EVERYTHING, type Sql } from '../../platform/sql.ts';
import { signAccessToken } from '../../platform/token.ts';
import { signingKey } from './bootstrap.ts';
import { passwordMatches } from './passwords.ts';

export interface SignedIn {
  readonly accessToken: string;
  readonly tokenType: 'Bearer';
  readonly expiresIn: number;
}

/** The same refusal, after the same time, for an absent, inactive or expired user and for a wrong password. */
export async function signIn(context: Context, config: Config, username: string, password: string): Promise<SignedIn> {
  const user = await userByName(context.database.under(EVERYTHING), username);
  const matches = await passwordMatches(password, user?.passwordHash ?? null);
  if (!matches || !user?.active || (user.expiresAt !== null && user.expiresAt <= context.now()))
    refuse('BAD_CREDENTIALS');
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
