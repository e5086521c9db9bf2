import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inject } from 'vitest';
import { DOOR_NAMES, type DoorName, portVariable, readConfig, type ServiceName } from '../../src/platform/config.ts';
import { type LoneConnection, withOwnerConnection } from '../../src/platform/database/connections.ts';
import { type Program, startProgram } from '../../src/program.ts';
import { databaseUrl, TEMPLATE } from './database-server.ts';
import { letTimePass } from './passing-time.ts';

export const ADMIN = { username: 'admin', password: 'uma senha comprida' };

/** A response over HTTP, its JSON parsed. */
export interface HttpAnswer<Body = unknown> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; undefined when it is not JSON. */
  readonly body: Body;
}

/** Calls one service as one user. */
export interface Client {
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers freely
  call<Body = any>(
    service: ServiceName,
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<HttpAnswer<Body>>;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers freely
  get<Body = any>(service: ServiceName, path: string): Promise<HttpAnswer<Body>>;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers freely
  post<Body = any>(
    service: ServiceName,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<HttpAnswer<Body>>;
  readonly token: string;
}

/** The whole program in this process, on a database of its own and free ports. */
export interface Platform {
  readonly program: Program;
  /** Owner's address of the database: sees and may do everything. */
  readonly ownerUrl: string;
  readonly admin: Client;
  address(service: DoorName): string;
  as(username: string, password: string): Promise<Client>;
  withToken(token: string): Client;
  stop(): Promise<void>;
}

type Environment = Record<string, string>;

/** The settings may depend on the name of its database. */
export async function startPlatform(
  environment: Environment | ((database: string) => Environment) = {},
  options: { now?: () => Date; consoleFolder?: string } = {},
): Promise<Platform> {
  const serverUrl = inject('serverUrl');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await onEachNode((client) => copyTemplate(client, name));
  const ownerUrl = databaseUrl(serverUrl, name);
  const dataDir = await mkdtemp(join(tmpdir(), 'partidas-data-'));
  const config = readConfig({
    DATA_DIR: dataDir,
    ADMIN_USERNAME: ADMIN.username,
    ADMIN_PASSWORD: ADMIN.password,
    // Tests make the rules that they look at.
    STARTER_RULES: 'off',
    // No run begins in the middle of a test.
    VERIFY_AT: 'off',
    DATABASE_CONNECTIONS: '12',
    // Nobody listens there: tests do not ask the world outside.
    CNPJ_LOOKUP_URL: 'http://127.0.0.1:9/{cnpj}',
    CEP_LOOKUP_URL: 'http://127.0.0.1:9/{cep}',
    ...Object.fromEntries(PORTS.map((variable) => [variable, '0'])),
    ...(typeof environment === 'function' ? environment(name) : environment),
  });
  const program = await startProgram(config, {
    connectionString: ownerUrl,
    silent: true,
    strictPaths: true,
    ...options,
  });
  const address = (service: DoorName) => {
    const found = program.addresses[service];
    if (found === undefined) throw new Error(`the ${service} service does not run`);
    return found;
  };
  const withToken = (token: string) => clientOf(address, token);
  const as = async (username: string, password: string) => {
    const answer = await withToken('').post('authentication', '/api/auth/signin', { username, password });
    if (answer.status !== 200) throw new Error(`sign-in of ${username}: ${answer.status} ${answer.text}`);
    return withToken(answer.body.accessToken);
  };
  return {
    program,
    ownerUrl,
    admin: await as(ADMIN.username, ADMIN.password),
    address,
    as,
    withToken,
    stop: async () => {
      await program.stop();
      await rm(dataDir, { recursive: true, force: true });
      await onEachNode((client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`));
    },
  };
}

async function onEachNode(work: (client: LoneConnection) => Promise<unknown>): Promise<void> {
  await Promise.all([inject('serverUrl'), ...inject('workerUrls')].map((url) => withOwnerConnection(url, work)));
}

/** A cluster's own background work looks into the template now and then: it is asked to leave until nobody is there. */
async function copyTemplate(client: LoneConnection, name: string): Promise<void> {
  const copy = () => client.query(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE} STRATEGY file_copy`);
  if (inject('workerUrls').length === 0) return void (await copy());
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [TEMPLATE]);
      return void (await copy());
    } catch (error) {
      if (attempt === 50) throw error;
      await sleep(20 * attempt);
    }
  }
}

/** The body of a response that must be a success. */
// biome-ignore lint/suspicious/noExplicitAny: tests read answers freely
export async function bodyOf(answer: ReturnType<Client['call']>): Promise<any> {
  const { status, text, body } = await answer;
  if (status !== 200 && status !== 201) throw new Error(`${status}: ${text}`);
  return body;
}

/** The metrics as they are now: within a second everybody gets the same. */
export async function freshMetrics(client: Client, service: ServiceName): Promise<string> {
  letTimePass(1_000);
  return (await client.get(service, '/actuator/metrics-export')).text;
}

const PORTS = DOOR_NAMES.map(portVariable);

/** A client over any addresses. */
export function clientOf(address: (service: ServiceName) => string, token: string): Client {
  const call: Client['call'] = async (service, method, path, body, headers = {}) => {
    const isSentAsItIs =
      body instanceof FormData ||
      body instanceof URLSearchParams ||
      body instanceof Uint8Array ||
      typeof body === 'string';
    const response = await fetch(`${address(service)}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined || isSentAsItIs ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isSentAsItIs ? (body as string | FormData) : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: parsed(text) as never };
  };
  return {
    token,
    call,
    get: (service, path) => call(service, 'GET', path),
    post: (service, path, body, headers) => call(service, 'POST', path, body, headers),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
