import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Agent, type Dispatcher, request as send } from 'undici';
import { problem, RetryLater, reject } from '../../accounting/problem.ts';
import { SERVICE_NAMES, type ServiceName } from '../../platform/config.ts';

/** Hands a request over to a service of this process. */
export type Door = (request: IncomingMessage, response: ServerResponse) => void;

export interface Doors {
  /** The services that run in this process. */
  readonly here: Readonly<Partial<Record<ServiceName, Door>>>;
  /** Where the others are. */
  readonly addressOf: (service: ServiceName) => string;
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'] as const;
const RETRY_SECONDS = 5;

/** A page of documents runs scripts of others: not where the cookie is. */
const PAGES = /^\/docs(?:-ui\.html)?(?:[/?]|$)/;

/** `/api/{service}/…` is answered by the service, as itself: its limits, its uploads, its streams, its log. */
export function addForwarding(server: FastifyInstance, { here, addressOf }: Doors): void {
  const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0 });
  server.addHook('onClose', () => agent.close());
  const forward = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { service, path } = placeOf(request.raw.url ?? '');
    const door = here[service];
    if (door === undefined) return forwardByHttp(request, reply, agent, service, addressOf(service) + path);
    request.raw.url = path;
    request.isForwarded = true;
    reply.hijack();
    door(request.raw, reply.raw);
    return reply;
  };
  // Before the body is read: that is the service's own.
  for (const url of ['/api/:service', '/api/:service/*']) {
    server.route({ method: [...METHODS], url, onRequest: forward, handler: () => {} });
  }
}

/** The service and its path, as they stand in the request: nothing is decoded, and nothing may point elsewhere. */
function placeOf(url: string): { service: ServiceName; path: string } {
  const [, name, path = '/'] = /^\/api\/([a-z]+)(\/.*)?$/s.exec(url) ?? [];
  const service = SERVICE_NAMES.find((each) => each === name);
  if (service === undefined || leavesItsPlace(path) || PAGES.test(path)) reject('ROUTE_NOT_FOUND');
  return { service, path };
}

/** Segments that another server could read as a way up, or as the name of a host. */
function leavesItsPlace(path: string): boolean {
  const [plain = ''] = path.split(/[?#]/, 1);
  const read = plain.replace(/%(?:2e|2f|5c)/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));
  return plain.startsWith('//') || /(?:^|[/\\])\.{1,2}(?:[/\\]|$)/.test(read) || plain.includes('\\');
}

async function forwardByHttp(
  request: FastifyRequest,
  reply: FastifyReply,
  dispatcher: Dispatcher,
  service: ServiceName,
  address: string,
): Promise<FastifyReply> {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  const answer = await send(address, {
    method: request.method as Dispatcher.HttpMethod,
    headers: sentHeaders(request),
    body: hasBody(request.raw) ? request.raw : null,
    signal: gone.signal,
    dispatcher,
  }).catch((error: unknown) => {
    request.log.warn({ err: error, service }, 'service does not answer');
    throw new RetryLater(problem('SERVICE_DOWN', { service }), RETRY_SECONDS);
  });
  request.isForwarded = true;
  reply.hijack();
  reply.raw.writeHead(answer.statusCode, withoutHopHeaders(answer.headers));
  // A client that went away, or a service that did: the answer ends where it is.
  await pipeline(answer.body, reply.raw).catch(() => reply.raw.destroy());
  return reply;
}

/** Who asks and over which protocol is what the console found, not what the client says. */
function sentHeaders({ raw, ip, id, protocol }: FastifyRequest): Record<string, string | string[]> {
  return {
    ...withoutHopHeaders(raw.headers),
    'x-forwarded-for': ip,
    'x-forwarded-proto': protocol,
    'x-request-id': id,
  };
}

/** Of this connection alone (RFC 9110, 7.6.1), or of a proxy before it. */
const HOP_HEADERS =
  /^(?:connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|host|forwarded|(?:proxy|x-forwarded|x-real)-.*)$/;

function withoutHopHeaders(headers: IncomingHttpHeaders): Record<string, string | string[]> {
  const named = String(headers.connection ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  return Object.fromEntries(
    Object.entries(headers).filter(
      (pair): pair is [string, string | string[]] =>
        pair[1] !== undefined && !HOP_HEADERS.test(pair[0]) && !named.includes(pair[0]),
    ),
  );
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}
