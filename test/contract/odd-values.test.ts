import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { build, type Side, tableOf } from '../support/foreign-requests.ts';
import { addRuleForAll, createFullBank, sideOf } from '../support/full-books.ts';
import { type HttpAnswer, type Platform, startPlatform } from '../support/platform.ts';
import {
  inParallel,
  isRefusalType,
  type PublishedOperation,
  publishedOperations,
} from '../support/published-operations.ts';
import { volumeOf } from '../support/volumes.ts';

// Sends every published operation its own valid request with one value at a time replaced by one that no form would
// send. Whatever the response says, it is a response: never a failure inside, never a word of SQL, never a wait.

const ODD_VALUES: readonly unknown[] = [
  null,
  '',
  ' ',
  '0',
  '-1',
  '1e400',
  'NaN',
  '__proto__',
  "' OR 1=1 --",
  '\u0000',
  '\ud800',
  '\u202e\u2066',
  '9'.repeat(400),
  'á'.repeat(70_000),
  '2026-02-31',
  '13/2026',
  0,
  -1,
  1.5,
  0.1 + 0.2,
  Number.MAX_SAFE_INTEGER,
  2 ** 63,
  1e300,
  true,
  [],
  [[[[]]]],
  [null],
  {},
  { toString: 'x', constructor: {} },
];
/** What a response must not hold: statements, the database's messages, a stack, a path of this machine. */
const INSIDES = /\bSELECT\b|\bINSERT\b|\bUPDATE \w+ SET|violates|syntax error|relation "|\n\s+at |node_modules|\/src\//;
const SLOW_MS = 3_000;
const ONE_IN = volumeOf('ODD_VALUES_ONE_IN');
/** These end the session or the user that the test works with. */
const LEFT_OUT = ['/api/admin/users/{id}', '/api/admin/users/{id}/password', '/api/auth/password'];

let platform: Platform;
let owner: pg.Client;
let side: Side;
let operations: PublishedOperation[];

beforeAll(async () => {
  platform = await startPlatform();
  owner = new pg.Client({ connectionString: platform.ownerUrl });
  await owner.connect();
  await addRuleForAll(platform);
  side = await sideOf(owner, await createFullBank(platform, owner, {}, 'texto', '10.00'));
  operations = (await publishedOperations(platform.admin)).filter(({ path }) => !LEFT_OUT.includes(path));
}, 60_000);
afterAll(async () => {
  await owner?.end();
  await platform?.stop();
});

test('no value in no place of no request makes a service fail', { timeout: 300_000 }, async () => {
  const findings: string[] = [];
  const slow: { readonly name: string; ask(): Promise<HttpAnswer> }[] = [];
  const counts = { requests: 0, refused: 0 };
  for (const { service, method, path, operation } of operations) {
    const { path: filled, body } = build(path, operation, (slot) =>
      slot.kind === 'id' ? (side.ids[tableOf(slot.name) ?? 'batch'] ?? 1) : side[slot.kind],
    );
    const requests = [...oddPaths(path, filled), ...oddQueries(filled, operation), ...oddBodies(filled, body)];
    await inParallel(requests, 6, async (request) => {
      const ask = () => platform.admin.call(service, method, request.path, request.body);
      const began = performance.now();
      const answer = await ask();
      if (performance.now() - began > SLOW_MS) slow.push({ name: `${service} ${method} ${request.path}`, ask });
      counts.requests++;
      if (answer.status >= 400) counts.refused++;
      const sent = `${service} ${method} ${request.path.slice(0, 200)} ${JSON.stringify(request.body)?.slice(0, 300) ?? ''}`;
      const lookup = answer.status === 503 && request.path.startsWith('/companies/c');
      if (answer.status >= 500 && !lookup) findings.push(`${sent} → ${answer.status} ${answer.text.slice(0, 200)}`);
      if (answer.status >= 400 && !isRefusalType({ path }, answer.headers.get('content-type') ?? ''))
        findings.push(`${sent} → ${answer.status} without a problem: ${answer.text.slice(0, 200)}`);
      if (answer.status >= 400 && INSIDES.test(answer.text)) findings.push(`${sent} → ${answer.text.slice(0, 300)}`);
    });
  }
  // Asked again with nothing beside it: the machine may have done something else.
  for (const { name, ask } of slow) {
    const began = performance.now();
    await ask();
    const took = performance.now() - began;
    if (took > SLOW_MS) findings.push(`${name.slice(0, 200)} took ${Math.round(took)} ms, twice`);
  }
  console.log(`odd values: ${operations.length} operations, ${counts.requests} requests, ${counts.refused} refused`);
  expect(findings.slice(0, 30)).toEqual([]);
  expect(counts.refused).toBeGreaterThan(counts.requests / 2);
});

interface OddRequest {
  readonly path: string;
  readonly body: unknown;
}

/** Each parameter of the path replaced. */
function oddPaths(path: string, filled: string): OddRequest[] {
  const [pathname = '', query] = filled.split('?');
  const names = path.split('/');
  const values = pathname.split('/');
  return names.flatMap((name, at) =>
    !name.startsWith('{')
      ? []
      : some(texts()).map((text) => ({
          path: `${values.with(at, encodeURIComponent(text)).join('/')}${query ? `?${query}` : ''}`,
          body: undefined,
        })),
  );
}

function oddQueries(filled: string, { parameters = [] }: PublishedOperation['operation']): OddRequest[] {
  return parameters
    .filter((each) => each.in === 'query')
    .flatMap(({ name }) =>
      some(texts()).map((text) => {
        const url = new URL(filled, 'http://x');
        url.searchParams.set(name, text);
        return { path: `${url.pathname}${url.search}`, body: undefined };
      }),
    );
}

/** Each value of the body replaced, at any depth, and the body itself. */
function oddBodies(path: string, body: unknown): OddRequest[] {
  if (body === undefined) return [];
  return placesOf(body).flatMap((place) => some(ODD_VALUES).map((odd) => ({ path, body: replaced(body, place, odd) })));
}

let turn = 0;

/** One in so many of the values, others each time: no kind of field always gets the same. */
function some<Value>(values: readonly Value[]): Value[] {
  turn++;
  return values.filter((_, at) => (at + turn) % ONE_IN === 0);
}

/** The odd values that a URL can carry. */
function texts(): string[] {
  return ODD_VALUES.filter((value): value is string => typeof value === 'string')
    .filter((text) => text.isWellFormed() && text.length < 1_000)
    .concat('1.5', '9223372036854775808', '%00', '[]', '../x');
}

function placesOf(value: unknown, place: readonly string[] = []): (readonly string[])[] {
  if (value === null || typeof value !== 'object') return [place];
  return [place, ...Object.entries(value).flatMap(([key, inner]) => placesOf(inner, [...place, key]))];
}

function replaced(value: unknown, [key, ...rest]: readonly string[], odd: unknown): unknown {
  if (key === undefined) return odd;
  if (Array.isArray(value)) return value.with(Number(key), replaced(value[Number(key)], rest, odd));
  const fields = value as Record<string, unknown>;
  return { ...fields, [key]: replaced(fields[key], rest, odd) };
}
