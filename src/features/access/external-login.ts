import { createHash } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, type JWTPayload } from 'jose';
import { isPlainName } from '../../accounting/plain-text.ts';
import { BusinessError, reject } from '../../accounting/problem.ts';
import { recordRef } from '../../accounting/record-name.ts';
import type { Config, IdentityProvider } from '../../platform/config.ts';
import type { Context } from '../../platform/context.ts';
import { recordAudit } from './audit.sql.ts';
import { deleteUsedIdTokensBefore, insertUsedIdToken } from './credentials.sql.ts';
import { ELEVATION } from './elevation-reasons.ts';
import { defaultClaim, IDENTITY_CLAIMS, type Identity } from './identity.ts';
import { ALGORITHMS, verifyByProvider } from './provider-keys.ts';
import { type Admission, maySignIn } from './sign-in.ts';
import { recordSignIn, recordSignInFailure, type SignInAttempt, type SignInFailure } from './sign-in-trail.ts';
import { selectLinkedUser } from './users.read.sql.ts';
import { insertIdentity, insertUser } from './users.sql.ts';
import { readUser } from './users.ts';

/** Providers' id tokens are far shorter. */
const MAX_TOKEN_LENGTH = 16_384;
/** An id token proves a recent sign-in; one with a longer life was not made for that. */
const MAX_LIFETIME_S = 86_400;
const CLOCK_TOLERANCE_S = 5;
const MAX_SUBJECT_LENGTH = 255;

/**
 * Signs in the user that a configured provider identifies, matched by provider, claim and subject only. The token must
 * be made for `audience`, by default the provider's configured one.
 */
export async function externalLogin<Access>(
  context: Context,
  config: Config,
  {
    provider: providerName,
    token,
    audience,
  }: { readonly provider: string; readonly token: string; readonly audience?: string | undefined },
  give: Admission<Access>,
): Promise<Access> {
  const provider = config.identityProviders.find((each) => each.name === providerName);
  if (!provider) {
    reject('INVALID_FIELD', { reason: 'UNKNOWN_PROVIDER' }, 'provider');
  }
  const recordFailure = (comer: SignInAttempt, reason: SignInFailure) => recordSignInFailure(context, comer, reason);
  const expected = audience ?? provider.audience;
  const claims = await claimsOf(provider, token, expected, context.now()).catch(async (error) => {
    if (error instanceof BusinessError) await recordFailure({ username: provider.name }, 'TOKEN_REFUSED');
    throw error;
  });
  const identities = identitiesOf(provider, claims);
  const linkedUser = () => context.elevated(ELEVATION.signIn, (system) => selectLinkedUser(system, identities));
  let user = await linkedUser();
  if (!user && config.autoProvision) {
    await provision(context, identities[0], claims);
    user = await linkedUser();
  }
  if (!user) {
    await recordFailure({ username: `${provider.name} ${identities[0].subject}` }, 'NOT_LINKED');
    reject('NOT_FOUND', recordRef('User'));
  }
  if (!maySignIn(user, context.now())) {
    await recordFailure(user, user.active ? 'EXPIRED' : 'INACTIVE');
    reject('BAD_CREDENTIALS');
  }
  if (!(await isFirstUse(context, provider, token, claims))) {
    await recordFailure(user, 'TOKEN_USED');
    reject('BAD_CREDENTIALS');
  }
  const access = await give(context, user, provider.name);
  await recordSignIn(context, user, provider.name);
  return access;
}

/** An intercepted id token must not work a second time. */
async function isFirstUse(
  context: Context,
  provider: IdentityProvider,
  token: string,
  claims: JWTPayload,
): Promise<boolean> {
  const expiresAt = new Date(((claims.exp ?? 0) + CLOCK_TOLERANCE_S) * 1000);
  return context.elevated(ELEVATION.signIn, async (system) => {
    await deleteUsedIdTokensBefore(system, context.now());
    return insertUsedIdToken(system, {
      provider: provider.name,
      tokenId: tokenIdOf(token, claims),
      expiresAt,
    });
  });
}

/** Without a `jti`, the signed text: one text may have several valid signatures. */
function tokenIdOf(token: string, { jti }: JWTPayload): string {
  if (isSubject(jti)) return `jti ${jti}`;
  return `sha256 ${createHash('sha256')
    .update(token.slice(0, token.lastIndexOf('.')))
    .digest('base64url')}`;
}

/** Rejects what can be rejected before the provider's keys are fetched. */
async function claimsOf(provider: IdentityProvider, token: string, audience: string, now: Date): Promise<JWTPayload> {
  const header = headerOf(token);
  if (!header || !ALGORITHMS.includes(header.alg ?? '') || header.typ?.toLowerCase().endsWith('at+jwt')) {
    reject('BAD_CREDENTIALS');
  }
  const verified = await verifyByProvider(provider, token, header, {
    algorithms: [...ALGORITHMS],
    issuer: provider.issuer,
    audience,
    requiredClaims: ['iss', 'aud', 'sub', 'exp', 'iat'],
    clockTolerance: CLOCK_TOLERANCE_S,
    currentDate: now,
  });
  const claims = verified ?? reject('BAD_CREDENTIALS');
  const { iat = 0, exp = 0, aud, azp } = claims;
  if (iat > now.getTime() / 1000 + CLOCK_TOLERANCE_S || exp - iat > MAX_LIFETIME_S) reject('BAD_CREDENTIALS');
  // A token for several audiences must name the program as its authorized party.
  const isForSeveral = Array.isArray(aud) && aud.length > 1;
  if ((azp !== undefined || isForSeveral) && azp !== audience) reject('BAD_CREDENTIALS');
  return claims;
}

function headerOf(token: string): { alg?: string; kid?: string; typ?: string } | undefined {
  if (token.length > MAX_TOKEN_LENGTH) return undefined;
  try {
    decodeJwt(token);
    const { alg, kid, typ } = decodeProtectedHeader(token);
    return {
      ...(typeof alg === 'string' ? { alg } : {}),
      ...(typeof kid === 'string' ? { kid } : {}),
      ...(typeof typ === 'string' ? { typ } : {}),
    };
  } catch {
    return undefined;
  }
}

/** What the token says about who it is, the provider's usual claim first. A claim that is there must be a text. */
function identitiesOf(provider: IdentityProvider, claims: JWTPayload): [Identity, ...Identity[]] {
  const present = IDENTITY_CLAIMS.filter((claim) => claim === 'sub' || claims[claim] !== undefined);
  const identities = present.map((claim): Identity => {
    const subject = claims[claim];
    return { provider: provider.name, claim, subject: isSubject(subject) ? subject : reject('BAD_CREDENTIALS') };
  });
  const usual = defaultClaim(provider.name);
  const [first, ...others] = identities.sort((a, b) => Number(b.claim === usual) - Number(a.claim === usual));
  return [first!, ...others];
}

function isSubject(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value.trim() !== '' &&
    value.length <= MAX_SUBJECT_LENGTH &&
    value.isWellFormed() &&
    !/\p{Cc}/u.test(value)
  );
}

/** A user who may do nothing yet. Of two concurrent first sign-ins, one creates it. */
async function provision(context: Context, identity: Identity, claims: JWTPayload): Promise<void> {
  const { provider, subject } = identity;
  await context
    .elevated(ELEVATION.signIn, (system) =>
      system.transaction(async (sql) => {
        const id = await insertUser(
          sql,
          {
            username: `${provider}:${crypto.randomUUID()}`,
            name:
              shortText(claims.name) ?? shortText(claims.preferred_username) ?? `${provider} ${subject}`.slice(0, 200),
            email: shortText(claims.email),
            active: true,
            expiresAt: undefined,
            admin: false,
          },
          null,
        );
        if (!(await insertIdentity(sql, id, identity))) throw new AlreadyProvisioned();
        const after = await readUser(sql, id);
        const caller = { id, username: after.username, admin: false };
        await recordAudit(sql, { ...context, caller }, { action: 'CREATE', entity: 'user', entityId: id, after });
      }),
    )
    .catch((error) => {
      if (!(error instanceof AlreadyProvisioned)) throw error;
    });
}

class AlreadyProvisioned extends Error {}

function shortText(claim: unknown): string | undefined {
  if (typeof claim !== 'string' || !claim.isWellFormed()) return undefined;
  const plain = claim
    .replace(/\p{Cc}/gu, '')
    .trim()
    .normalize('NFC');
  return plain === '' || !isPlainName(plain) ? undefined : [...plain].slice(0, 200).join('');
}
