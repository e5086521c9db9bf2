import { parseExact, stringifyExact } from './decimals.ts';
import { eventsOf, type StreamEvent } from './events.ts';
import type { Operation } from './operation.ts';
import { problemOf } from './problem.ts';
import { DEFAULT_RETRIES, type RetryOptions, withRetries } from './retries.ts';
import type { Session } from './session.ts';
import { throwIfWaiting } from './waiting.ts';

/** The parts of a request. */
export interface Parts {
  readonly path?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** In the place of the key that the client makes; give it to repeat a request of an earlier run. */
  readonly idempotencyKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly retries?: Partial<RetryOptions>;
  /** Media type of the answer, where there are several: 'text/csv' for example. */
  readonly accept?: string;
}

/** What all calls of a service have in common. */
export interface Service {
  readonly address: () => string;
  readonly fetch: typeof fetch;
  readonly session: Session | undefined;
  readonly signal: AbortSignal | undefined;
  readonly language: string | undefined;
  readonly retries: Partial<RetryOptions> | undefined;
}

const JSON_TYPE = 'application/json';
const EVENTS_TYPE = 'text/event-stream';

/** The answer: what its JSON says, or the response itself where it is a file. */
export async function call(service: Service, operation: Operation, parts: Parts = {}, options: CallOptions = {}) {
  const response = await request(service, operation, parts, options);
  if (!operation.answers.includes(JSON_TYPE)) return response;
  const text = await response.text();
  const answer = text === '' ? undefined : parseExact(text, operation.answeredDecimals);
  throwIfWaiting(response.status, answer, service.language);
  return answer;
}

/** The events of an operation that tells them as a stream. */
export async function* events(
  service: Service,
  operation: Operation,
  parts: Parts = {},
  options: CallOptions = {},
): AsyncGenerator<StreamEvent> {
  yield* eventsOf(await request(service, operation, parts, { ...options, accept: EVENTS_TYPE }));
}

/** The response to a request that was not refused. */
export async function request(
  service: Service,
  operation: Operation,
  parts: Parts,
  options: CallOptions,
): Promise<Response> {
  const signal = anyOf(service.signal, options.signal);
  const repeatable = operation.method === 'GET' || operation.reads === true || operation.keyed === true;
  const headers: Record<string, string> = {
    accept: `${options.accept ?? operation.answers[0] ?? JSON_TYPE}, application/problem+json`,
    ...(service.language === undefined ? {} : { 'accept-language': service.language }),
    // Kept over all tries: that makes them one request.
    ...(operation.keyed ? { 'idempotency-key': options.idempotencyKey ?? newKey() } : {}),
    ...options.headers,
  };
  const body = bodyOf(operation, parts.body, headers);
  const send = async (token: string | undefined) =>
    service.fetch(urlOf(service.address(), operation, parts), {
      method: operation.method,
      headers: { ...headers, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
      ...(body === undefined ? {} : { body }),
      ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
      ...(signal === undefined ? {} : { signal }),
    });
  const session = operation.open ? undefined : service.session;
  const retries = { ...DEFAULT_RETRIES, ...service.retries, ...options.retries };
  const canBeSentAgain = !(body instanceof ReadableStream);
  const how = { repeatable: repeatable && canBeSentAgain, signal };
  // A sign-in is repeated by itself: what it is refused with is not repeated again here.
  const token = await session?.token();
  let response = await withRetries(() => send(token), retries, how);
  if (response.status === 401 && session !== undefined && token !== undefined && canBeSentAgain) {
    await response.body?.cancel();
    session.forget(token);
    const renewed = await session.token();
    response = await withRetries(() => send(renewed), retries, how);
  }
  if (response.ok || response.status === 302) return response;
  throw await problemOf(response);
}

function urlOf(address: string, { path }: Operation, parts: Parts): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = parts.path?.[name];
    if (value === undefined || value === null || value === '') throw new TypeError(`path.${name} is missing`);
    return encodeURIComponent(String(value));
  });
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parts.query ?? {})) {
    for (const each of Array.isArray(value) ? value : [value]) if (each != null) query.append(name, String(each));
  }
  return `${address.replace(/\/$/, '')}${filled}${query.size > 0 ? `?${query}` : ''}`;
}

type SentBody = NonNullable<RequestInit['body']>;

/** The body as fetch takes it; its media type goes into the headers. */
function bodyOf(operation: Operation, body: unknown, headers: Record<string, string>): SentBody | undefined {
  const { sends, sentDecimals } = operation;
  if (sends === undefined || body === undefined) return undefined;
  if (sends === 'multipart/form-data') return formOf(body as Record<string, unknown>);
  // fetch sets its media type.
  if (sends === 'application/x-www-form-urlencoded') return new URLSearchParams(body as Record<string, string>);
  headers['content-type'] ??= sends;
  // A file goes byte for byte.
  if (body instanceof Blob) return body;
  return sends === JSON_TYPE ? stringifyExact(body, sentDecimals) : (body as SentBody);
}

/** Fields and files; fetch sets the media type with its boundary. */
function formOf(fields: Record<string, unknown>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined || value === null) continue;
    if (value instanceof Blob) form.append(name, value, value instanceof File ? value.name : name);
    else form.append(name, String(value));
  }
  return form;
}

function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function anyOf(one: AbortSignal | undefined, other: AbortSignal | undefined): AbortSignal | undefined {
  return one && other ? AbortSignal.any([one, other]) : (one ?? other);
}
