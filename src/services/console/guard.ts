import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { reject } from '../../accounting/problem.ts';
import type { OpenSession, Sessions } from '../../features/access/sessions/sessions.ts';

declare module 'fastify' {
  interface FastifyRequest {
    console?: ConsoleRequest;
  }
}

/** What the console knows of a request to its API. */
export interface ConsoleRequest {
  readonly sessions: Sessions;
  readonly session: OpenSession | undefined;
}

/** __Host-: only this very host sets it, over a protected connection, for all of its paths. */
const COOKIE = '__Host-partidas';
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Strict';
const API = '/api/';
/** Sent by a page with what it asks for by itself: nobody was there, so that the session grows idle. */
const BACKGROUND = 'x-partidas-background';
/** What is called before anybody has signed in, or after. */
const OPEN: ReadonlySet<string> = new Set([
  'GET /api/console/providers',
  'POST /api/console/session',
  'DELETE /api/console/session',
  'POST /api/authentication/api/auth/mfa/enrolment',
]);

/** The Set-Cookie that opens the session, or ends it where there is none. */
export function sessionCookie(cookie: string | undefined): string {
  return `${COOKIE}=${cookie ?? ''}; ${cookie === undefined ? 'Max-Age=0; ' : ''}${ATTRIBUTES}`;
}

/**
 * Every request to the API must come from a page of this very origin, whatever its method: two GETs of the platform
 * change books. What it brings as cookie or token is taken from it, and a token made for its session put in the place.
 */
export function guardApi(server: FastifyInstance, sessions: Sessions): void {
  server.addHook('onRequest', async (request) => {
    if (request.routeOptions.url?.startsWith(API) !== true) return;
    requireProtection(request);
    if (request.headers['sec-fetch-site'] !== 'same-origin') reject('CROSS_SITE_REQUEST');
    const cookie = cookieOf(request.raw);
    const isUse = request.headers[BACKGROUND] === undefined;
    const session = cookie === undefined ? undefined : await sessions.find(cookie, isUse);
    if (!session && !OPEN.has(`${request.method} ${request.raw.url}`)) reject('SESSION_REQUIRED');
    request.console = { sessions, session };
    carryToken(request.raw, session && (await sessions.tokenOf(session)));
  });
}

/**
 * A cookie of a protected connection, and Sec-Fetch-Site, exist over https and on the browser's own machine alone. A
 * password must not be typed elsewhere.
 */
export function requireProtection({ protocol, hostname }: FastifyRequest): void {
  if (protocol !== 'https' && !LOOPBACK.test(hostname)) reject('INSECURE_CONNECTION');
}

const LOOPBACK = /^(?:(?:[\w-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i;

/** Of two cookies of the name somebody else has set one: none is taken. */
export function cookieOf({ headers }: Pick<IncomingMessage, 'headers'>, name = COOKIE): string | undefined {
  const named = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
  const values = named.filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1));
  return values.length === 1 ? values[0] : undefined;
}

/** Whatever reads the headers from here on, parsed or raw, sees the console's token or none. */
function carryToken(raw: IncomingMessage, token: string | undefined): void {
  delete raw.headers.cookie;
  delete raw.headers.authorization;
  const kept = raw.rawHeaders.filter((_, at) => !/^(?:cookie|authorization)$/i.test(raw.rawHeaders[at - (at % 2)]!));
  if (token !== undefined) {
    raw.headers.authorization = `Bearer ${token}`;
    kept.push('Authorization', `Bearer ${token}`);
  }
  raw.rawHeaders = kept;
}
