import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { type Language, languageOf } from './language.ts';
import type { LoadGate, UsedUp } from './load-gate.ts';
import { problemDetails, wireProblem } from './problem-details.ts';
import { closeAfterUnreadBody, isBodyDiscarded } from './unread-body.ts';

/** What every answer of the server says, and its name in a log. */
export interface AnswerHead {
  readonly headers: Readonly<Record<string, string>>;
  readonly requestIdOf: (request: IncomingMessage) => string;
  readonly corsOrigins: readonly string[];
  readonly isStopping: () => boolean;
}

/** How the service is, is asked above all when it has much to do. */
const ALWAYS_ANSWERED = '/actuator/';

/** Puts the gate before everything that the server does: a request that is rejected never becomes one of Fastify's. */
export function rejectBeyond(app: FastifyInstance, gate: LoadGate, head: AnswerHead): void {
  const headers = { ...head.headers, 'cache-control': 'no-store', 'content-type': 'application/problem+json' };
  const rejection = { ...head, headers };
  const write = rejectionWriter(headers, app.server.keepAliveTimeout);
  const [answer] = app.server.listeners('request') as [(request: IncomingMessage, response: ServerResponse) => void];
  app.server.removeAllListeners('request');
  app.server.on('request', (request, response) => {
    const full = request.url?.startsWith(ALWAYS_ANSWERED) ? undefined : gate.enter(request, response);
    if (full === undefined) return answer(request, response);
    if (head.isStopping()) response.shouldKeepAlive = false;
    if (isPlain(request, response)) write(full, request, response, head.requestIdOf(request));
    else reject(full, request, response, rejection);
  });
}

const STATUS = { caller: 429, process: 503 } as const;
const CODES = { caller: 'TOO_MANY_IN_HAND', process: 'BUSY' } as const;

/** Those who are rejected together do not all come back in the same second. */
const RETRY_SECONDS = { least: 1, most: 3 };

function retrySeconds(): string {
  const { least, most } = RETRY_SECONDS;
  return String(least + Math.floor(Math.random() * (most - least + 1)));
}

/** Any request, answered as Node does it. */
function reject(
  full: UsedUp,
  request: IncomingMessage,
  response: ServerResponse,
  { headers, requestIdOf, corsOrigins }: AnswerHead,
): void {
  const { before, after } = detailsOf(full, languageOf(request.headers['accept-language']));
  const body = before + quotedPath(request) + after;
  const { origin } = request.headers;
  closeAfterUnreadBody(request, (name, value) => response.setHeader(name, value));
  response
    .writeHead(STATUS[full], {
      ...headers,
      ...(origin !== undefined && corsOrigins.includes(origin) ? { 'access-control-allow-origin': origin } : {}),
      'x-request-id': requestIdOf(request),
      'content-length': Buffer.byteLength(body),
      'retry-after': retrySeconds(),
    })
    .end(body);
}

/** Whether the connection stays as it is, no earlier answer is still to come on it, and the answer is the usual one. */
function isPlain(request: IncomingMessage, { shouldKeepAlive, socket }: ServerResponse): boolean {
  const { method, headers, httpVersionMinor } = request;
  return (
    socket !== null &&
    shouldKeepAlive &&
    httpVersionMinor === 1 &&
    method !== 'HEAD' &&
    headers.origin === undefined &&
    isBodyDiscarded(request)
  );
}

/**
 * Writes the same bytes as `reject` in one piece, most of them put together beforehand: a third less of the processor's
 * time (decision 44).
 */
function rejectionWriter(headers: Readonly<Record<string, string>>, keepAliveMs: number) {
  const known = new Map<string, Prepared>();
  const prepared = (full: UsedUp, language: Language): Prepared => {
    const key = `${full} ${language}`;
    const found = known.get(key) ?? prepare(full, language, headers, keepAliveMs);
    known.set(key, found);
    return found;
  };
  return (full: UsedUp, request: IncomingMessage, response: ServerResponse, requestId: string): void => {
    const { head, before, after, bytes } = prepared(full, languageOf(request.headers['accept-language']));
    const path = quotedPath(request);
    const length = bytes + Buffer.byteLength(path);
    response.socket!.write(
      `${head}date: ${dateNow()}\r\nx-request-id: ${requestId}\r\nretry-after: ${retrySeconds()}\r\ncontent-length: ${length}\r\n\r\n${before}${path}${after}`,
    );
    // Node goes on with the connection: it reads what is left of the body, and then the next request.
    response.emit('finish');
  };
}

interface Prepared {
  readonly head: string;
  /** The body around the path, and its length. */
  readonly before: string;
  readonly after: string;
  readonly bytes: number;
}

function prepare(
  full: UsedUp,
  language: Language,
  headers: Readonly<Record<string, string>>,
  keepAliveMs: number,
): Prepared {
  const status = STATUS[full];
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    'connection: keep-alive',
    `keep-alive: timeout=${Math.floor(keepAliveMs / 1_000)}`,
  ];
  const { before, after } = detailsOf(full, language);
  return { head: `${lines.join('\r\n')}\r\n`, before, after, bytes: Buffer.byteLength(before + after) };
}

/** The body but for the path never differs. */
function detailsOf(full: UsedUp, language: Language): { readonly before: string; readonly after: string } {
  const whole = JSON.stringify(problemDetails([wireProblem(CODES[full], {})], '\0', language));
  const [before = '', after = ''] = whole.split(JSON.stringify('\0'));
  return { before, after };
}

function quotedPath({ url = '' }: IncomingMessage): string {
  const end = url.indexOf('?');
  return JSON.stringify(end < 0 ? url : url.slice(0, end));
}

let date = { second: 0, text: '' };

/** As the header says it. */
function dateNow(): string {
  const now = Date.now();
  const second = Math.floor(now / 1_000);
  if (second !== date.second) date = { second, text: new Date(now).toUTCString() };
  return date.text;
}
