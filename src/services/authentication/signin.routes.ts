import { z } from 'zod';
import { refuse } from '../../accounting/problem.ts';
import { publishedKeys } from '../../features/access/bootstrap.ts';
import { signIn } from '../../features/access/sign-in.ts';
import { EVERYTHING } from '../../platform/sql.ts';
import { route } from '../wire/route.ts';

export const signInRoute = route({
  method: 'POST',
  path: '/api/auth/signin',
  summary: 'Access token for a local user',
  tag: 'Authentication',
  access: { to: 'anyone' },
  body: z.strictObject({
    username: z.string().min(1).max(200).meta({ example: 'admin' }),
    password: z.string().min(1).max(1_000).meta({ example: 'correct horse battery' }),
    azure: z.boolean().nullish(),
  }),
  answer: z.object({ accessToken: z.string(), tokenType: z.literal('Bearer'), expiresIn: z.number().int() }),
  handle: async ({ body, context, config }) => {
    if (body.azure === true) refuse('INVALID_FIELD', { reason: 'this mode was removed; use external-login' }, 'azure');
    return signIn(context, config, body.username, body.password);
  },
});

export const keySetRoute = route({
  method: 'GET',
  path: '/.well-known/jwks.json',
  summary: 'Public keys of the access tokens',
  tag: 'Authentication',
  access: { to: 'anyone' },
  addition: true,
  handle: async ({ context }) => ({ keys: await publishedKeys(context.database.under(EVERYTHING)) }),
});
