import { decodeJwt, decodeProtectedHeader, type JWTPayload } from 'jose';
import { refuse } from '../../accounting/problem.ts';
import { named } from '../../accounting/record-name.ts';
import type { Config, IdentityProvider } from '../../platform/config.ts';
import type { Context } from '../../platform/context.ts';
import { EVERYTHING } from '../../platform/sql.ts';
import { recordAudit } from './audit.sql.ts';
import { ALGORITHMS, verifiedByProvider } from './provider-keys.ts';
import { issueToken, maySignIn, type SignedIn } from './sign-in.ts';
import { type Identity, selectLinkedUser } from './users.read.sql.ts';
import { insertIdentity, insertUser } from './users.sql.ts';
import { readUser } from './users.ts';

/** No provider's id token is near it. */
const MAX_TOKEN_LENGTH = 16_384;
/** An id token says who signed in just now; one that lasts longer was not made for that. */
const MAX_LIFETIME_S = 86_400;
const CLOCK_TOLERANCE_S = 5;

/** Signs in whoever a configured provider vouches for, matched by provider and subject and by nothing else. */
export async function externalLogin(
  context: Context,
  config: Config,
  providerName: string,
  token: string,
): Promise<SignedIn> {
  const provider = config.identityProviders.find((each) => each.name === providerName);
  if (!provider) {
    refuse('INVALID_FIELD', { reason: 'not a configured provider', reasonPt: 'provedor não configurado' }, 'provider');
  }
  const claims = await claimsOf(provider, token, context.now());
  const identity = { provider: provider.name, subject: subjectOf(provider, claims) };
  const sql = context.database.under(EVERYTHING);
  let user = await selectLinkedUser(sql, identity);
  if (!user && config.autoProvision) {
    await provision(context, identity, claims);
    user = await selectLinkedUser(sql, identity);
  }
  if (!user) refuse('NOT_FOUND', named('User'));
  if (!maySignIn(user, context.now())) refuse('BAD_CREDENTIALS');
  return issueToken(context, config, user);
}

/** Refuses what can be refused by reading before the provider is asked for its keys. */
async function claimsOf(provider: IdentityProvider, token: string, now: Date): Promise<JWTPayload> {
  const header = headerOf(token);
  if (!header || !ALGORITHMS.includes(header.alg ?? '') || header.typ?.toLowerCase().endsWith('at+jwt')) {
    refuse('BAD_CREDENTIALS');
  }
  const verified = await verifiedByProvider(provider, token, header, {
    algorithms: [...ALGORITHMS],
    issuer: provider.issuer,
    audience: provider.audience,
    requiredClaims: ['iss', 'aud', 'sub', 'exp', 'iat'],
    clockTolerance: CLOCK_TOLERANCE_S,
    currentDate: now,
  });
  const claims = verified ?? refuse('BAD_CREDENTIALS');
  const { iat = 0, exp = 0, aud, azp } = claims;
  if (iat > now.getTime() / 1000 + CLOCK_TOLERANCE_S || exp - iat > MAX_LIFETIME_S) refuse('BAD_CREDENTIALS');
  // A token for several audiences names the one it was asked for by.
  if (Array.isArray(aud) && aud.length > 1 && azp !== provider.audience) refuse('BAD_CREDENTIALS');
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

/** The enterprise directory's `sub` differs from application to application; its `oid` does not. */
function subjectOf(provider: IdentityProvider, claims: JWTPayload): string {
  const subject = provider.name === 'AZURE' && typeof claims.oid === 'string' ? claims.oid : claims.sub;
  if (typeof subject !== 'string' || subject === '' || subject.length > 255 || /\p{Cc}/u.test(subject)) {
    refuse('BAD_CREDENTIALS');
  }
  return subject;
}

/** A user who may do nothing yet. Of two first sign-ins at the same moment, one makes it. */
async function provision(context: Context, identity: Identity, claims: JWTPayload): Promise<void> {
  const { provider, subject } = identity;
  await context.database
    .transaction(EVERYTHING, async (sql) => {
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
    })
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
  return plain === '' ? undefined : [...plain].slice(0, 200).join('');
}
