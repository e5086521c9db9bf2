/** Headers of answers beside those of HTTP itself, and what they say. */
export const HEADERS = {
  'X-Request-Id': { description: 'Names the request in the log: tell it when you ask the operator', example: '0b1c' },
  'X-Total-Count': { description: 'Number of records on all pages', type: 'integer', example: 12 },
  'Retry-After': { description: 'Seconds to wait before the request is repeated', type: 'integer', example: 1 },
  ETag: { description: 'Names this state of the answer', example: '"0Zb3kQ"' },
  'WWW-Authenticate': { description: 'How to authenticate', example: 'Bearer' },
  'Idempotency-Replayed': {
    description: 'true: this is the kept answer to the first request with the Idempotency-Key',
    values: ['true'],
    example: 'true',
  },
  'Content-Disposition': { description: 'Name of the file', example: 'attachment; filename="livro.pdf"' },
  'X-Report-Message': {
    description: 'What there is to say of the report, percent-encoded',
    example: 'Relat%C3%B3rio%20gerado',
  },
  'Repr-Digest': { description: 'SHA-256 of the bytes (RFC 9530)', example: 'sha-256=:47DEQpj8HBSa=:' },
  'X-Book-State': { description: 'Whether the book is in force', example: 'ISSUED' },
  'Set-Cookie': {
    description: 'The cookie of the session, which no script reads',
    example: '__Host-partidas=; Path=/; Secure; HttpOnly; SameSite=Strict',
  },
  Location: { description: 'Where the answer is found', example: '/reports/jobs/1' },
  Deprecation: { description: 'Since when the operation is deprecated (RFC 9745)', example: '@1767225600' },
  Link: { description: 'The operation that replaces it (RFC 8288)', example: '</x>; rel="successor-version"' },
} as const satisfies Readonly<Record<string, Header>>;

interface Header {
  readonly description: string;
  readonly type?: 'integer';
  readonly values?: readonly string[];
  readonly example: string | number;
}

export type HeaderName = keyof typeof HEADERS;

/** The headers for `components`, by name. */
export function headerComponents(): Record<string, object> {
  return Object.fromEntries(
    Object.entries(HEADERS as Readonly<Record<string, Header>>).map(([name, header]) => {
      const { description, type = 'string', values, example } = header;
      return [name, { description, schema: { type, ...(values && { enum: values }), example } }];
    }),
  );
}

export function headerRefs(names: readonly HeaderName[]): Record<string, object> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Headers of requests that operations take, for `components`, by name. */
export const REQUEST_HEADERS = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Yours to choose, one for each thing that you want to happen: the same request under the same key gets the first answer for 24 hours',
    schema: { type: 'string', minLength: 1, maxLength: 200, pattern: '^[!-~]+$', example: 'folha-2026-01-31-0001' },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The ETag of an answer that you have: while it is the same, the answer is 304 without a body',
    schema: { type: 'string', example: '"0Zb3kQ"' },
  },
  LastEventId: {
    name: 'Last-Event-ID',
    in: 'header',
    description: 'The last event that came, where a stream was broken: it goes on behind it',
    schema: { type: 'string', example: '5f0c9a1e-4711' },
  },
  AcceptLanguage: {
    name: 'Accept-Language',
    in: 'header',
    description: 'Language of texts for people: Portuguese where pt is preferred, else English',
    schema: { type: 'string', example: 'pt-BR' },
  },
} as const;
