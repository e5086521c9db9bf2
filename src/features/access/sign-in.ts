import { type ProblemCode, RetryLater, reject } from '../../accounting/problem.ts';
import type { Config } from '../../platform/config.ts';
import type { Context } from '../../platform/context.ts';
import { signAccessToken } from '../../platform/token.ts';
import { type LocalUser, selectLocalUser, type UserSigningIn } from './credentials.sql.ts';
import { ELEVATION } from './elevation-reasons.ts';
import { checkSecondFactor, type Enrolment, enrol, type SecondFactor } from './second-factor.ts';
import { attemptPassword, countFailure } from './sign-in-attempts.ts';
import { recordSignIn, recordSignInFailure, type SignInFailure } from './sign-in-trail.ts';
import { signingKey } from './signing-keys.ts';
import { selectCredentialVersion } from './users.read.sql.ts';

export interface SignedIn {
  readonly accessToken: string;
  readonly tokenType: 'Bearer';
  readonly expiresIn: number;
}

export interface LocalSignIn {
  readonly username: string;
  readonly password: string;
  /** The code of the second factor, or a recovery code in its place. */
  readonly totp?: string | undefined;
}

/** What whoever has signed in gets: a token, a session. `how` is PASSWORD, PASSWORD_AND_CODE or a provider's name. */
export type Admission<Access> = (context: Context, user: UserSigningIn, how: string) => Promise<Access>;

/** The same error, after the same time, for an absent, inactive or expired user and for a wrong password. */
export async function signIn<Access>(
  context: Context,
  config: Config,
  request: LocalSignIn,
  give: Admission<Access>,
): Promise<Access> {
  const user = await userWithPassword(context, request);
  const outcome = await checkSecondFactor(context, config, user, request.totp);
  if (outcome !== 'PASSED') return rejectSecondFactor(context, user, outcome);
  const how = request.totp === undefined ? 'PASSWORD' : 'PASSWORD_AND_CODE';
  const access = await give(context, user, how);
  await recordSignIn(context, user, how);
  return access;
}

/** A second factor for a user who knows the password: a token alone must not be enough to add one. */
export async function enrolSecondFactor(
  context: Context,
  config: Config,
  request: Omit<LocalSignIn, 'totp'>,
): Promise<Enrolment> {
  return enrol(context, config, await userWithPassword(context, request));
}

async function userWithPassword(context: Context, { username, password }: LocalSignIn): Promise<LocalUser> {
  const user = await context.elevated(ELEVATION.signIn, (system) => selectLocalUser(system, username));
  const passes = await attemptPassword(context, {
    username,
    password,
    passwordHash: user?.passwordHash ?? null,
    allowed: user !== undefined && maySignIn(user, context.now()),
  }).catch(async (error) => {
    if (error instanceof RetryLater) await recordSignInFailure(context, attemptOf(user, username), 'TOO_MANY_ATTEMPTS');
    throw error;
  });
  if (user && passes) return user;
  await recordSignInFailure(context, attemptOf(user, username), reasonOf(user, context.now()));
  reject('BAD_CREDENTIALS');
}

const attemptOf = (user: LocalUser | undefined, username: string) => user ?? { username };

function reasonOf(user: LocalUser | undefined, now: Date): SignInFailure {
  if (!user) return 'UNKNOWN_USER';
  if (!user.active) return 'INACTIVE';
  return maySignIn(user, now) ? 'WRONG_PASSWORD' : 'EXPIRED';
}

const REJECTED_FACTORS = {
  CODE_MISSING: 'MFA_REQUIRED',
  NOT_ENROLLED: 'MFA_NOT_ENROLLED',
  WRONG_CODE: 'BAD_CREDENTIALS',
} as const satisfies Record<Exclude<SecondFactor, 'PASSED'>, ProblemCode>;

async function rejectSecondFactor(
  context: Context,
  user: LocalUser,
  outcome: keyof typeof REJECTED_FACTORS,
): Promise<never> {
  if (outcome === 'WRONG_CODE') await countFailure(context, user.username);
  await recordSignInFailure(context, user, outcome);
  reject(REJECTED_FACTORS[outcome]);
}

export function maySignIn(user: Pick<UserSigningIn, 'active' | 'expiresAt'>, now: Date): boolean {
  return user.active && (user.expiresAt === null || user.expiresAt > now);
}

/** The credentials that were read at the beginning have changed since. */
export async function rejectChangedCredentials(context: Context, user: UserSigningIn): Promise<never> {
  await recordSignInFailure(context, user, 'CREDENTIALS_CHANGED');
  reject('BAD_CREDENTIALS');
}

/** An access token. */
export const tokenOf =
  (config: Config): Admission<SignedIn> =>
  (context, user) =>
    issueToken(context, config, user);

async function issueToken(context: Context, config: Config, user: UserSigningIn): Promise<SignedIn> {
  const present = await context.elevated(ELEVATION.signIn, (system) => selectCredentialVersion(system, user.id));
  if (present?.credentialVersion !== user.credentialVersion) return rejectChangedCredentials(context, user);
  const key = await context.elevated(ELEVATION.signIn, signingKey);
  const accessToken = await signAccessToken(key, user, {
    issuer: config.tokenIssuer,
    audience: config.tokenAudience,
    lifetimeSeconds: config.accessTokenTtl,
    now: context.now(),
  });
  return { accessToken, tokenType: 'Bearer', expiresIn: config.accessTokenTtl };
}
