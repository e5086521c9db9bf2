import type { CallOptions } from './call.ts';
import type { StreamEvent } from './events.ts';

// From the types of the documents, as openapi-typescript makes them, to those of the methods.

/** Keys that must be given. */
type RequiredKeys<T> = { [K in keyof T]-?: Record<never, never> extends Pick<T, K> ? never : K }[keyof T];

type Given<T> = [T] extends [never] ? never : T extends undefined ? never : T;

type PathOf<Op> = Op extends { parameters: { path?: infer P } } ? Given<P> : never;
type QueryOf<Op> = Op extends { parameters: { query?: infer Q } } ? Given<Q> : never;
type ContentOf<T> = T extends { content: infer C } ? C : never;
type BodyOf<Op> = Op extends { requestBody?: infer B } ? JsonOrFirst<ContentOf<Given<B>>> : never;
type JsonOrFirst<C> = C extends { 'application/json': infer J } ? J : C extends object ? C[keyof C] : never;

type PathPart<P> = [P] extends [never] ? unknown : { readonly path: P };
type QueryPart<Q> = [Q] extends [never]
  ? unknown
  : [RequiredKeys<Q>] extends [never]
    ? { readonly query?: Q }
    : { readonly query: Q };
type BodyPart<B> = [B] extends [never] ? unknown : { readonly body: B };

export type PartsOf<Op> = PathPart<PathOf<Op>> & QueryPart<QueryOf<Op>> & BodyPart<BodyOf<Op>>;

type Successes = 200 | 201 | 202 | 302;
type ResponsesOf<Op> = Op extends { responses: infer R } ? R : never;
type JsonOf<R> = R extends { content: { 'application/json': infer J } } ? J : never;
type SuccessOf<Op> = {
  [S in keyof ResponsesOf<Op> & Successes]: S extends 202
    ? Done<JsonOf<ResponsesOf<Op>[S]>>
    : JsonOf<ResponsesOf<Op>[S]>;
}[keyof ResponsesOf<Op> & Successes];
/** A request that waits for a second person is thrown (waiting.ts). */
type Done<A> = A extends { requestHash: string } ? never : A;

/** What the JSON of the answer says; the response itself where the answer is a file. */
export type AnswerOf<Op> = [SuccessOf<Op>] extends [never] ? Response : SuccessOf<Op>;

/** A row of a list that comes in pages. */
export type RowOf<A> = A extends { content: readonly (infer R)[] }
  ? R
  : A extends { conteudo: { content: readonly (infer R)[] } }
    ? R
    : A extends { events: readonly (infer R)[] }
      ? R
      : A extends readonly (infer R)[]
        ? R
        : never;

type Arguments<Op> = [RequiredKeys<PartsOf<Op>>] extends [never]
  ? [parts?: PartsOf<Op>, options?: CallOptions]
  : [parts: PartsOf<Op>, options?: CallOptions];

/** An operation: call it, or take its answer in another form. */
export interface Method<Op> {
  (...parts: Arguments<Op>): Promise<AnswerOf<Op>>;
  /** The rows of a paged list, page after page. */
  pages(...parts: Arguments<Op>): AsyncGenerator<RowOf<AnswerOf<Op>>>;
  /** The response itself: its headers, and its body as a stream. */
  response(...parts: Arguments<Op>): Promise<Response>;
  /** The events of an operation that tells them as a stream. */
  events(...parts: Arguments<Op>): AsyncGenerator<StreamEvent>;
}

/** The operations of the services by their names. */
export type ClientOf<Services> = {
  readonly [S in keyof Services]: { readonly [O in keyof Services[S]]: Method<Services[S][O]> };
};
