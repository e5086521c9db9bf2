import type { ProblemCode } from '../../accounting/problem.ts';
import { TITLES } from '../problem-details.ts';
import { PROBLEM_TEXTS } from '../problem-texts.ts';
import { type Route, takesBody } from '../route.ts';
import { type HeaderName, headerRefs } from './headers.ts';
import type { Schema } from './schema.ts';

/** What a status of rejection is called in the documents. */
const NAMES: Readonly<Record<number, string>> = {
  400: 'InvalidData',
  401: 'NotAuthenticated',
  403: 'AccessDenied',
  404: 'NotFound',
  413: 'TooLarge',
  415: 'UnsupportedMediaType',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'Unavailable',
};

const STATUSES = Object.keys(NAMES).map(Number);

/** The codes that a rejection with the status can have, of the one table of codes. */
function codesOf(status: number): ProblemCode[] {
  const codes = Object.keys(PROBLEM_TEXTS) as ProblemCode[];
  return codes.filter((code) => PROBLEM_TEXTS[code].status === status).sort();
}

/** The schemas of rejections: one for all, and one for each status with its codes. */
export function problemSchemas(): Record<string, Schema> {
  const texts = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
  const problem = (status: number): Schema => ({
    type: 'object',
    description: `${TITLES[status]!.en} (RFC 9457)`,
    required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'errors'],
    properties: {
      ...texts(['type', 'title']),
      status: { type: 'integer', enum: [status] },
      ...texts(['detail', 'instance']),
      code: { type: 'string', enum: codesOf(status) },
      errors: { type: 'array', items: { $ref: '#/components/schemas/FieldError' } },
    },
  });
  return {
    FieldError: {
      type: 'object',
      description: 'An input at fault, and why',
      required: ['field', 'message'],
      properties: { field: { type: 'string', example: 'valor' }, message: { type: 'string' } },
    },
    ...Object.fromEntries(STATUSES.map((status) => [`${NAMES[status]}Problem`, problem(status)])),
  };
}

/** Headers of a rejection beside those of every answer. */
const HEADERS_OF: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

/** The answers of rejections for `components`, by name. */
export function problemResponses(): Record<string, object> {
  return Object.fromEntries(
    STATUSES.map((status) => [
      NAMES[status],
      {
        description: TITLES[status]!.en,
        headers: headerRefs(['X-Request-Id', ...(HEADERS_OF[status] ?? [])]),
        content: {
          'application/problem+json': {
            schema: { $ref: `#/components/schemas/${NAMES[status]}Problem` },
            example: exampleOf(status),
          },
        },
      },
    ]),
  );
}

function exampleOf(status: number): object {
  const [code] = codesOf(status);
  return {
    type: 'about:blank',
    title: TITLES[status]!.en,
    status,
    detail: PROBLEM_TEXTS[code!].en,
    instance: '/entry',
    code,
    errors: [],
  };
}

/** References to the rejections that an operation can answer with, by status. */
export function problemsOf(route: Route): Record<string, object> {
  const isOpen = route.access.to === 'anyone';
  const hasBody = takesBody(route);
  const namesRecords = route.params !== undefined || route.query !== undefined || hasBody;
  const statuses = [
    400,
    ...(isOpen && !hasBody ? [] : [401]),
    ...(isOpen ? [] : [403]),
    ...(namesRecords ? [404] : []),
    ...(hasBody ? [413, 415] : []),
    429,
    500,
    503,
  ].filter((status) => route.otherAnswers?.[status] === undefined && status !== route.status);
  return Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/${NAMES[status]}` }]));
}

/** The answer of an operation that only rejects. */
export function rejection(status: number): object {
  return { $ref: `#/components/responses/${NAMES[status]}` };
}
