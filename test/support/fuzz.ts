import fc from 'fast-check';
import { build, type Operation } from './foreign-requests.ts';
import type { PublishedOperation } from './published-operations.ts';

// Requests that nobody means well: what an operation's document describes, bent in one place or in several.

export interface FuzzRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
  /** What was bent, for the report. */
  readonly kind: string;
}

/** Values that programs stumble over: bounds of types, texts of other alphabets, fragments of other languages. */
const HOSTILE: readonly unknown[] = [
  null,
  true,
  false,
  '',
  ' ',
  '\t\n',
  0,
  -0,
  -1,
  1,
  1.5,
  0.001,
  2 ** 31,
  2 ** 53,
  2 ** 53 - 1,
  -(2 ** 63),
  1e21,
  1e308,
  9_999_999_999_999.99,
  '0',
  '-1',
  '1e5',
  'NaN',
  'Infinity',
  '9007199254740993',
  '1'.repeat(41),
  'x'.repeat(10_000),
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u202eabc',
  '\u200b',
  '１２',
  'İ',
  'ß',
  '🂡',
  '\u001b[31m',
  '<script>alert(1)</script>',
  "'; DROP TABLE entry_line; --",
  '" OR 1=1 --',
  '$1',
  '%',
  '_',
  '\\',
  '../../etc/passwd',
  '%00',
  '=cmd|x!A1',
  '{0}{1}{2}',
  '00/2026',
  '13/2026',
  '12/9999',
  '02/0000',
  '2026-13',
  '2026-02-30',
  '2024-02-29',
  '0000-01-01',
  '9999-12-31',
  '99999-01-01',
  '31',
  '00',
  '32',
  [],
  {},
  [[]],
  [null],
  [0],
  { a: { b: { c: [] } } },
  { length: 1 },
  { toString: 'x' },
  { constructor: {} },
];

const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...HOSTILE) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
  { weight: 1, arbitrary: fc.integer({ min: -(2 ** 31), max: 2 ** 31 }) },
  { weight: 1, arbitrary: fc.double({ noNaN: true }) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);

const hostileHeaders: fc.Arbitrary<Record<string, string>> = fc.constantFrom<Record<string, string>[]>(
  { 'idempotency-key': 'x'.repeat(300) },
  { 'idempotency-key': 'fuzz 1' },
  { 'idempotency-key': 'fuzz-1' },
  { 'accept-language': 'pt;q=9,,;;q=x' },
  { 'accept-language': 'x,'.repeat(2_000) },
  { accept: 'image/png' },
  { accept: 'text/csv' },
  { accept: '*/*;q=0, ,' },
  { range: 'bytes=0-' },
  { 'if-none-match': '*' },
  { authorization: 'Basic YTpi' },
  { authorization: `Bearer ${'x'.repeat(5_000)}` },
  { 'content-encoding': 'gzip' },
  { 'content-encoding': 'identity, br' },
  { 'x-forwarded-for': "127.0.0.1, '; --" },
  { 'x-request-id': 'x'.repeat(5_000) },
  { cookie: 'a=b; a=c' },
);

/** Bodies that are no valid body of anything, with the media type they claim. */
const rawBodies: fc.Arbitrary<{ body: string | Uint8Array; type: string | undefined }> = fc.record({
  body: fc.oneof(
    fc.constantFrom(
      '',
      '{',
      '{"a":',
      '[]',
      'null',
      '"text"',
      '0',
      '{"a":1,"a":2}',
      '{"__proto__":{"admin":true}}',
      `${'['.repeat(200)}${']'.repeat(200)}`,
      '{"valor":1e400}',
      '\ufeff{}',
      '<a/>',
      'a=1&a=2&a[b]=3',
      '--x\r\n',
      '--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\na;b\r\n--x--\r\n',
      '--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\na;b',
      '--x\r\nContent-Disposition: form-data\r\n\r\n\r\n--x--',
      '--x\r\nContent-Disposition: form-data; name="dryRun"\r\n\r\nmaybe\r\n--x--\r\n',
      `2${'9'.repeat(155)}\n`,
      'documento;lancamento;dia;debcre;conta;contrapartida;valor\n1;1;99;X;;;\n',
    ),
    fc.uint8Array({ maxLength: 200 }),
  ),
  type: fc.constantFrom(
    'application/json',
    'application/json; charset=utf-16',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'multipart/form-data; boundary=x',
    'multipart/form-data; boundary=',
    'text/plain',
    'text/xml',
    'application/octet-stream',
    'nonsense',
    undefined,
  ),
});

/** Requests of one operation; records are named as its examples name them (support/example-books.ts has them all). */
export function fuzzRequests(published: PublishedOperation): fc.Arbitrary<FuzzRequest> {
  const { method, path, operation } = published;
  const { path: filled, body } = build(path, operation, ({ kind, name }) =>
    kind === 'id' ? (name === 'contrapartida' ? 2 : 1) : kind === 'chart' ? 'EXEMPLO' : '0001',
  );
  const type = Object.keys(operation.requestBody?.content ?? {})[0];
  const asSent = (kind: string, path: string, body: unknown, headers: Record<string, string> = {}): FuzzRequest => {
    const given = encoded(type, body);
    return { method, path, kind, headers: { ...given.headers, ...headers }, body: given.body };
  };
  const parameters = operation.parameters?.filter((each) => each.in !== 'header') ?? [];
  const kinds: fc.WeightedArbitrary<FuzzRequest>[] = [
    { weight: 2, arbitrary: fc.constant(asSent('valid', filled, body)) },
    { weight: 1, arbitrary: hostileHeaders.map((headers) => asSent('headers', filled, body, headers)) },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom('?x=1', '?', '/', '//', '?page=-1&size=1e9', '?%00=%ff', '/%2e%2e/', '?history=true&async=true')
        .map((tail) => asSent('address', filled + tail, body)),
    },
    {
      weight: 2,
      arbitrary: rawBodies.map(
        ({ body, type }): FuzzRequest => ({
          method,
          path: filled,
          kind: 'raw body',
          body: method === 'GET' ? undefined : body,
          headers: type === undefined ? {} : { 'content-type': type },
        }),
      ),
    },
  ];
  if (parameters.length > 0) {
    kinds.push({
      weight: 4,
      arbitrary: fc
        .tuple(fc.constantFrom(...parameters), hostileValue)
        .map(([parameter, value]) =>
          asSent(`parameter ${parameter.name}`, withParameter(path, filled, parameter, value), body),
        ),
    });
  }
  if (body !== undefined && typeof body === 'object' && body !== null) {
    kinds.push({
      weight: 8,
      arbitrary: fc
        .array(fc.tuple(fc.nat(), hostileValue, fc.constantFrom('replace', 'remove', 'add')), {
          minLength: 1,
          maxLength: 3,
        })
        .map((changes) => asSent('body', filled, bent(body, changes))),
    });
  }
  return fc.oneof(...kinds);
}

function encoded(type: string | undefined, body: unknown): Pick<FuzzRequest, 'headers' | 'body'> {
  if (body === undefined) return { headers: {}, body: undefined };
  if (type === 'application/x-www-form-urlencoded') {
    const fields = Object.entries(Object(body)).map(([name, value]): [string, string] => [name, textOf(value)]);
    return { headers: { 'content-type': type }, body: new URLSearchParams(fields).toString() };
  }
  if (type === 'text/plain') return { headers: { 'content-type': type }, body: textOf(body) };
  if (type === 'multipart/form-data') {
    const csv =
      'documento;lancamento;dia;debcre;conta;contrapartida;valor;historico;cdhistorico\n9;1;05;D;1.1.1;3.1;10,00;x;\n';
    const part = `--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n${csv}\r\n--x--\r\n`;
    return { headers: { 'content-type': `${type}; boundary=x` }, body: part };
  }
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

function withParameter(
  template: string,
  filled: string,
  { name, in: place }: NonNullable<Operation['parameters']>[number],
  value: unknown,
): string {
  const text = encodeURIComponent(textOf(value).toWellFormed().slice(0, 3_000));
  if (place === 'query') {
    const [path, query] = filled.split('?');
    const kept = (query ?? '').split('&').filter((each) => each !== '' && !each.startsWith(`${name}=`));
    return `${path}?${[...kept, `${name}=${text}`].join('&')}`;
  }
  const at = template.split('/').indexOf(`{${name}}`);
  const [path, query] = filled.split('?');
  const segments = path!.split('/');
  if (at >= 0) segments[at] = text;
  return query === undefined ? segments.join('/') : `${segments.join('/')}?${query}`;
}

/** The body with values at some of its places replaced, taken away or set beside. */
function bent(body: unknown, changes: readonly (readonly [number, unknown, string])[]): unknown {
  const copy = structuredClone(body) as Record<string, unknown>;
  for (const [which, given, how] of changes) {
    // Of its own: the hostile values serve all requests, and the next change may bend this one.
    const value = structuredClone(given);
    const places = placesOf(copy);
    if (places.length === 0) return value;
    const { holder, key } = places[which % places.length]!;
    if (how === 'remove') {
      if (Array.isArray(holder)) holder.splice(Number(key), 1);
      else delete holder[key];
    } else if (how === 'add' && !Array.isArray(holder)) holder[`${key}X`] = value;
    else (holder as Record<string, unknown>)[key] = value;
  }
  return copy;
}

function placesOf(value: unknown): { holder: Record<string, unknown>; key: string }[] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((key) => [{ holder, key }, ...placesOf(holder[key])]);
}
