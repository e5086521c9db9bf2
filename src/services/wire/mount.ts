import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { z } from 'zod';
import { problem, Refusal, refuse } from '../../accounting/problem.ts';
import type { Access, CompanyTenant, Tenant } from '../../features/access/access.ts';
import { answerOnce } from '../../features/access/answer-once.ts';
import type { UserState } from '../../features/access/permissions.read.sql.ts';
import { needsDisk, workOf } from '../../features/budgets.ts';
import type { House } from '../../features/house.ts';
import { type Context, contextOn } from '../../platform/context.ts';
import type { Log } from '../../platform/log.ts';
import { admit, costOf } from './admit.ts';
import { Answer, type Request, type Route } from './route.ts';

declare module 'fastify' {
  interface FastifyRequest {
    user?: UserState;
  }
}

/**
 * Puts the routes on the server: token first, then the shape of the input, then who may call it, then the use case.
 * A route without an access declaration stops the program. With `everybody`, no token is asked for and every caller is
 * that user.
 */
export function mountRoutes(
  app: FastifyInstance,
  routes: readonly Route[],
  house: House,
  log: Log,
  everybody?: UserState,
): void {
  for (const each of routes) {
    if (each.access === undefined)
      throw new Error(`${each.method} ${each.path} declares neither a tenant nor that it has none`);
    mountRoute(app, each, house, log, everybody);
  }
}

function mountRoute(
  app: FastifyInstance,
  route: Route,
  house: House,
  log: Log,
  everybody: UserState | undefined,
): void {
  const options: RouteOptions = {
    method: route.method,
    url: route.path.replace(/\{(\w+)\}/g, ':$1'),
    schema: {
      summary: route.summary,
      tags: [route.tag],
      ...(route.access.to === 'anyone' ? {} : { security: [{ bearer: [] }] }),
      ...(route.deprecated ? { deprecated: true } : {}),
      ...(route.accepts ? { consumes: route.accepts.flatMap((kind) => CONSUMED[kind]) } : {}),
      params: route.params ?? z.object({}),
      querystring: route.query ?? z.strictObject({}),
      ...(route.body === undefined ? {} : { body: route.body }),
      response: { [route.status]: route.answer ?? z.any(), ...route.otherAnswers, '4xx': PROBLEM, '5xx': PROBLEM },
    },
    onRequest: async (request, reply) => {
      if (route.deprecation) reply.headers(deprecationHeaders(route.deprecation, house));
      if (route.access.to !== 'anyone') request.user = everybody ?? (await authenticated(request, house));
      refuseEncodedBody(request);
    },
    preValidation: async (request) => refuseWrongMediaType(route, request),
    handler: (request, reply) => handle(route, request, reply, house, log),
  };
  if (route.streamedJson) mountWithUnreadJson(app, options);
  else app.route(options);
}

/** Nobody parses a JSON body there: the handler finds the stream. */
function mountWithUnreadJson(app: FastifyInstance, options: RouteOptions): void {
  app.register(async (inner) => {
    inner.removeContentTypeParser('application/json');
    inner.addContentTypeParser('application/json', (_request, payload, done) => done(null, payload));
    inner.route(options);
  });
}

const PROBLEM = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.number(),
    detail: z.string(),
    instance: z.string(),
    code: z.string(),
    errors: z.array(z.object({ field: z.string(), message: z.string() })),
  })
  .meta({ description: 'application/problem+json' });

function deprecationHeaders({ since, successor }: NonNullable<Route['deprecation']>, { addressOf }: House) {
  const address = addressOf(successor.service) + successor.path;
  return { deprecation: `@${since.getTime() / 1000}`, link: `<${address}>; rel="successor-version"` };
}

async function authenticated(request: FastifyRequest, house: House): Promise<UserState> {
  const token = /^bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  // Of two headers Node shows the first; what stands before the program may have looked at the other.
  if (token === undefined || isSentTwice(request, 'authorization')) refuse('UNAUTHENTICATED');
  const valid = await house.verifyToken(token);
  const user = valid && (await house.authorizer.userState(valid.userId, valid.credentialVersion));
  return user ?? refuse('UNAUTHENTICATED');
}

function isSentTwice({ raw }: FastifyRequest, name: string): boolean {
  let times = 0;
  for (let at = 0; at < raw.rawHeaders.length; at += 2) if (raw.rawHeaders[at]!.toLowerCase() === name) times++;
  return times > 1;
}

/** Nobody unpacks bodies, so that none can be larger than it looks. */
function refuseEncodedBody({ headers }: FastifyRequest): void {
  const encoding = headers['content-encoding']?.trim().toLowerCase() || 'identity';
  if (encoding !== 'identity') refuse('UNSUPPORTED_MEDIA_TYPE');
}

/** A text where JSON is expected has been parsed by nobody: 415, not a puzzling 400. */
function refuseWrongMediaType(route: Route, request: FastifyRequest): void {
  if (route.method === 'GET' || route.method === 'DELETE' || request.headers['content-type'] === undefined) return;
  const type = request.headers['content-type'].split(';')[0]?.trim().toLowerCase() ?? '';
  const allowed = (route.accepts ?? ['json']).flatMap((kind) => MEDIA_TYPES[kind]);
  const takesBody = route.body !== undefined || route.accepts !== undefined;
  if (takesBody && !allowed.some((each) => type === each || each === '*')) refuse('UNSUPPORTED_MEDIA_TYPE');
}

const MEDIA_TYPES = {
  json: ['application/json'],
  form: ['application/x-www-form-urlencoded'],
  text: ['text/plain'],
  stream: ['*'],
} as const;

/** The same for the document. What is streamed and not text is an upload. */
const CONSUMED = { ...MEDIA_TYPES, stream: ['multipart/form-data'] } as const;

async function handle(
  route: Route,
  raw: FastifyRequest,
  reply: FastifyReply,
  house: House,
  log: Log,
): Promise<FastifyReply> {
  // The path wins: what it names is what the handler works on, whatever the body repeats.
  const input = { ...asRecord(raw.body), ...asRecord(raw.query), ...asRecord(raw.params) };
  const cost = costOf(route, input, raw);
  const admitted = async <Input>(access: Access<Input>, input: Input): Promise<Handled> => {
    const authorization = await house.authorizer.authorize(access, input, raw.user);
    const { tenants, scope } = authorization;
    // Counted once, whatever it is admitted to later.
    if (access === route.access && needsDisk(cost)) await house.disk.requireSpace();
    if (access === route.access) await admit(house.budgets, cost, authorization, raw, reply, () => goneOf(reply));
    const context = contextOn(house.database.doing(workOf(cost)), scope, {
      caller: { id: raw.user?.id ?? 0, username: raw.user?.username ?? '', admin: raw.user?.admin ?? false },
      wakeJobs: house.wakeJobs,
      rightsChanged: house.authorizer.forget,
      now: house.now,
      address: raw.ip,
      log,
    });
    return requestOf(raw, reply, context, tenants, house, {
      once: (bodyHash, work) => answerUnderKey(route, raw, context, bodyHash, work),
      admit: (other) => admitted(other, {}),
    });
  };
  const request = await admitted(route.access, input);
  const answer = route.idempotent
    ? await request.once(hashOf(raw.body), (inner) => route.handle(within(request, inner)))
    : asAnswer(route, await route.handle(request));
  reply.status(answer.status).headers(answer.headers);
  if (answer.body instanceof Readable) reply.serializer((body: unknown) => body as string);
  return reply.send(answer.body ?? '');
}

function requestOf(
  raw: FastifyRequest,
  reply: FastifyReply,
  context: Context,
  tenants: readonly CompanyTenant[],
  { config, metrics, printer, addressOf }: House,
  more: Pick<Handled, 'once' | 'admit'>,
): Handled {
  return {
    params: raw.params as never,
    query: raw.query as never,
    body: raw.body as never,
    context,
    get tenant(): Tenant {
      const [tenant] = tenants;
      if (tenants.length !== 1 || tenant?.branchId === undefined)
        throw new Error('the route resolves no single branch');
      return tenant as Tenant;
    },
    tenants,
    get user(): UserState {
      if (!raw.user) throw new Error('a route open to anyone has no user');
      return raw.user;
    },
    config,
    metrics,
    printer,
    addressOf,
    raw,
    get gone(): AbortSignal {
      return goneOf(reply);
    },
    ...more,
  };
}

type Handled = Request<undefined, undefined, undefined>;

/** Fastify's own signal listens to the request, which has ended by then where it had a body. */
function goneOf(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  const { raw: response } = reply;
  if (response.destroyed) gone.abort();
  else response.once('close', () => response.writableFinished || gone.abort());
  return gone.signal;
}

/** The request in another context; its getters must stay getters: a spread would call them. */
function within<Asked extends { readonly context: Context }>(request: Asked, context: Context): Asked {
  return context === request.context ? request : Object.create(request, { context: { value: context } });
}

function asAnswer(route: Route, result: unknown): Answer {
  return result instanceof Answer ? result : new Answer(route.status, result);
}

function idempotencyKey(raw: FastifyRequest): string | undefined {
  const header = raw.headers['idempotency-key'];
  if (header === undefined) return undefined;
  if (typeof header !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(header)) {
    throw new Refusal(
      problem('INVALID_HEADER', { reason: 'Idempotency-Key must be 1 to 200 printable characters' }, 'Idempotency-Key'),
    );
  }
  return header;
}

/** The work's answer, or the one that the same request was given before under its Idempotency-Key. */
async function answerUnderKey(
  route: Route,
  raw: FastifyRequest,
  context: Context,
  bodyHash: string,
  work: (context: Context) => Promise<unknown>,
): Promise<Answer> {
  const key = idempotencyKey(raw);
  if (key === undefined) return asAnswer(route, await work(context));
  const operation = `${route.method} ${raw.url}`;
  const outcome = await answerOnce(context, { operation, key, bodyHash }, async (inner) =>
    asAnswer(route, await work(inner)),
  );
  if ('done' in outcome) return outcome.done;
  return new Answer(outcome.kept.status, outcome.kept.body, { 'idempotency-replayed': 'true' });
}

function hashOf(body: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(body, bigintAsText) ?? '')
    .digest('hex');
}

function asRecord(part: unknown): Record<string, unknown> {
  if (part === null || typeof part !== 'object' || part instanceof Readable) return {};
  return Array.isArray(part) ? { body: part } : (part as Record<string, unknown>);
}

function bigintAsText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
