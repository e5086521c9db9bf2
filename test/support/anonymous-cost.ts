import { connect } from 'node:net';
import type { ServiceName } from '../../src/platform/config.ts';
import { hostileForms, hostileJson } from './hostile-bodies.ts';
import { leastProcessorMsUntil } from './processor-time.ts';

// What a stranger may cost: requests without a token, as large and as hard to read as they may be.

/** What one anonymous request may take from everybody else, in milliseconds of the program's one thread. */
export const MAX_ANONYMOUS_MS = 100;

export interface AnonymousRequest {
  readonly name: string;
  readonly bytes: Buffer;
}

const MEGABYTE = 1_048_576;
/** Headers may be 256 KiB together. */
const HEADER = 200_000;
/** A route of each service that requests a token. */
const PROTECTED: Readonly<Record<ServiceName, string>> = {
  authentication: '/api/auth/password',
  masterdata: '/company',
  movements: '/importMovimentJson',
  queries: '/generalLedgerQuery',
  reports: '/reports/lancamentos',
  compliance: '/api/compliance/rule/add',
};

/** Every kind of request that a stranger can send to the service. */
export function anonymousRequests(service: ServiceName): AnonymousRequest[] {
  const json = Object.entries(hostileJson(MEGABYTE));
  const few = json.filter((_, at) => at % 8 === 0);
  const unread = ['/no/such/path', PROTECTED[service]].flatMap((path) => [
    ...few.map(([shape, text]) => posted(path, shape, text)),
    ...Object.entries(hostileForms(MEGABYTE)).map(([shape, text]) => posted(path, shape, text, FORM)),
    posted(path, 'text', '\n'.repeat(MEGABYTE), 'text/plain'),
    posted(path, 'parts', '--x\r\n'.repeat(MEGABYTE / 5), 'multipart/form-data; boundary=x'),
  ]);
  return [...unread, ...heads(service), ...(service === 'authentication' ? signIns(json) : [])];
}

/** Bodies over and just under the limit of open routes. */
function signIns(json: [string, string][]): AnonymousRequest[] {
  const small = Object.entries(hostileJson(16_384));
  return ['/api/auth/signin', '/api/auth/external-login'].flatMap((path) =>
    [...json, ...small].map(([shape, text]) => posted(path, shape, text)),
  );
}

function heads(service: ServiceName): AnonymousRequest[] {
  const header = (name: string, value: string) =>
    asked(`GET ${PROTECTED[service]}`, `${name} of ${value.slice(0, 12)}…`, `${name}: ${value}`);
  return [
    header('authorization', `Bearer${' '.repeat(HEADER)}x y`),
    header('authorization', `Bearer ${'a.'.repeat(HEADER / 2)}`),
    header('accept-language', 'pt;q=0.1,'.repeat(HEADER / 9)),
    header('accept', 'text/csv,'.repeat(HEADER / 9)),
    header('content-type', `application/json; ${'a'.repeat(HEADER)}`),
    header('x-request-id', 'a'.repeat(HEADER)),
    header('if-none-match', '"a",'.repeat(HEADER / 4)),
    header('idempotency-key', 'a'.repeat(HEADER)),
    asked(`POST ${PROTECTED[service]}`, 'a long media type', `content-type: a/${'b;'.repeat(HEADER / 2)}`),
    asked(`GET /v3/api-docs?${'a&'.repeat(HEADER / 2)}`, 'a query of one name'),
    asked(`GET /v3/api-docs?${numbers((at) => `n${at}=1`, '&')}`, 'a query of many names'),
    asked(`GET /v3/api-docs?${'%'.repeat(HEADER)}`, 'a query of broken escapes'),
    asked(`GET ${'/a'.repeat(HEADER / 2)}`, 'a deep path'),
    asked(`GET /companies/${'%41'.repeat(HEADER / 3)}`, 'an escaped path'),
    asked('GET /v3/api-docs.yaml', 'the document as YAML'),
    asked('GET /v3/api-docs', 'the document as JSON'),
    asked('GET /docs/static/swagger-ui-bundle.js', 'the script of the page'),
    asked('GET /actuator/metrics-export', 'the metrics'),
  ];
}

function numbers(part: (at: number) => string, between: string): string {
  return Array.from({ length: HEADER / 10 }, (_, at) => part(at)).join(between);
}

const FORM = 'application/x-www-form-urlencoded';

function posted(path: string, shape: string, text: string, type = 'application/json'): AnonymousRequest {
  const body = Buffer.from(text);
  const head = `POST ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: ${type}\r\ncontent-length: ${body.length}\r\n\r\n`;
  return {
    name: `${path}: ${Math.round(body.length / 1024)} KiB of ${shape} (${type})`,
    bytes: Buffer.concat([Buffer.from(head), body]),
  };
}

function asked(line: string, name: string, header = 'x-none: x'): AnonymousRequest {
  const text = `${line} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${header}\r\n\r\n`;
  return { name: `${line.slice(0, 60)}: ${name}`, bytes: Buffer.from(text) };
}

/** The response's first line; the connection is given up when it is silent for ten seconds. */
export function exchanged(address: string, bytes: Buffer): Promise<string> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(bytes));
    socket.on('data', (chunk) => {
      if (answer === '') answer = String(chunk).split('\r\n', 1)[0]!;
    });
    socket.on('close', () => resolve(answer));
    // What is still being sent when the response has come is cut.
    socket.on('error', (error) => (answer ? resolve(answer) : reject(error)));
    socket.setTimeout(10_000, () => socket.destroy());
  });
}

/** Milliseconds of the thread that the request takes, the client's own part included. */
export function costOf(address: string, { bytes }: AnonymousRequest): Promise<number> {
  return leastProcessorMsUntil(() => exchanged(address, bytes), MAX_ANONYMOUS_MS);
}
