import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { parse as parseFields } from 'node:querystring';
import cors from '@fastify/cors';
import formbody from '@fastify/formbody';
import helmet from '@fastify/helmet';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { z } from 'zod';
import { BusinessError, type ProblemCode, RetryLater } from '../accounting/problem.ts';
import { asBusinessError } from '../features/operations/approvals/batch-limit.ts';
import {
  DatabaseLost,
  SQLSTATE,
  StatementCancelled,
  StorageFull,
  sqlState,
  TransactionBusy,
} from '../platform/database/errors.ts';
import { isDiskFull } from '../platform/disk-space.ts';
import { JsonRejected, parseJsonBody } from '../platform/json.ts';
import { type Log, plainLines } from '../platform/log.ts';
import type { Metrics } from '../platform/metrics.ts';
import { SealKeyError } from '../platform/seal-keys/seal-key-error.ts';
import { languageOf } from './language.ts';
import type { LoadGate } from './load-gate.ts';
import { holdsLongList } from './long-list.ts';
import { HEADERS } from './openapi/headers.ts';
import { PackedResponse } from './packed-response.ts';
import { BESIDE_THE_CONTRACT } from './pages.ts';
import {
  type ProblemDetails,
  problemDetails,
  problemToWire,
  type WireProblem,
  wireProblem,
} from './problem-details.ts';
import { rejectBeyond } from './reject-beyond.ts';
import { RequestError, rejectRequest } from './request-error.ts';
import { requestIdOf } from './request-id.ts';
import { validationProblems } from './validation-problems.ts';

export interface ServerOptions {
  readonly service: string;
  readonly bodyLimit: number;
  readonly trustedProxies: readonly string[];
  readonly corsOrigins: readonly string[];
  readonly log: Log;
  readonly metrics: Metrics;
  /** Whether a problem that a route has no wire name for, or a header it does not declare, ends in 500, as tests want it. */
  readonly strictPaths?: boolean;
  /** Whether long JSON goes out packed, as browsers take it. */
  readonly packed?: boolean;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Answered by another service, which has it in its log and measures. */
    isForwarded?: boolean;
  }
}

export interface ServiceOptions extends ServerOptions {
  readonly version: string;
  /** Rejects what the process cannot finish soon; undefined where all is let in. */
  readonly gate?: LoadGate | undefined;
  /** Fails, soon, while the service cannot work. */
  readonly healthy: () => Promise<void>;
  /** Whether the process is about to end: nobody should send it anything more. */
  readonly isStopping: () => boolean;
  /** The caller, for the log; undefined until the token is verified. */
  readonly callerOf: (request: FastifyRequest) => { readonly id: number; readonly username: string } | undefined;
}

/** Longest Authorization header that is read. */
const MAX_HEADER_BYTES = 262_144;

/** PostgreSQL's codes for a text too long, a number out of range, and bytes that are no UTF-8. */
const VALUE_REJECTED: ReadonlySet<string> = new Set([
  SQLSTATE.STRING_TOO_LONG,
  SQLSTATE.NUMBER_OUT_OF_RANGE,
  SQLSTATE.CHARACTER_NOT_IN_REPERTOIRE,
]);

const UNREADABLE_PATH = { reason: { en: 'not a valid address', pt: 'não é um endereço válido' } };

/** A Fastify instance with everything that all services share: parsers, limits, errors, headers, documents, actuator. */
export async function createServer(options: ServiceOptions): Promise<FastifyInstance> {
  const app = await createBareServer(options, options.callerOf);
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      done(null, parseJsonBody(body as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
  // Texts (fixed-width imports) are read as streams by their routes; every other route rejects the media type.
  app.addContentTypeParser('text/plain', (_request, payload, done) => done(null, payload));
  await app.register(formbody, { bodyLimit: options.bodyLimit, parser: formFields });
  addActuator(app, options);
  endConnectionsAtStop(app, options.isStopping);
  if (options.gate) {
    const { trustedProxies, corsOrigins, isStopping } = options;
    const head = { headers: await safetyHeaders(), requestIdOf: requestIdOf(trustedProxies), corsOrigins, isStopping };
    rejectBeyond(app, options.gate, head);
  }
  return app;
}

/** The same without any route, and without a parser: no body is read. */
export async function createBareServer(
  options: ServerOptions,
  callerOf: ServiceOptions['callerOf'] = () => undefined,
): Promise<FastifyInstance> {
  const app: FastifyInstance = Fastify({
    loggerInstance: options.log as unknown as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    exposeHeadRoutes: false,
    bodyLimit: options.bodyLimit,
    genReqId: requestIdOf(options.trustedProxies),
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    requestTimeout: 600_000,
    connectionTimeout: 0,
    keepAliveTimeout: 72_000,
    // The schema limits a part of a path; the router would answer a bare 414.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: MAX_HEADER_BYTES, querystringParser: queryFields },
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    http: {
      headersTimeout: 20_000,
      maxHeaderSize: MAX_HEADER_BYTES,
      ...(options.packed ? { ServerResponse: PackedResponse } : {}),
    },
    clientErrorHandler: answerUnreadable,
    frameworkErrors: (_error, request, reply) => {
      sendProblems([wireProblem('INVALID_FIELD', UNREADABLE_PATH, 'path')], request, reply);
    },
  });
  app.setValidatorCompiler(({ schema, httpPart }) => validatorOf(schema as z.ZodType, httpPart ?? 'body'));
  app.setSerializerCompiler(({ schema }) => serializerOf(schema as z.ZodType, options.strictPaths === true));
  app.removeAllContentTypeParsers();
  app.setErrorHandler((error: FastifyError, request, reply) => {
    try {
      return answerError(error, request, reply, options.strictPaths === true);
    } catch (failure) {
      // Fastify's own answer would tell the client what failed.
      const answer = sendProblems([wireProblem('INTERNAL', {})], request, reply);
      request.log.error({ err: failure }, 'an error could not be answered');
      return answer;
    }
  });
  app.setNotFoundHandler((request, reply) => sendProblems([wireProblem('ROUTE_NOT_FOUND', {})], request, reply));
  logResponses(app, options, callerOf);
  await addHeaders(app, options);
  if (options.strictPaths) app.addHook('onSend', requireDeclaredHeaders);
  app.addHook('onRequest', (request, reply, done) => {
    const problem = ambiguousHeader(request);
    if (problem !== undefined) done(new RequestError([problem]));
    // Before the body is read: Fastify would parse a body of a route without one.
    else if (request.is404) sendProblems([wireProblem('ROUTE_NOT_FOUND', {})], request, reply);
    else done();
  });
  return app;
}

/** One log line and one measure for each request, written when its response is out. */
function logResponses(app: FastifyInstance, options: ServerOptions, callerOf: ServiceOptions['callerOf']): void {
  const lines = plainLines(options.log);
  app.addHook('onResponse', (request, reply, done) => {
    // Its service has written and measured it.
    if (request.isForwarded) return done();
    const route = request.routeOptions.url ?? 'unknown';
    options.metrics.requests.observe(
      { service: options.service, method: request.method, route, status: reply.statusCode },
      reply.elapsedTime / 1000,
    );
    const caller = callerOf(request);
    lines.info(
      {
        requestId: request.id,
        method: request.method,
        route,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        address: request.ip,
        user: caller && { id: caller.id, name: caller.username },
      },
      'request',
    );
    done();
  });
}

async function addHeaders(app: FastifyInstance, options: ServerOptions): Promise<void> {
  const safety = await safetyHeaders();
  app.addHook('onRequest', (request, reply, done) => {
    // Responses are not cached unless the route says so.
    reply.headers({ ...safety, 'x-request-id': request.id, 'cache-control': 'no-store' });
    done();
  });
  if (options.corsOrigins.length > 0) {
    await app.register(cors, {
      origin: [...options.corsOrigins],
      methods: ['GET', 'POST', 'PUT', 'DELETE'],
      exposedHeaders: [
        'X-Request-Id',
        'X-Total-Count',
        'Retry-After',
        'Idempotency-Replayed',
        'Content-Disposition',
        'Repr-Digest',
      ],
    });
  }
}

let safety: Promise<Record<string, string>> | undefined;

/** Helmet's, the same for every answer: made once, because making them takes as long as reading a balance. */
function safetyHeaders(): Promise<Record<string, string>> {
  safety ??= makeSafetyHeaders();
  return safety;
}

async function makeSafetyHeaders(): Promise<Record<string, string>> {
  const probe = Fastify();
  await probe.register(helmet, {
    contentSecurityPolicy: {
      directives: {
        defaultSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:'],
        upgradeInsecureRequests: null,
      },
    },
  });
  const made: Record<string, string> = {};
  probe.get('/', async (_request, reply) => {
    for (const [name, value] of Object.entries(reply.raw.getHeaders())) made[name] = String(value);
    return '';
  });
  await probe.inject('/');
  await probe.close();
  return made;
}

const DOCUMENTED_HEADERS = Object.keys(HEADERS).map((name) => name.toLowerCase());

/** A header that the route's document does not declare is a defect. */
async function requireDeclaredHeaders(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { url, config } = request.routeOptions;
  const found = DOCUMENTED_HEADERS.find((name) => reply.hasHeader(name) && config?.headers?.includes(name) === false);
  if (found === undefined) return;
  reply.removeHeader(found);
  throw new Error(`${request.method} ${url} sends ${found} and does not declare it`);
}

/** No schema has as many fields; the excess is not parsed. */
const MAX_FIELDS = 200;
const TOO_MANY_FIELDS = { reason: { en: `more than ${MAX_FIELDS} fields`, pt: `mais de ${MAX_FIELDS} campos` } };
const SENT_TWICE = { reason: { en: 'it was sent twice', pt: 'foi enviado duas vezes' } };
/** Longest accepted media type, with its boundary. */
const MAX_CONTENT_TYPE = 1_000;

function queryFields(text: string): Record<string, unknown> {
  return parseFields(text, '&', '=', { maxKeys: MAX_FIELDS });
}

function formFields(text: string): Record<string, unknown> {
  let fields = 1;
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) {
    if (++fields > MAX_FIELDS) rejectRequest('INVALID_BODY', TOO_MANY_FIELDS);
  }
  return parseFields(text, '&', '=', { maxKeys: 0 });
}

/** Of two Host headers, a proxy may have checked the other. */
function ambiguousHeader({ raw, headers }: FastifyRequest): WireProblem | undefined {
  if (hasDuplicateHeader(raw, 'host')) return wireProblem('INVALID_HEADER', SENT_TWICE, 'Host');
  const isTooLong = (headers['content-type']?.length ?? 0) > MAX_CONTENT_TYPE;
  return isTooLong ? wireProblem('UNSUPPORTED_MEDIA_TYPE', {}) : undefined;
}

/** Node shows only the first of some repeated headers. */
export function hasDuplicateHeader({ rawHeaders }: IncomingMessage, name: string): boolean {
  let times = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const each = rawHeaders[at]!;
    if (each.length === name.length && each.toLowerCase() === name) times++;
  }
  return times > 1;
}

/** What is not HTTP, has too many headers or comes too slowly never becomes a request: 400, and the connection ends. */
function answerUnreadable(_error: Error, socket: Socket): void {
  if (!socket.writable) return void socket.destroy();
  const unreadable = wireProblem('INVALID_HEADER', { reason: { en: 'not readable', pt: 'não pôde ser lido' } });
  const details = JSON.stringify(problemDetails([unreadable], '', 'en'));
  socket.end(
    'HTTP/1.1 400 Bad Request\r\ncontent-type: application/problem+json\r\n' +
      `content-length: ${Buffer.byteLength(details)}\r\nconnection: close\r\n\r\n${details}`,
  );
}

/** While the process is about to end, each answer ends its connection: the next request goes to another process. */
function endConnectionsAtStop(app: FastifyInstance, isStopping: () => boolean): void {
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (isStopping()) reply.raw.shouldKeepAlive = false;
    done();
  });
}

/**
 * Health as the specification has it, and for orchestrators apart: liveness asks the process alone, since a restart mends no
 * database; readiness is whether requests should come here.
 */
function addActuator(app: FastifyInstance, options: ServiceOptions): void {
  const { service } = options;
  const ready = async (_request: FastifyRequest, reply: FastifyReply) => {
    try {
      if (!options.isStopping()) {
        await options.healthy();
        return { status: 'UP', service };
      }
    } catch {
      // It says so itself.
    }
    return reply.status(503).send({ status: 'DOWN', service });
  };
  app.get('/actuator/health', BESIDE_THE_CONTRACT, ready);
  app.get('/actuator/health/readiness', BESIDE_THE_CONTRACT, ready);
  app.get('/actuator/health/liveness', BESIDE_THE_CONTRACT, async () => ({ status: 'UP', service }));
  app.get('/actuator/info', BESIDE_THE_CONTRACT, async () => ({
    app: { name: 'partidas', service: options.service, version: options.version },
    node: process.version,
  }));
}

export function addMetrics(app: FastifyInstance, prefix: string, { registry, rendered }: Metrics): void {
  app.get(`${prefix}/actuator/metrics-export`, BESIDE_THE_CONTRACT, async (_request, reply) =>
    reply.type(registry.contentType).send(await rendered()),
  );
}

/** Sends the problems as application/problem+json in the client's language. */
export function sendProblems(
  problems: readonly WireProblem[],
  request: FastifyRequest,
  reply: FastifyReply,
  status?: number,
): FastifyReply {
  const rfcErrors = request.routeOptions?.config.rfcErrors === true;
  const details = problemDetails(
    problems,
    request.url.split('?')[0] ?? '',
    rfcErrors ? 'en' : languageOf(request.headers['accept-language']),
    status,
  );
  if (rfcErrors) return sendTokenError(details, reply);
  if (details.status === 401) reply.header('www-authenticate', 'Bearer');
  return reply
    .status(details.status)
    .type('application/problem+json')
    .serializer((body: unknown) => JSON.stringify(body))
    .send(details);
}

/** The error codes of RFC 6749 (5.2) that have a code of ours; others say in `error` what their status says. */
const TOKEN_ERRORS: readonly string[] = [
  'INVALID_CLIENT',
  'INVALID_REQUEST',
  'INVALID_SCOPE',
  'UNSUPPORTED_GRANT_TYPE',
] satisfies ProblemCode[];

/** What the RFC does not let a description hold. */
const NOT_DESCRIBABLE = /[^\x20\x21\x23-\x5b\x5d-\x7e]/g;

function sendTokenError({ code, status, detail }: ProblemDetails, reply: FastifyReply): FastifyReply {
  const byStatus = status >= 500 || status === 429 ? 'temporarily_unavailable' : 'invalid_request';
  const error = TOKEN_ERRORS.includes(code) ? code.toLowerCase() : byStatus;
  if (status === 401) reply.header('www-authenticate', 'Basic realm="partidas"');
  return reply
    .status(status)
    .type('application/json')
    .serializer((body: unknown) => JSON.stringify(body))
    .send({ error, error_description: detail.replace(NOT_DESCRIBABLE, "'") });
}

/** Seconds until a retry after a full disk. */
const DISK_RETRY_SECONDS = 60;

const OUT_OF_RANGE = { reason: { en: 'longer or larger than can be kept', pt: 'maior do que se pode guardar' } };
const ABORTED = { reason: { en: 'it ends too early', pt: 'terminou antes do fim' } };
const NOT_READABLE = {
  reason: { en: 'it has another form than its headers say', pt: 'difere do que dizem os cabeçalhos' },
};

/**
 * The wire name of a domain path. A route without one is a defect: an error where it is strict, else reported in the
 * log.
 */
function wireNameOf(path: string, request: FastifyRequest, isStrict: boolean): string | null {
  const { url, config } = request.routeOptions;
  const name = config.wireNameOf?.(path);
  if (name !== undefined) return name;
  if (isStrict) throw new Error(`${request.method} ${url} has no wire name for ${path}`);
  request.log.error({ path, route: url }, 'no wire name for the path of a problem');
  return path;
}

function answerError(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
  isStrict: boolean,
): FastifyReply {
  const nameOf = (path: string) => wireNameOf(path, request, isStrict);
  if ((error as Error) instanceof RequestError) {
    const { problems, status } = error as unknown as RequestError;
    return sendProblems(problems, request, reply, status);
  }
  const rejected = asBusinessError(error);
  if (rejected instanceof BusinessError)
    return sendProblems(
      rejected.problems.map((each) => problemToWire(each, nameOf)),
      request,
      reply,
    );
  if (isDiskFull(error)) {
    return sendProblems(
      [wireProblem((error as Error) instanceof StorageFull ? 'STORAGE_FULL' : 'DISK_FULL', {})],
      request,
      reply.header('retry-after', String(DISK_RETRY_SECONDS)),
    );
  }
  if (error instanceof RetryLater) {
    return sendProblems(
      [problemToWire(error.problem, nameOf)],
      request,
      reply.header('retry-after', String(error.seconds)),
    );
  }
  if ((error as Error) instanceof JsonRejected) {
    const { reason, reasonPt } = error as unknown as JsonRejected;
    return sendProblems(
      [wireProblem('INVALID_BODY', { reason: { en: reason, pt: reasonPt } }, 'body')],
      request,
      reply,
    );
  }
  if ((error as Error) instanceof DatabaseLost) {
    request.log.warn({ err: error }, 'database lost');
    return sendProblems([wireProblem('DATABASE_UNAVAILABLE', {})], request, reply.header('retry-after', '2'));
  }
  if ((error as Error) instanceof StatementCancelled || (error as Error) instanceof TransactionBusy) {
    return sendProblems([wireProblem('BUSY', {})], request, reply.header('retry-after', '1'));
  }
  if ((error as Error) instanceof SealKeyError) {
    request.log.error({ err: error }, 'seal keys');
    return sendProblems([wireProblem('SEALING_UNAVAILABLE', {})], request, reply.header('retry-after', '60'));
  }
  // A validated value that the database cannot store: a defect, but not a crash.
  if (VALUE_REJECTED.has(sqlState(error) ?? '')) {
    request.log.warn({ err: error }, 'value refused by the database');
    return sendProblems([wireProblem('INVALID_FIELD', OUT_OF_RANGE)], request, reply);
  }
  // The client disconnected while sending: the response is not read.
  if (error.code === 'ECONNRESET') return sendProblems([wireProblem('INVALID_BODY', ABORTED)], request, reply);
  if (error.statusCode === 413) return sendProblems([wireProblem('BODY_TOO_LARGE', {})], request, reply);
  if (error.statusCode === 415) return sendProblems([wireProblem('UNSUPPORTED_MEDIA_TYPE', {})], request, reply);
  if (error.statusCode && error.statusCode < 500) {
    return sendProblems([wireProblem('INVALID_BODY', NOT_READABLE)], request, reply);
  }
  request.log.error({ err: error }, 'request failed');
  return sendProblems([wireProblem('INTERNAL', {})], request, reply);
}

/** A part of a request parsed by its schema; throws when it does not fit. */
export function validPart(schema: z.ZodType, data: unknown): unknown {
  const { value, error } = validatorOf(schema, 'querystring')(data);
  if (error) throw error;
  return value;
}

/** A response that does not fit its schema is a defect. */
function serializerOf(schema: z.ZodType, isStrict: boolean): (data: unknown) => string {
  if (!isStrict && holdsLongList(schema)) return (data) => JSON.stringify(data);
  return (data) => JSON.stringify(z.encode(schema, data));
}

/** Validation that throws one problem per field, at its JSON path. */
function validatorOf(schema: z.ZodType, part: string): (data: unknown) => { value?: unknown; error?: Error } {
  return (data) => {
    const result = schema.safeParse(data ?? (part === 'body' ? data : {}), { reportInput: true });
    return result.success
      ? { value: result.data }
      : { error: new RequestError(validationProblems(schema, result.error.issues)) };
  };
}
