import fc from 'fast-check';
import pg from 'pg';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startExamplePlatform } from '../support/example-books.ts';
import { recordFigure } from '../support/figures.ts';
import { type FuzzRequest, fuzzRequests } from '../support/fuzz.ts';
import { ADMIN, type Client, type Platform } from '../support/platform.ts';
import {
  inParallel,
  isRefusalType,
  type PublishedOperation,
  publishedOperations,
} from '../support/published-operations.ts';
import { timeLimitOf } from '../support/trust-parts.ts';
import { FORM, volumeOf } from '../support/volumes.ts';

// Whatever is sent to any operation by anybody, no answer is a failure of the program, and none shows its inside.

const REQUESTS = volumeOf('FUZZ_REQUESTS');
const SEED = Number(process.env.FUZZ_SEED ?? (FORM === 'full' ? Date.now() % 1_000_000 : 4_711));
/** Seeds that once found something. */
const KEPT_SEEDS: readonly number[] = [];
const TIME = { timeout: timeLimitOf('fuzz') };

/** What no answer may show: frames of a stack, statements, constraints, folders. */
const INTERNALS =
  /\bat \S+ \(|\.ts:\d+|node_modules|SELECT [a-z_]+\.|INSERT INTO|duplicate key|violates|relation "|\bpg_|FST_|ECONN|\/src\//;

let platform: Platform;
let owner: pg.Client;
let operations: PublishedOperation[];
let passwordHash: string;
const figures: string[] = [];
const agent = new Agent({ connections: 8, headersTimeout: 30_000, bodyTimeout: 30_000 });

beforeAll(async () => {
  platform = await startExamplePlatform({});
  owner = new pg.Client({ connectionString: platform.ownerUrl });
  await owner.connect();
  await fillBooks(platform.admin);
  operations = (await publishedOperations(platform.admin)).sort((a, b) => turnOf(a) - turnOf(b));
  passwordHash = (await owner.query('SELECT password_hash FROM app_user WHERE id = 1')).rows[0].password_hash;
}, 120_000);
afterAll(async () => {
  await agent.close();
  await owner?.end();
  await platform?.stop();
});

test.each([SEED, ...KEPT_SEEDS])('no request makes the program fail (seed %i)', TIME, async (seed) => {
  const { requests, answered, refused, busy, done, findings } = await fuzz(operations, REQUESTS, seed);
  figures.push(
    `${requests} requests over ${operations.length} operations (seed ${seed}): ${answered} answered, on ${done} ` +
      `operations, ${refused} refused, ${busy} asked to come again (503 with Retry-After), ${findings.length} failures`,
  );
  expect(findings).toEqual([]);
  expect(requests).toBeGreaterThanOrEqual(REQUESTS);
  expect(answered).toBeGreaterThan(requests / 20);
});

test('a program that fails is seen, and an answer that shows its inside', TIME, async () => {
  await owner.query('ALTER TABLE standard_narration RENAME COLUMN code TO lost');
  const broken = operations.filter(({ path }) => path.startsWith('/history'));
  const { requests, findings } = await fuzz(broken, 200, SEED);
  await owner.query('ALTER TABLE standard_narration RENAME COLUMN lost TO code');
  expect(findings.length).toBeGreaterThan(0);
  const shown = [
    'at f (/x/src/a.ts:1:2)',
    'relation "audit" does not exist',
    'node_modules/pg/lib',
    'INSERT INTO month',
  ];
  const plain = { status: 400, type: 'application/problem+json', retryAfter: undefined };
  for (const text of shown) expect(wrongOf({ ...plain, text }, broken[0]!)).toContain('shows');
  expect(wrongOf({ ...plain, status: 503, text: '{}' }, broken[0]!)).toBeDefined();
  recordFigure({
    part: 'fuzz',
    what: 'hostile requests to every operation',
    figure: figures.join('; '),
    control: `a column taken away: ${findings.length} kinds of failures in ${requests} requests; inner texts in an answer: ${shown.length} of ${shown.length}`,
  });
});

interface Fuzzed {
  readonly requests: number;
  readonly answered: number;
  readonly refused: number;
  readonly busy: number;
  /** Operations that answered with a success at least once. */
  readonly done: number;
  /** One of each operation, kind and status. */
  readonly findings: readonly string[];
}

async function fuzz(tried: readonly PublishedOperation[], atLeast: number, seed: number): Promise<Fuzzed> {
  const findings = new Map<string, string>();
  const counts = { requests: 0, answered: 0, refused: 0, busy: 0 };
  const done = new Set<PublishedOperation>();
  let client = platform.admin;
  for (const [at, operation] of tried.entries()) {
    client = await stillAdministrator(client);
    const requests = fc.sample(fuzzRequests(operation), {
      seed: seed + at,
      numRuns: Math.ceil(atLeast / tried.length),
    });
    await inParallel(requests, 8, async (each) => {
      const answer = await send(operation, each, counts.requests % 10 === 9 ? '' : client.token);
      counts.requests++;
      if (answer.status < 400) {
        counts.answered++;
        done.add(operation);
      } else if (answer.status < 500) counts.refused++;
      else counts.busy++;
      const wrong = wrongOf(answer, operation);
      const name = `${operation.service} ${operation.method} ${operation.path}`;
      if (wrong) findings.set(`${name} ${each.kind.split(' ')[0]} ${answer.status}`, described(name, each, wrong));
    });
  }
  return { ...counts, done: done.size, findings: [...findings.values()] };
}

/** Reads first, then what adds, what changes, and at last what takes away: something is there to be bent. */
function turnOf({ method, path }: PublishedOperation): number {
  if (/password|signout|users|purging/.test(path) && method !== 'GET') return 5;
  if (method === 'DELETE' || /delete-multiple/.test(path)) return 4;
  return ['GET', 'POST', 'PUT'].indexOf(method);
}

/** A first record of most kinds, as the examples of their documents say it. */
async function fillBooks(client: Client): Promise<void> {
  for (const each of await publishedOperations(client)) {
    if (each.method !== 'POST') continue;
    const [valid] = fc.sample(fuzzRequests(each), { seed: 1, numRuns: 50 }).filter(({ kind }) => kind === 'valid');
    if (valid && turnOf(each) === 1) await send(each, valid, client.token);
  }
}

interface Answered {
  readonly status: number;
  readonly type: string;
  readonly retryAfter: string | undefined;
  readonly text: string;
}

async function send({ service }: PublishedOperation, each: FuzzRequest, token: string): Promise<Answered> {
  const headers = { ...(token === '' ? {} : { authorization: `Bearer ${token}` }), ...each.headers };
  const {
    statusCode,
    headers: given,
    body,
  } = await request(`${platform.address(service)}${each.path}`, {
    dispatcher: agent,
    method: each.method as 'GET',
    headers,
    body: each.body ?? null,
  });
  const text = await body.text();
  return {
    status: statusCode,
    type: String(given['content-type'] ?? ''),
    retryAfter: given['retry-after'] as string | undefined,
    text,
  };
}

/** What is wrong with a response, whatever was asked. */
function wrongOf({ status, type, retryAfter, text }: Answered, asked: PublishedOperation): string | undefined {
  if (status >= 500 && !(status === 503 && retryAfter !== undefined)) return `${status} ${text.slice(0, 300)}`;
  if (status < 400) return undefined;
  if (!isRefusalType(asked, type)) return `${status} is ${type}`;
  const found = INTERNALS.exec(text)?.[0];
  return found === undefined ? undefined : `shows ${found} in ${text.slice(0, 300)}`;
}

function described(name: string, { path, kind, headers, body }: FuzzRequest, wrong: string): string {
  return `${name} (${kind}): ${path.slice(0, 200)} ${JSON.stringify(headers).slice(0, 200)} ${String(body).slice(0, 300)} → ${wrong}`;
}

/** The requests change users and fail to sign in, too: before each operation the administrator is made one again. */
async function stillAdministrator(client: Client): Promise<Client> {
  const { status } = await client.get('authentication', '/api/admin/users?size=1');
  if (status === 200) return client;
  await owner.query('DELETE FROM signin_failure');
  await owner.query(
    'UPDATE app_user SET username = $1, active = true, admin = true, expires_at = NULL, password_hash = $2 WHERE id = 1',
    [ADMIN.username, passwordHash],
  );
  platform.program.app.authorizer.forget();
  return platform.as(ADMIN.username, ADMIN.password);
}
