import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Access, CompanyTenant, ReportedTenant, Tenant } from '../features/access/access.ts';
import type { UserState } from '../features/access/permissions.read.sql.ts';
import type { Cost } from '../features/operations/budgets.ts';
import type { Printer } from '../features/reporting/print/printer.ts';
import type { Config, ServiceName } from '../platform/config.ts';
import type { Context } from '../platform/context.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { SealKeys } from '../platform/seal-keys/seal-keys.ts';
import type { FieldNames } from './field-names.ts';
import type { HeaderName, REQUEST_HEADERS } from './openapi/headers.ts';

/** What a schema lets through as a response: its input, with lists that need not be changeable. */
export type AnswerOf<Schema> = Schema extends z.ZodType ? Sent<z.input<Schema>> : unknown;

type Sent<Value> = Value extends readonly (infer Item)[]
  ? readonly Sent<Item>[]
  : Value extends object
    ? { readonly [Name in keyof Value]: Sent<Value[Name]> }
    : Value;

/**
 * What a handler may give back: the response, plain or with a status and headers of its own, another answer, or a
 * stream.
 */
type Handled<Answer, Others> =
  | AnswerOf<Answer>
  | RouteResponse<AnswerOf<Answer> | AnswerOf<Others[keyof Others]> | Readable>;

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : Record<never, never>;

/** A request after validation, with what its access declaration resolved. */
export interface Request<Params, Query, Body> {
  readonly params: Parsed<Params>;
  readonly query: Parsed<Query>;
  readonly body: Parsed<Body>;
  readonly context: Context;
  /** The one branch of the request; asking for it on a route without one is a programming error. */
  readonly tenant: Tenant;
  /** The same on a route that may name the institution. */
  readonly branchOrInstitution: ReportedTenant;
  /** All tenants that the access declaration resolved, companies as a whole included. */
  readonly tenants: readonly CompanyTenant[];
  readonly user: UserState;
  readonly config: Config;
  readonly metrics: Metrics;
  readonly printer: Printer;
  readonly sealKeys: SealKeys;
  /** Where clients find a service; never what a request says about it. */
  readonly addressOf: (service: ServiceName) => string;
  /** For streamed bodies (multipart, text). */
  readonly raw: FastifyRequest;
  /** Aborted when the client goes away before its response is out; each access adds a listener. */
  readonly clientDisconnected: AbortSignal;
  /**
   * Does the work of a route that reads its body itself, honouring Idempotency-Key once the hash of that body is known.
   * The work uses the context that it is given.
   */
  readonly once: <Answer>(
    bodyHash: string,
    work: (context: Context) => Promise<Answer | RouteResponse<Answer>>,
  ) => Promise<RouteResponse<Answer>>;
  /** The request under the rights that its user has now; throws when the token or the rights have ended. */
  readonly renewed: () => Promise<Request<Params, Query, Body>>;
  /** Authorizes the request under another declaration, for a tenant that only a streamed body names. */
  readonly admit: (access: Access<unknown>) => Promise<Request<Params, Query, Body>>;
}

/** A response with its own status, headers or stream; a handler may also return the plain body. */
export class RouteResponse<Body = unknown> {
  readonly status: number;
  readonly body: Body;
  readonly headers: Readonly<Record<string, string | string[]>>;

  constructor(status: number, body: Body, headers: Readonly<Record<string, string | string[]>> = {}) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

export function streamResponse(
  body: Readable,
  contentType: string,
  headers: Record<string, string> = {},
): RouteResponse<Readable> {
  return new RouteResponse(200, body, { 'content-type': contentType, ...headers });
}

export interface Route {
  /** The name of the operation in generated clients, such as postEntry: unique in its service, the same on each service that has it. */
  readonly operationId: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** As the specification writes it, with {parameters}. */
  readonly path: string;
  readonly summary: string;
  readonly tag: string;
  // biome-ignore lint/suspicious/noExplicitAny: the list of routes mixes inputs; route() checks each one
  readonly access: Access<any>;
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** Media types of the body; 'json' by default. 'stream' hands the raw request over. */
  readonly accepts?: readonly (keyof typeof MEDIA_TYPES)[];
  /** Wire names of the domain paths that problems of its use cases name, beside those that are inputs' names. */
  readonly fieldNames?: FieldNames;
  readonly status: number;
  readonly answer?: z.ZodType;
  readonly otherAnswers?: Readonly<Record<number, z.ZodType>>;
  /** The handler reads the JSON body itself, as a stream; `body` describes it and checks nothing. */
  readonly streamedJson?: boolean;
  /** Media types of answers that are no JSON: files, text, events. */
  readonly files?: readonly string[];
  /** Headers of answers that its handler sets. */
  readonly headers?: readonly HeaderName[];
  /** Headers of the request that it reads beside those that all do. */
  readonly reads?: readonly (keyof typeof REQUEST_HEADERS)[];
  /** Honours Idempotency-Key; its handler calls `once` itself where it reads the body itself. */
  readonly idempotent?: boolean | 'byHandler';
  /** Its answers have an ETag, and 304 is one of them; its handler gives `conditionalAnswer`. */
  readonly conditional?: boolean;
  /** What answering costs: ordinary where nothing is said. Merged input, and the request for its headers. */
  // biome-ignore lint/suspicious/noExplicitAny: see access
  readonly cost?: Cost | ((input: any, raw: FastifyRequest) => Cost);
  /** Its errors have the form of RFC 6749 (5.2), not of problem+json. */
  readonly rfcErrors?: boolean;
  readonly deprecated?: boolean;
  /** Headers of every response of a deprecated route, errors included (RFC 9745, RFC 5829). */
  readonly deprecation?: {
    readonly since: Date;
    readonly successor: { readonly service: ServiceName; readonly path: string };
  };
  /** An addition of the platform, not in the specification's tables. */
  readonly addition?: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: see access
  readonly handle: (request: any) => Promise<unknown>;
}

/**
 * Declares a route with its types checked: `access` and `handle` read the output of the schemas, and what `handle`
 * gives back is what `answer` says.
 */
export function route<
  Params extends z.ZodType | undefined = undefined,
  Query extends z.ZodType | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
  Answer extends z.ZodType | undefined = undefined,
  Others extends Readonly<Record<number, z.ZodType>> = Readonly<Record<never, never>>,
>(
  definition: Omit<Route, 'access' | 'params' | 'query' | 'body' | 'answer' | 'otherAnswers' | 'handle' | 'status'> & {
    readonly params?: Params;
    readonly query?: Query;
    readonly body?: Body;
    readonly answer?: Answer;
    readonly otherAnswers?: Others;
    readonly status?: number;
    readonly access: Access<Parsed<Params> & Parsed<Query> & Parsed<Body>>;
    readonly handle: (request: Request<Params, Query, Body>) => Promise<Handled<Answer, Others>>;
  },
): Route {
  return { status: 200, ...definition } as Route;
}

/** Media types of bodies. What is streamed and not text is an upload. */
export const MEDIA_TYPES = {
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  form: 'application/x-www-form-urlencoded',
  text: 'text/plain',
  stream: 'multipart/form-data',
} as const;

export function takesBody({ method, body, accepts }: Route): boolean {
  return method !== 'GET' && method !== 'DELETE' && (body !== undefined || accepts !== undefined);
}
