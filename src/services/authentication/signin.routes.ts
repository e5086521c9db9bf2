import { z } from 'zod';
import { reject } from '../../accounting/problem.ts';
import { ELEVATION } from '../../features/access/elevation-reasons.ts';
import { externalLogin } from '../../features/access/external-login.ts';
import { enrolSecondFactor, signIn, tokenOf } from '../../features/access/sign-in.ts';
import { publishedKeys } from '../../features/access/signing-keys.ts';
import { credentials, optional, text } from '../../http/fields.ts';
import { rejectRequest } from '../../http/request-error.ts';
import { route } from '../../http/route.ts';
import { tokenRoute } from './token.routes.ts';

const tag = 'Authentication';
const signedIn = z.object({
  accessToken: z.string(),
  tokenType: z.literal('Bearer'),
  expiresIn: z.number().int().meta({ example: 3600 }),
});

export const signInRoute = route({
  operationId: 'signIn',
  method: 'POST',
  path: '/api/auth/signin',
  summary: 'Access token for a local user',
  tag,
  access: { to: 'anyone' },
  body: z.strictObject({
    ...credentials(),
    azure: z.boolean().nullish().meta({ example: false }),
    totp: optional(text(40, 1)).meta({
      example: null,
      description: 'Code of the second factor, or a recovery code in its place',
    }),
  }),
  answer: signedIn,
  handle: async ({ body, context, config }) => {
    if (body.azure === true) {
      const reason = {
        en: 'this mode was removed; use external-login',
        pt: 'este modo foi removido; use external-login',
      };
      rejectRequest('INVALID_FIELD', { reason }, 'azure');
    }
    return signIn(context, config, body, tokenOf(config));
  },
});

export const enrolSecondFactorRoute = route({
  operationId: 'enrolSecondFactor',
  method: 'POST',
  path: '/api/auth/mfa/enrolment',
  summary: 'Second factor for an administrator, shown once; in force from the first sign-in with one of its codes on',
  tag,
  access: { to: 'anyone' },
  addition: true,
  body: z.strictObject({
    ...credentials(),
  }),
  status: 201,
  answer: z.object({
    secret: z.string().meta({ example: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ' }),
    uri: z.string().meta({ example: 'otpauth://totp/Partidas:admin?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ' }),
    recoveryCodes: z.array(z.string()).meta({ example: ['GEZDGNBVGY3TQOJQ'] }),
  }),
  handle: async ({ body, context, config }) => enrolSecondFactor(context, config, body),
});

export const externalLoginRoute = route({
  operationId: 'signInWithProvider',
  method: 'POST',
  path: '/api/auth/external-login',
  summary: 'Access token for the user whom an identity provider vouches for',
  tag,
  access: { to: 'anyone' },
  body: z.strictObject({
    provider: text(100, 1).meta({ example: 'AZURE' }),
    token: z.string().min(1).meta({ example: 'eyJhbGciOiJSUzI1NiJ9.e30.c2ln' }),
    tokenType: z.literal('ID_TOKEN').meta({ example: 'ID_TOKEN' }),
  }),
  answer: signedIn,
  handle: async ({ body, context, config }) => externalLogin(context, config, body, tokenOf(config)),
});

export const removedSignInRoute = route({
  operationId: 'signInWithLegacyProvider',
  method: 'POST',
  path: '/api/auth/signin-{legacyProvider}',
  summary: 'Removed; use external-login',
  tag,
  access: { to: 'anyone' },
  deprecated: true,
  params: z.object({ legacyProvider: z.string().meta({ example: 'azure' }) }),
  query: z.object({}),
  status: 404,
  handle: async () => reject('OPERATION_REMOVED', { instead: 'POST /api/auth/external-login' }),
});

export const keySetRoute = route({
  operationId: 'getKeySet',
  method: 'GET',
  path: '/.well-known/jwks.json',
  summary: 'Public keys of the access tokens',
  tag,
  access: { to: 'anyone' },
  addition: true,
  answer: z.object({
    keys: z.array(
      z.object({
        kty: z.string(),
        crv: z.string(),
        x: z.string(),
        y: z.string(),
        kid: z.string(),
        use: z.string(),
        alg: z.string(),
      }),
    ),
  }),
  handle: async ({ context }) => ({ keys: await context.elevated(ELEVATION.publishedKeys, publishedKeys) }),
});

export const metadataRoute = route({
  operationId: 'getOpenIdConfiguration',
  method: 'GET',
  path: '/.well-known/openid-configuration',
  summary: 'What other software needs to verify the access tokens',
  tag,
  access: { to: 'anyone' },
  addition: true,
  answer: z.object({
    issuer: z.string(),
    jwks_uri: z.string(),
    token_endpoint: z.string(),
    grant_types_supported: z.array(z.string()),
    token_endpoint_auth_methods_supported: z.array(z.string()),
    response_types_supported: z.array(z.string()),
    subject_types_supported: z.array(z.string()),
    id_token_signing_alg_values_supported: z.array(z.string()),
    claims_supported: z.array(z.string()),
  }),
  handle: async ({ addressOf, config }) => {
    const base = addressOf('authentication');
    return {
      issuer: config.tokenIssuer,
      jwks_uri: `${base}${keySetRoute.path}`,
      token_endpoint: `${base}${tokenRoute.path}`,
      grant_types_supported: ['client_credentials'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      response_types_supported: ['token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
      claims_supported: ['iss', 'sub', 'aud', 'iat', 'exp', 'jti', 'username', 'ver'],
    };
  },
});
