import { type CallOptions, call, events, type Parts, request, type Service } from './call.ts';
import type { Operation } from './operation.ts';
import { pages } from './pages.ts';
import type { RetryOptions } from './retries.ts';
import { Session, type SignedIn } from './session.ts';

export interface ClientOptions<ServiceName extends string = string> {
  /** Where each service is, such as `{ movements: 'https://…' }`, or a function that says it at each request. */
  readonly addresses: Readonly<Partial<Record<ServiceName, string>>> | ((service: ServiceName) => string);
  readonly username?: string;
  readonly password?: string;
  /** The code of the second factor, where the user has one. */
  readonly totp?: () => string | Promise<string>;
  /** In the place of user and password: a service account and its secret. */
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** What the token opens, where that is less than the account's rights; such as 'routine:IMPORT branch:0001/0001'. */
  readonly scope?: string;
  /** In the place of user and password: a token, or what gets one each time it is needed. */
  readonly token?: string | (() => string | Promise<string>);
  /** Ends everything that is under way. */
  readonly signal?: AbortSignal;
  /** In the place of the global one. */
  readonly fetch?: typeof fetch;
  /** Language of texts for people: 'pt-BR' or 'en'. */
  readonly language?: string;
  readonly retries?: Partial<RetryOptions>;
}

export type Operations = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

/** The client of the operations, which are by service and name. */
export function clientOf(operations: Operations, options: ClientOptions): unknown {
  const session = sessionOf(operations, options);
  return Object.fromEntries(
    Object.entries(operations).map(([name, methods]) => {
      const service = serviceOf(name, options, session);
      const entries = Object.entries(methods).map(([id, each]) => [id, methodOf(service, each)]);
      return [name, Object.fromEntries(entries)];
    }),
  );
}

function serviceOf(name: string, options: ClientOptions, session: Session | undefined): Service {
  const { addresses, signal, language, retries } = options;
  return {
    address: () => {
      const address = typeof addresses === 'function' ? addresses(name) : addresses[name];
      if (address === undefined) throw new TypeError(`addresses.${name} is missing`);
      return address;
    },
    // A browser's fetch must be called as a method of its window.
    fetch: options.fetch ?? ((...request) => globalThis.fetch(...request)),
    session,
    signal,
    language,
    retries,
  };
}

function methodOf(service: Service, operation: Operation) {
  const method = (parts?: Parts, options?: CallOptions) => call(service, operation, parts, options);
  return Object.assign(method, {
    pages: (parts?: Parts, options?: CallOptions) => pages(service, operation, parts, options),
    events: (parts?: Parts, options?: CallOptions) => events(service, operation, parts, options),
    response: (parts: Parts = {}, options: CallOptions = {}) => request(service, operation, parts, options),
  });
}

/** A given token has no end that is known: it is asked for again when it is refused. */
const GIVEN_FOR = Number.POSITIVE_INFINITY;

function sessionOf(operations: Operations, options: ClientOptions): Session | undefined {
  const { token, username, password, totp } = options;
  if (typeof token === 'function') {
    return new Session(async () => ({ accessToken: await token(), expiresIn: GIVEN_FOR }));
  }
  if (token !== undefined) return new Session(async () => ({ accessToken: token, expiresIn: GIVEN_FOR }));
  if (options.clientId !== undefined && options.clientSecret !== undefined) return machineSession(operations, options);
  if (username === undefined || password === undefined) return undefined;
  const signIn = operations.authentication!.signIn!;
  const service = serviceOf('authentication', options, undefined);
  // Done twice it gives two tokens; a code of the second factor is taken once.
  const repeatable = { ...signIn, reads: true as const };
  return new Session(async () => {
    const code = await totp?.();
    const body = { username, password, ...(code === undefined ? {} : { totp: code }) };
    return (await call(service, totp === undefined ? repeatable : signIn, { body })) as SignedIn;
  });
}

/** OAuth 2.0, client_credentials: the token is renewed like a person's. */
function machineSession(operations: Operations, options: ClientOptions): Session {
  const service = serviceOf('authentication', options, undefined);
  // Done twice it gives two tokens.
  const repeatable = { ...operations.authentication!.getClientToken!, reads: true as const };
  const { clientId: client_id, clientSecret: client_secret, scope } = options;
  const body = {
    ...{ grant_type: 'client_credentials', client_id, client_secret },
    ...(scope === undefined ? {} : { scope }),
  };
  return new Session(async () => {
    const answer = (await call(service, repeatable, { body })) as { access_token: string; expires_in: number };
    return { accessToken: answer.access_token, expiresIn: answer.expires_in };
  });
}
