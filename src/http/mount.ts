import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { z } from 'zod';
import { reject } from '../accounting/problem.ts';
import { type CompanyTenant, isInstitution, type ReportedTenant, type Tenant } from '../features/access/access.ts';
import { type Authorization, requireSomeTenant } from '../features/access/authorize.ts';
import { isInNetworks } from '../features/access/network.ts';
import type { UserState } from '../features/access/permissions.read.sql.ts';
import { narrowed } from '../features/access/token-scope.ts';
import { withIdempotencyKey } from '../features/access/with-idempotency-key.ts';
import { needsDisk, workOf } from '../features/operations/budgets.ts';
import { type Caller, type Context, contextOn } from '../platform/context.ts';
import type { Log } from '../platform/log.ts';
import { admit, costOf } from './admit.ts';
import type { App } from './app.ts';
import { namesOf } from './field-names.ts';
import { sentHeaders } from './openapi/declared-headers.ts';
import { rejectRequest } from './request-error.ts';
import { MEDIA_TYPES, type Request, type Route, RouteResponse, takesBody } from './route.ts';
import { hasDuplicateHeader, validPart } from './server.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route's name for a domain path, if it has one. */
    wireNameOf?: (path: string) => string | null | undefined;
    /** Headers that the document of the route declares, in small letters. */
    headers?: readonly string[];
    /** Its errors are those of RFC 6749. */
    rfcErrors?: boolean;
  }
  interface FastifyRequest {
    user?: UserState;
    /** The decision from path and query alone, before the body was read; `at` is a performance.now(). */
    decided?: Authorization & { readonly at: number };
  }
}

/**
 * Puts the routes on the server: token first, then the shape of the input, then who may call it, then the use case. A
 * route without an access declaration stops the program. With `everybody`, no token is required and every caller is
 * that user.
 */
export function mountRoutes(
  server: FastifyInstance,
  routes: readonly Route[],
  app: App,
  log: Log,
  everybody?: UserState,
): void {
  for (const each of routes) {
    if (each.access === undefined)
      throw new Error(`${each.method} ${each.path} declares neither a tenant nor that it has none`);
    if (takesBody(each) && !takesUpload(each)) mountRoute(server, each, app, log, everybody);
  }
  // What the parser of forms does for every request of its server is done for uploads alone.
  server.register(async (inner) => {
    const limits = { fileSize: app.config.uploadLimit, files: 1, fields: 20, fieldSize: 65_536 };
    await inner.register(multipart, { limits });
    for (const each of routes) if (takesUpload(each)) mountRoute(inner, each, app, log, everybody);
  });
  // What is sent to a route without a body is neither read nor parsed.
  server.register(async (inner) => {
    inner.removeAllContentTypeParsers();
    inner.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined));
    for (const each of routes) if (!takesBody(each)) mountRoute(inner, each, app, log, everybody);
  });
}

function mountRoute(server: FastifyInstance, route: Route, app: App, log: Log, everybody: UserState | undefined): void {
  const bodyLimit =
    route.access.to === 'anyone' ? Math.min(OPEN_BODY_LIMIT, app.config.bodyLimit) : app.config.bodyLimit;
  const options: RouteOptions = {
    method: route.method,
    url: route.path.replace(/\{(\w+)\}/g, ':$1'),
    schema: {
      params: route.params ?? z.object({}),
      querystring: route.query ?? z.strictObject({}),
      ...(route.body === undefined ? {} : { body: route.body }),
      response: { [route.status]: route.answer ?? z.any(), ...route.otherAnswers },
    },
    bodyLimit,
    config: { wireNameOf: namesOf(route), headers: sentHeaders(route), rfcErrors: route.rfcErrors ?? false },
    onRequest: async (request, reply) => {
      if (route.deprecation) reply.headers(deprecationHeaders(route.deprecation, app));
      if (route.access.to !== 'anyone') request.user = everybody ?? (await authenticateRequest(request, app));
      rejectEncodedBody(request);
      if (!takesBody(route)) return;
      rejectWrongMediaType(route, request);
      await decideBeforeBody(route, request, app, bodyLimit);
    },
    handler: (request, reply) => handle(route, request, reply, app, log),
  };
  if (route.streamedJson) mountWithUnreadJson(server, options);
  else server.route(options);
}

function takesUpload({ accepts = [] }: Route): boolean {
  return accepts.includes('stream');
}

/** A JSON body is not parsed there: the handler gets the stream. */
function mountWithUnreadJson(server: FastifyInstance, options: RouteOptions): void {
  server.register(async (inner) => {
    inner.removeContentTypeParser('application/json');
    const streamed = [MEDIA_TYPES.json, MEDIA_TYPES.ndjson];
    inner.addContentTypeParser(streamed, (_request, payload, done) => done(null, payload));
    inner.route(options);
  });
}

function deprecationHeaders({ since, successor }: NonNullable<Route['deprecation']>, { addressOf }: App) {
  const address = addressOf(successor.service) + successor.path;
  return { deprecation: `@${since.getTime() / 1000}`, link: `<${address}>; rel="successor-version"` };
}

async function authenticateRequest(request: FastifyRequest, app: App): Promise<UserState> {
  const token = /^bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  // Of a repeated header Node shows the first; a proxy may have checked the other.
  if (token === undefined || hasDuplicateHeader(request.raw, 'authorization')) reject('UNAUTHENTICATED');
  const valid = await app.verifyToken(token);
  const user = valid && (await app.authorizer.userState(valid.userId, valid.credentialVersion));
  if (!user || !isInNetworks(user.networks, request.ip)) reject('UNAUTHENTICATED');
  return valid.rights ? narrowed(user, valid.rights) : user;
}

function callerOf(user: UserState | undefined): Caller {
  if (!user) return { id: 0, username: '', admin: false };
  return { id: user.id, username: user.username, admin: user.admin, service: user.service };
}

/** Compressed bodies are not accepted, so that none can be larger than its length. */
function rejectEncodedBody({ headers }: FastifyRequest): void {
  const encoding = headers['content-encoding']?.trim().toLowerCase() || 'identity';
  if (encoding !== 'identity') reject('UNSUPPORTED_MEDIA_TYPE');
}

/** Text where JSON is expected gets 415 instead of a misleading 400. */
function rejectWrongMediaType(route: Route, request: FastifyRequest): void {
  if (request.headers['content-type'] === undefined) return;
  const type = request.headers['content-type'].split(';')[0]?.trim().toLowerCase() ?? '';
  const kinds = route.accepts ?? ['json'];
  const isAllowed = kinds.some((kind) => kind === 'stream' || MEDIA_TYPES[kind] === type);
  if (!isAllowed) reject('UNSUPPORTED_MEDIA_TYPE');
}

/** Largest body, in bytes, read and parsed for a caller without a token or any permission. */
const OPEN_BODY_LIMIT = 16_384;
/** Milliseconds after which access is decided again once the body has arrived; the longest delay of a changed right. */
const DECISION_AGE_MS = 3_000;

/**
 * Decides access from path and query where they suffice, so that a rejected caller gets the response before the body is
 * read.
 */
async function decideBeforeBody(route: Route, request: FastifyRequest, app: App, limit: number): Promise<void> {
  const { user } = request;
  const length = Number(request.headers['content-length'] ?? 0);
  const input = {
    ...asRecord(route.query && validPart(route.query, request.query)),
    ...asRecord(route.params && validPart(route.params, request.params)),
  };
  // Bodies that the handler reads as a stream have the limit of an upload there.
  const isParsed =
    !route.streamedJson && (route.accepts ?? ['json']).some((kind) => kind === 'json' || kind === 'form');
  if (isParsed && length > limit) reject('BODY_TOO_LARGE');
  if (isNamedByBody(route)) return requireAnyTenant(length, user);
  try {
    const authorization = await app.authorizer.authorize(route.access, rejectUnknownInputs(input), user);
    request.decided = { ...authorization, at: performance.now() };
  } catch (error) {
    if (error !== NEEDS_BODY) throw error;
    requireAnyTenant(length, user);
  }
}

/** Whether nothing before the body can say whose the request is, so that it is not tried. */
function isNamedByBody({ access, params, query }: Route): boolean {
  if (params !== undefined || query !== undefined) return false;
  return access.to === 'record' || (access.to === 'tenant' && access.admin !== true);
}

/** Rejects a large body of a caller who cannot access any tenant that it could name. */
function requireAnyTenant(length: number, user: UserState | undefined): void {
  if (length > OPEN_BODY_LIMIT && user) requireSomeTenant(user);
}

const NEEDS_BODY = new Error('the body says the tenant');

/** Path and query win over the body; the body may only add to them. */
function rejectUnknownInputs(input: Record<string, unknown>): Record<string, unknown> {
  return new Proxy(input, {
    get(target, name) {
      if (!(name in target)) throw NEEDS_BODY;
      return target[name as string];
    },
  });
}

async function handle(
  route: Route,
  raw: FastifyRequest,
  reply: FastifyReply,
  app: App,
  log: Log,
): Promise<FastifyReply> {
  const input = inputOf(raw);
  const cost = costOf(route, input, raw);
  const admitted = async (authorization: Authorization, isFirst: boolean): Promise<Handled> => {
    const { tenants, scope } = authorization;
    // Counted once.
    if (isFirst && needsDisk(cost)) await app.disk.requireSpace();
    if (isFirst) await admit(app, cost, authorization, raw, reply, () => disconnectionOf(reply));
    const context = contextOn(app.database.doing(workOf(cost)), scope, {
      caller: callerOf(raw.user),
      wakeJobs: app.wakeJobs,
      rightsChanged: app.authorizer.forget,
      now: app.now,
      address: raw.ip,
      log,
    });
    return requestOf(raw, reply, context, tenants, app, {
      once: (bodyHash, work) => answerUnderKey(route, raw, context, bodyHash, work),
      admit: async (other) => admitted(await app.authorizer.authorize(other, {}, raw.user), false),
      renewed: async () => {
        if (raw.user?.id) raw.user = await authenticateRequest(raw, app);
        return admitted(await app.authorizer.authorize(route.access, input, raw.user), false);
      },
    });
  };
  const request = await admitted(await authorizationOf(route, input, raw, app), true);
  // Without a key nobody asks for the body's hash.
  const answer =
    route.idempotent === true && raw.headers['idempotency-key'] !== undefined
      ? await request.once(hashOf(raw.body), (inner) => route.handle(withContext(request, inner)))
      : asAnswer(route, await route.handle(request));
  reply.status(answer.status).headers(answer.headers);
  if (answer.body instanceof Readable) reply.serializer((body: unknown) => body as string);
  return reply.send(answer.body ?? '');
}

/** The path wins over the body. */
function inputOf({ body, query, params }: FastifyRequest): Record<string, unknown> {
  return { ...asRecord(body), ...asRecord(query), ...asRecord(params) };
}

async function authorizationOf(
  route: Route,
  input: Record<string, unknown>,
  raw: FastifyRequest,
  app: App,
): Promise<Authorization> {
  if (raw.decided && performance.now() - raw.decided.at < DECISION_AGE_MS) return raw.decided;
  // The caller's rights may have changed while the body arrived; a route without token needs no check.
  if (raw.decided && raw.user?.id) raw.user = await authenticateRequest(raw, app);
  return app.authorizer.authorize(route.access, input, raw.user);
}

function requestOf(
  raw: FastifyRequest,
  reply: FastifyReply,
  context: Context,
  tenants: readonly CompanyTenant[],
  { config, metrics, printer, sealKeys, addressOf }: App,
  more: Pick<Handled, 'once' | 'admit' | 'renewed'>,
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
    get branchOrInstitution(): ReportedTenant {
      const [tenant] = tenants as readonly ReportedTenant[];
      return tenants.length === 1 && tenant !== undefined && isInstitution(tenant) ? tenant : this.tenant;
    },
    tenants,
    get user(): UserState {
      if (!raw.user) throw new Error('a route open to anyone has no user');
      return raw.user;
    },
    config,
    metrics,
    printer,
    sealKeys,
    addressOf,
    raw,
    get clientDisconnected(): AbortSignal {
      return disconnectionOf(reply);
    },
    ...more,
  };
}

type Handled = Request<undefined, undefined, undefined>;

/** Fastify's own signal listens to the request, which has ended by then where it had a body. */
function disconnectionOf(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  const { raw: response } = reply;
  if (response.destroyed) gone.abort();
  else response.once('close', () => response.writableFinished || gone.abort());
  return gone.signal;
}

/** The request in another context; its getters must stay getters: a spread would call them. */
function withContext<Asked extends { readonly context: Context }>(request: Asked, context: Context): Asked {
  return context === request.context ? request : Object.create(request, { context: { value: context } });
}

function asAnswer<Answer>(route: Route, result: Answer | RouteResponse<Answer>): RouteResponse<Answer> {
  return result instanceof RouteResponse ? result : new RouteResponse(route.status, result);
}

const NO_IDEMPOTENCY_KEY = {
  reason: {
    en: 'Idempotency-Key must be 1 to 200 printable characters without spaces',
    pt: 'Idempotency-Key deve ter de 1 a 200 caracteres imprimíveis, sem espaços',
  },
};

function idempotencyKey(raw: FastifyRequest): string | undefined {
  const header = raw.headers['idempotency-key'];
  if (header === undefined) return undefined;
  if (typeof header !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(header)) {
    return rejectRequest('INVALID_HEADER', NO_IDEMPOTENCY_KEY, 'Idempotency-Key');
  }
  return header;
}

/** The response of the work, or the stored one of the same request under its Idempotency-Key. */
async function answerUnderKey<Answer>(
  route: Route,
  raw: FastifyRequest,
  context: Context,
  bodyHash: string,
  work: (context: Context) => Promise<Answer | RouteResponse<Answer>>,
): Promise<RouteResponse<Answer>> {
  const key = idempotencyKey(raw);
  if (key === undefined) return asAnswer(route, await work(context));
  const operation = `${route.method} ${raw.url}`;
  const outcome = await withIdempotencyKey(context, { operation, key, bodyHash }, async (inner) =>
    asAnswer(route, await work(inner)),
  );
  if ('done' in outcome) return outcome.done;
  return new RouteResponse(outcome.kept.status, outcome.kept.body as Answer, { 'idempotency-replayed': 'true' });
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
