import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { reject } from '../../accounting/problem.ts';
import { ROUTINE_CODES } from '../../features/access/access.ts';
import { isRoutineGranted } from '../../features/access/authorize.ts';
import { endOtherSessions, endSession, signOut } from '../../features/access/sessions/end-session.ts';
import { openSession } from '../../features/access/sessions/open-session.ts';
import {
  countSessions,
  type ReachedBranch,
  type SessionRow,
  selectReachedBranches,
  selectSessions,
} from '../../features/access/sessions/sessions.read.sql.ts';
import type { OpenSession } from '../../features/access/sessions/sessions.ts';
import { LONGEST_SESSION_MS } from '../../features/access/sessions/sessions.ts';
import { signIn } from '../../features/access/sign-in.ts';
import { readUser } from '../../features/access/users.ts';
import { assertWholeList } from '../../features/master-data/whole-list.ts';
import { booleanText, credentials, idParams, instant, optional, pathId, text } from '../../http/fields.ts';
import { pageOf, pageQuery, pageToWire } from '../../http/paging.ts';
import { type Request, RouteResponse, route } from '../../http/route.ts';
import { type ConsoleRequest, sessionCookie } from './guard.ts';

const tag = 'Session';
const path = '/api/console/session';
const sessionsPath = '/api/console/sessions';

/** Branches of a user that are answered. */
const MAX_BRANCHES = 10_000;

const named = { code: z.string(), name: z.string() };
const signedIn = z
  .object({
    user: z.object({
      id: z.number().int(),
      username: z.string().meta({ example: 'maria' }),
      name: z.string().meta({ example: 'Maria da Silva' }),
      email: z.string().nullable(),
      admin: z.boolean(),
    }),
    companies: z
      .array(z.object({ ...named, branches: z.array(z.object(named).meta({ title: 'ReachedBranch' })) }))
      .meta({ description: 'What the user reaches' }),
    deniedRoutines: z.array(z.string()).meta({ example: ['PURGING'] }),
    signedInAt: instant,
    expiresAt: instant.meta({ description: 'When it ends at the latest' }),
    idleMinutes: z.number().int().meta({ example: 30, description: 'Without a request it ends after so many' }),
  })
  .meta({ title: 'ConsoleSession' });

export const signInToConsoleRoute = route({
  operationId: 'signInToConsole',
  method: 'POST',
  path,
  summary: 'Opens a session: the cookie of the answer is all that a browser has of it',
  tag,
  access: { to: 'anyone' },
  addition: true,
  body: z.strictObject({
    ...credentials(),
    totp: optional(text(40, 1)).meta({
      example: null,
      description: 'Code of the second factor, or a recovery code in its place',
    }),
  }),
  status: 201,
  headers: ['Set-Cookie'],
  answer: signedIn,
  handle: async (request) => {
    const { body, context, config, raw } = request;
    const { sessions, session: before } = consoleOf(raw);
    const cookie = await signIn(context, config, body, openSession(raw.headers['user-agent'] ?? ''));
    if (before) await signOut(context, before.id, before.user);
    const session = (await sessions.find(cookie, true)) ?? reject('BAD_CREDENTIALS');
    raw.user = session.user;
    const asUser = await request.admit({ to: 'anyUser' });
    return new RouteResponse(201, await describe(asUser, session), { 'set-cookie': sessionCookie(cookie) });
  },
});

export const consoleSessionRoute = route({
  operationId: 'getConsoleSession',
  method: 'GET',
  path,
  summary: 'Who is signed in, what this user reaches and may not do',
  tag,
  access: { to: 'anyUser' },
  addition: true,
  answer: signedIn,
  handle: async (request) => describe(request, sessionOf(request.raw)),
});

export const signOutOfConsoleRoute = route({
  operationId: 'signOutOfConsole',
  method: 'DELETE',
  path,
  summary: 'Ends the session, if there is one',
  tag,
  access: { to: 'anyone' },
  addition: true,
  headers: ['Set-Cookie'],
  answer: z.object({ success: z.boolean() }),
  handle: async ({ context, raw }) => {
    const { session } = consoleOf(raw);
    if (session) await signOut(context, session.id, session.user);
    return new RouteResponse(200, { success: true }, { 'set-cookie': sessionCookie(undefined) });
  },
});

const listed = z
  .object({
    id: z.number().int(),
    userId: z.number().int(),
    username: z.string().meta({ example: 'maria' }),
    name: z.string().meta({ example: 'Maria da Silva' }),
    how: z.string().meta({
      example: 'PASSWORD',
      description: 'PASSWORD, PASSWORD_AND_CODE, or the name of the identity provider',
    }),
    address: z.string().meta({ example: '192.0.2.7' }),
    agent: z.string().meta({ example: 'Mozilla/5.0' }),
    createdAt: instant,
    usedAt: instant,
    expiresAt: instant,
    current: z.boolean().meta({ description: 'The session that asks' }),
  })
  .meta({ title: 'ListedSession' });

export const listSessionsRoute = route({
  operationId: 'listConsoleSessions',
  method: 'GET',
  path: sessionsPath,
  summary: 'Open sessions, those used last first: the own, or, for an administrator, those of one user or of all',
  tag,
  access: { to: 'anyUser' },
  addition: true,
  query: z.strictObject({
    ...pageQuery(100),
    everyone: booleanText.default(false).meta({ example: 'false' }),
    userId: pathId.optional(),
  }),
  answer: pageOf(listed),
  handle: async ({ query, user, context, config, raw }) => {
    const { everyone, userId, ...slice } = query;
    const isForeign = everyone || (userId !== undefined && userId !== user.id);
    if (isForeign && !user.admin) reject('ADMIN_ONLY');
    const now = context.now().getTime();
    const filter = {
      userId: userId ?? (everyone ? undefined : user.id),
      createdAfter: new Date(now - LONGEST_SESSION_MS),
      usedAfter: new Date(now - config.consoleIdleMinutes * 60_000),
    };
    const totalElements = await countSessions(context.sql, filter);
    const rows = await selectSessions(context.sql, filter, slice);
    const current = sessionOf(raw).id;
    return pageToWire(
      rows.map((row) => rowToWire(row, current)),
      totalElements,
      slice,
    );
  },
});

export const endSessionRoute = route({
  operationId: 'endConsoleSession',
  method: 'DELETE',
  path: `${sessionsPath}/{id}`,
  summary: "Ends one of the own sessions; an administrator ends anybody's",
  tag,
  access: { to: 'anyUser' },
  addition: true,
  params: idParams,
  answer: z.object({ success: z.boolean() }),
  handle: async ({ params, context }) => {
    await endSession(context, params.id);
    return { success: true };
  },
});

export const endOtherSessionsRoute = route({
  operationId: 'endOtherConsoleSessions',
  method: 'DELETE',
  path: sessionsPath,
  summary: 'Ends all own sessions but the one that asks',
  tag,
  access: { to: 'anyUser' },
  addition: true,
  answer: z.object({ ended: z.number().int().meta({ example: 2 }) }),
  handle: async ({ context, raw }) => ({ ended: await endOtherSessions(context, sessionOf(raw).id) }),
});

function consoleOf({ console }: FastifyRequest): ConsoleRequest {
  if (!console) throw new Error('a request that the guard of the console has not seen');
  return console;
}

function sessionOf(raw: FastifyRequest): OpenSession {
  return consoleOf(raw).session ?? reject('SESSION_REQUIRED');
}

async function describe(
  { user, context, config }: Pick<Request<undefined, undefined, undefined>, 'user' | 'context' | 'config'>,
  session: OpenSession,
): Promise<z.input<typeof signedIn>> {
  const { id, username, name, email, admin } = await readUser(context.sql, user.id);
  const rows = assertWholeList(await selectReachedBranches(context.sql, MAX_BRANCHES + 1), MAX_BRANCHES);
  return {
    user: { id, username, name, email, admin },
    companies: companiesOf(rows),
    deniedRoutines: ROUTINE_CODES.filter((routine) => !isRoutineGranted(user, routine)),
    signedInAt: session.createdAt.toISOString(),
    expiresAt: session.endsAt.toISOString(),
    idleMinutes: config.consoleIdleMinutes,
  };
}

type CompanyToWire = z.input<typeof signedIn>['companies'][number];

function companiesOf(rows: readonly ReachedBranch[]): CompanyToWire[] {
  const companies = new Map<string, CompanyToWire>();
  for (const { company, companyName, branch, branchName } of rows) {
    const known = companies.get(company) ?? { code: company, name: companyName, branches: [] };
    companies.set(company, known);
    if (branch !== null) known.branches.push({ code: branch, name: branchName ?? '' });
  }
  return [...companies.values()];
}

function rowToWire(row: SessionRow, current: number): z.input<typeof listed> {
  return {
    ...row,
    createdAt: row.createdAt.toISOString(),
    usedAt: row.usedAt.toISOString(),
    expiresAt: new Date(row.createdAt.getTime() + LONGEST_SESSION_MS).toISOString(),
    current: row.id === current,
  };
}
