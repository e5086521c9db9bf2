import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { BusinessError, RetryLater } from '../../accounting/problem.ts';
import { externalLogin } from '../../features/access/external-login.ts';
import { beginLogin, finishLogin, type PendingLogin } from '../../features/access/provider-login.ts';
import { openSession } from '../../features/access/sessions/open-session.ts';
import { text } from '../../http/fields.ts';
import { type Request, RouteResponse, route } from '../../http/route.ts';
import type { Config, IdentityProvider } from '../../platform/config.ts';
import { cookieOf, requireProtection, sessionCookie } from './guard.ts';

const tag = 'Sign-in';
const SIGN_IN_PLACE = '/entrar';

/** Lax: it must come with the way back from the provider, which is another site. */
const COOKIE = '__Host-partidas-entrar';
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Lax';
const MINUTES = 10;

const params = z.object({ provider: text(100, 1).meta({ example: 'AZURE' }) });

export const providersRoute = route({
  operationId: 'listSignInProviders',
  method: 'GET',
  path: '/api/console/providers',
  summary: 'Identity providers that the console signs in with',
  tag,
  access: { to: 'anyone' },
  addition: true,
  answer: z.array(
    z
      .object({
        name: z.string().meta({ example: 'AZURE' }),
        label: z.string().meta({ example: 'Conta da instituição' }),
      })
      .meta({ title: 'SignInProvider' }),
  ),
  handle: async ({ config }) =>
    config.identityProviders
      .filter(({ clientId }) => clientId !== undefined)
      .map(({ name, label }) => ({ name, label: label ?? name })),
});

export const beginLoginRoute = route({
  operationId: 'beginProviderSignIn',
  method: 'GET',
  path: '/entrar/{provider}',
  summary: 'Sends the browser to an identity provider',
  tag,
  access: { to: 'anyone' },
  addition: true,
  params,
  query: z.object({
    volta: z.string().max(4_000).optional().meta({ example: '/', description: 'Place of the console to come back to' }),
  }),
  status: 303,
  headers: ['Location', 'Set-Cookie'],
  handle: async (request) => {
    const { params: asked, query, config, raw } = request;
    const place = placeWithin(query.volta);
    return orBack(request, place, async () => {
      const provider = providerOf(config, asked.provider);
      if (provider === undefined) return backToSignIn('UNKNOWN_PROVIDER', place);
      requireProtection(raw);
      const { address, pending } = await beginLogin(provider, redirectUriOf(raw, provider));
      return elsewhere(address, pendingCookie({ ...pending, provider: provider.name, place }));
    });
  },
});

export const finishLoginRoute = route({
  operationId: 'finishProviderSignIn',
  method: 'GET',
  path: '/entrar/{provider}/volta',
  summary: 'Where the identity provider sends the browser back: opens the session and goes to the saved place',
  tag,
  access: { to: 'anyone' },
  addition: true,
  params,
  query: z.object({ code: z.string().optional(), state: z.string().optional() }),
  status: 303,
  headers: ['Location', 'Set-Cookie'],
  handle: async (request) => {
    const { params: asked, context, config, raw } = request;
    const pending = pendingOf(raw);
    const provider = providerOf(config, asked.provider);
    if (pending === undefined || provider === undefined || pending.provider !== provider.name) {
      return backToSignIn('SIGN_IN_EXPIRED', pending?.place ?? '/');
    }
    return orBack(request, pending.place, async () => {
      requireProtection(raw);
      const address = new URL(redirectUriOf(raw, provider));
      address.search = new URL(raw.url, address).search;
      const token = await finishLogin(provider, address, pending);
      const vouched = { provider: provider.name, token, audience: provider.clientId };
      const cookie = await externalLogin(context, config, vouched, openSession(raw.headers['user-agent'] ?? ''));
      return elsewhere(placeWithin(pending.place), sessionCookie(cookie), pendingCookie(undefined));
    });
  },
});

/** A rejection is shown by the page where one signs in, in the words that it has for the code. */
async function orBack(
  { context }: Pick<Request<undefined, undefined, undefined>, 'context'>,
  place: string,
  work: () => Promise<RouteResponse<string>>,
): Promise<RouteResponse<string>> {
  try {
    return await work();
  } catch (error) {
    const rejection =
      error instanceof BusinessError ? error.problems[0] : error instanceof RetryLater ? error.problem : undefined;
    if (rejection === undefined) throw error;
    context.log.info({ code: rejection.code }, 'sign-in with a provider rejected');
    return backToSignIn(rejection.code, place);
  }
}

function backToSignIn(code: string, place: string): RouteResponse<string> {
  const query = new URLSearchParams({ erro: code, ...(place === '/' ? {} : { volta: place }) });
  return elsewhere(`${SIGN_IN_PLACE}?${query}`, pendingCookie(undefined));
}

function elsewhere(location: string, ...cookies: string[]): RouteResponse<string> {
  return new RouteResponse(303, '', { location, 'set-cookie': cookies });
}

function providerOf({ identityProviders }: Config, name: string): IdentityProvider | undefined {
  return identityProviders.find((each) => each.name === name && each.clientId !== undefined);
}

/** The provider knows it: it must be registered there as it stands. */
function redirectUriOf({ protocol, host }: FastifyRequest, { name }: IdentityProvider): string {
  return `${protocol}://${host}${SIGN_IN_PLACE}/${encodeURIComponent(name)}/volta`;
}

/** A place of the console itself. What could lead to another host is taken for its start. */
export function placeWithin(place: string | undefined): string {
  if (place === undefined || !/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(place)) return '/';
  const { origin, pathname, search } = new URL(place, 'http://console.invalid');
  const isWithin = origin === 'http://console.invalid' && !/^\/(?:\/|api\/|entrar)/.test(pathname);
  return isWithin ? pathname + search : '/';
}

const pendingSchema = z.object({
  provider: z.string(),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  place: z.string(),
});

/** The Set-Cookie that keeps it, or removes it. */
function pendingCookie(pending: (PendingLogin & { provider: string; place: string }) | undefined): string {
  const value = pending === undefined ? '' : Buffer.from(JSON.stringify(pending)).toString('base64url');
  return `${COOKIE}=${value}; Max-Age=${pending === undefined ? 0 : MINUTES * 60}; ${ATTRIBUTES}`;
}

function pendingOf({ headers }: FastifyRequest): z.output<typeof pendingSchema> | undefined {
  const value = cookieOf({ headers }, COOKIE);
  if (value === undefined) return undefined;
  try {
    return pendingSchema.safeParse(JSON.parse(Buffer.from(value, 'base64url').toString())).data;
  } catch {
    return undefined;
  }
}
