import { z } from 'zod';
import { reject } from '../../accounting/problem.ts';
import { type ClientCredentials, clientToken } from '../../features/access/client-credentials.ts';
import { optional, text } from '../../http/fields.ts';
import { route } from '../../http/route.ts';

/** What RFC 6749 (5.2) answers in the place of problem+json, at this one address. */
const tokenError = z
  .object({
    error: z.string().meta({ example: 'invalid_client' }),
    error_description: z.string().meta({ example: 'Client or secret is not accepted' }),
  })
  .meta({ title: 'TokenError' });

/** Unknown parameters are ignored, as the RFC asks. */
const request = z
  .object({
    grant_type: text(100, 1).meta({ example: 'client_credentials' }),
    client_id: optional(text(200, 1)).meta({ example: 'folha' }),
    client_secret: optional(text(200, 1)).meta({ example: 'partidas_secret_…' }),
    scope: optional(text(1_000)).meta({
      example: 'routine:IMPORT branch:0001/0001',
      description:
        'Less than the account has, separated by spaces: routine:CODE, company:CODE, branch:COMPANY/BRANCH, codes percent-encoded. ' +
        'No routine but those named; of companies and branches all, if none is named',
    }),
  })
  .meta({ title: 'TokenRequest' });

export const tokenRoute = route({
  operationId: 'getClientToken',
  method: 'POST',
  path: '/api/auth/token',
  summary:
    'Access token for a service account (OAuth 2.0, client_credentials); client and secret by HTTP Basic or in the body',
  tag: 'Authentication',
  access: { to: 'anyone' },
  addition: true,
  accepts: ['form'],
  rfcErrors: true,
  body: request,
  answer: z
    .object({
      access_token: z.string(),
      token_type: z.literal('Bearer'),
      expires_in: z.number().int().meta({ example: 3600 }),
      scope: z.string().meta({ example: 'routine:IMPORT branch:0001/0001' }),
    })
    .meta({ title: 'ClientToken' }),
  otherAnswers: { 400: tokenError, 401: tokenError },
  handle: async ({ body, raw, context, config }) => {
    if (body.grant_type !== 'client_credentials') reject('UNSUPPORTED_GRANT_TYPE');
    const { client_id: clientId, client_secret: secret } = body;
    const basic = raw.headers.authorization;
    if (basic !== undefined && secret !== undefined) reject('INVALID_REQUEST');
    const credentials = basic === undefined ? { clientId, secret } : basicCredentials(basic);
    if (credentials.clientId === undefined || credentials.secret === undefined) return reject('INVALID_CLIENT');
    if (clientId !== undefined && clientId !== credentials.clientId) reject('INVALID_REQUEST');
    const { accessToken, expiresIn, scope } = await clientToken(
      context,
      config,
      credentials as ClientCredentials,
      body.scope,
    );
    return { access_token: accessToken, token_type: 'Bearer' as const, expires_in: expiresIn, scope };
  },
});

/** Both parts are form-encoded before they are joined (RFC 6749, 2.3.1). */
function basicCredentials(header: string): Partial<ClientCredentials> {
  const encoded = /^basic +([A-Za-z0-9+/=]+)$/i.exec(header)?.[1] ?? '';
  const text = Buffer.from(encoded, 'base64').toString();
  const at = text.indexOf(':');
  if (at < 1) return {};
  try {
    const [clientId, secret] = [text.slice(0, at), text.slice(at + 1)].map((part) =>
      decodeURIComponent(part.replaceAll('+', ' ')),
    );
    return clientId && secret && isShort(clientId) && isShort(secret) ? { clientId, secret } : {};
  } catch {
    return {};
  }
}

/** As the fields of the body; what PostgreSQL cannot hold names nobody. */
function isShort(part: string): boolean {
  return part.length <= 200 && part.isWellFormed() && !part.includes('\0');
}
