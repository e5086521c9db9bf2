import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { type Language, languageOf } from './language.ts';
import { problemDetails, wireProblem } from './problem-details.ts';
import { closeAfterUnreadBody } from './unread-body.ts';

/**
 * Counts the requests that the process has in hand, of every service, from their head to the end of their answer, and
 * rejects one more before anything else is done for it: a rejection must cost little, or those who are rejected take the
 * time of those who are let in (decision 44). Requests that were admitted to a lane with a bound of its own are not
 * counted any longer.
 */
export interface LoadGate {
  /** The share that is used up: of the caller or of the process. undefined when the request is let in. */
  enter(request: IncomingMessage, response: ServerResponse): 'caller' | 'process' | undefined;
  /** The request is counted elsewhere from now on. */
  leave(request: IncomingMessage): void;
  /** Requests in hand, and rejected since the start. */
  counts(): { readonly inHand: number; readonly rejected: number };
}

/**
 * At most `limit` requests at once. A caller may have as many as there is still room for the others: alone half of the
 * limit, of two each a third; so nobody, and no number of callers, takes the last place from somebody new.
 */
export function openLoadGate(limit: number, isBehindProxy: boolean): LoadGate {
  const callers = new Map<string, number>();
  const leaves = new WeakMap<IncomingMessage, () => void>();
  let inHand = 0;
  let rejected = 0;
  const shareUsedUp = (own: number) => {
    if (inHand >= limit) return 'process';
    return own > 0 && own >= limit - inHand ? 'caller' : undefined;
  };
  return {
    enter(request, response) {
      const caller = callerOf(request, isBehindProxy);
      const own = callers.get(caller) ?? 0;
      const full = shareUsedUp(own);
      if (full !== undefined) {
        rejected++;
        return full;
      }
      inHand++;
      callers.set(caller, own + 1);
      const leave = () => {
        if (!leaves.delete(request)) return;
        inHand--;
        const left = callers.get(caller)! - 1;
        if (left === 0) callers.delete(caller);
        else callers.set(caller, left);
      };
      leaves.set(request, leave);
      response.once('close', leave);
      return undefined;
    },
    leave: (request) => leaves.get(request)?.(),
    counts: () => ({ inHand, rejected }),
  };
}

/** Whose request it seems to be: nothing is verified yet, and a wrong token has its own share like any other. */
function callerOf({ headers, socket }: IncomingMessage, isBehindProxy: boolean): string {
  const named = headers.authorization ?? headers.cookie;
  // The end of a token is its signature.
  if (named !== undefined) return named.slice(-SIGNATURE);
  return String((isBehindProxy && headers['x-forwarded-for']) || socket.remoteAddress);
}

const SIGNATURE = 64;

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
  const [answer] = app.server.listeners('request') as [(request: IncomingMessage, response: ServerResponse) => void];
  app.server.removeAllListeners('request');
  app.server.on('request', (request, response) => {
    const full = request.url?.startsWith(ALWAYS_ANSWERED) ? undefined : gate.enter(request, response);
    if (full === undefined) answer(request, response);
    else reject(full, request, response, rejection);
  });
}

/** Those who are rejected together do not all come back in the same second. */
const RETRY_SECONDS = { least: 1, most: 3 };

function reject(
  full: 'caller' | 'process',
  request: IncomingMessage,
  response: ServerResponse,
  { headers, requestIdOf, corsOrigins, isStopping }: AnswerHead,
): void {
  const [path = ''] = (request.url ?? '').split('?', 1);
  const body = detailsOf(full, languageOf(request.headers['accept-language']), path);
  const { origin } = request.headers;
  const { least, most } = RETRY_SECONDS;
  if (isStopping()) response.shouldKeepAlive = false;
  closeAfterUnreadBody(request, (name, value) => response.setHeader(name, value));
  response
    .writeHead(full === 'caller' ? 429 : 503, {
      ...headers,
      ...(origin !== undefined && corsOrigins.includes(origin) ? { 'access-control-allow-origin': origin } : {}),
      'x-request-id': requestIdOf(request),
      'content-length': Buffer.byteLength(body),
      'retry-after': String(least + Math.floor(Math.random() * (most - least + 1))),
    })
    .end(body);
}

const CODES = { caller: 'TOO_MANY_IN_HAND', process: 'BUSY' } as const;
const known = new Map<string, { readonly before: string; readonly after: string }>();

/** The body but for the path never differs: putting it together takes as long as all the rest. */
function detailsOf(full: 'caller' | 'process', language: Language, path: string): string {
  const key = `${full} ${language}`;
  let parts = known.get(key);
  if (parts === undefined) {
    const whole = JSON.stringify(problemDetails([wireProblem(CODES[full], {})], '\0', language));
    const [before = '', after = ''] = whole.split(JSON.stringify('\0'));
    parts = { before, after };
    known.set(key, parts);
  }
  return parts.before + JSON.stringify(path) + parts.after;
}
