import { type IncomingMessage, request } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import type { DoorName } from '../../src/platform/config.ts';
import { ADMIN, type HttpAnswer, type Platform } from './platform.ts';

/** Calls the console as a page of it would: with the cookie, and with what the browser adds. */
export interface Browser {
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers freely
  call<Body = any>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string | readonly string[] | undefined>>,
  ): Promise<HttpAnswer<Body>>;
  /** Of the session, as it stands in Set-Cookie and Cookie. */
  cookie: string | undefined;
}

/** What a browser sends with the fetch of a page of the same origin. */
const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' };

/** A browser in which nobody has signed in. */
export function browserOf(platform: Pick<Platform, 'address'>, host?: string): Browser {
  const browser: Browser = {
    cookie: undefined,
    async call(method, path, body, headers = {}) {
      const isJson = body !== undefined && typeof body !== 'string' && !(body instanceof Uint8Array);
      const answer = await exchange(
        platform.address('console' as DoorName),
        method,
        path,
        isJson ? JSON.stringify(body) : body,
        {
          ...(host === undefined ? {} : { host }),
          ...SAME_ORIGIN,
          'user-agent': 'test browser',
          ...(browser.cookie === undefined ? {} : { cookie: browser.cookie }),
          ...(isJson ? { 'content-type': 'application/json' } : {}),
          ...headers,
        },
      );
      const set = answer.headers.get('set-cookie');
      if (set !== null) browser.cookie = /Max-Age=0/.test(set) ? undefined : set.split(';', 1)[0];
      return answer as never;
    },
  };
  return browser;
}

/** A browser in which the user has signed in. */
export async function signedInBrowser(
  platform: Pick<Platform, 'address'>,
  { username, password }: { username: string; password: string } = ADMIN,
): Promise<Browser> {
  const browser = browserOf(platform);
  const answer = await browser.call('POST', '/api/console/session', { username, password });
  if (answer.status !== 201) throw new Error(`sign-in of ${username}: ${answer.status} ${answer.text}`);
  return browser;
}

/** fetch keeps to itself what it calls forbidden: cookies, Host, and the path as it stands. */
function exchange(
  address: string,
  method: string,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Promise<HttpAnswer> {
  const { hostname, port } = new URL(address);
  const given = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined));
  return new Promise((resolve, reject) => {
    const options = { host: hostname, port, method, path, headers: given as Record<string, string> };
    const sent = request(options, (answer) => answerOf(answer).then(resolve, reject));
    sent.on('error', reject);
    sent.end(body as string | Uint8Array | undefined);
  });
}

async function answerOf(answer: IncomingMessage): Promise<HttpAnswer> {
  const pairs = Object.entries(answer.headers).flatMap(([name, value]) => [value].flat().map((each) => [name, each]));
  const isPacked = answer.headers['content-encoding'] === 'gzip';
  const text = isPacked ? gunzipSync(await bytesOf(answer)).toString() : await textOf(answer);
  const head = new Headers(pairs as [string, string][]);
  return { status: answer.statusCode!, headers: head, text, body: parsed(text) };
}

async function bytesOf(answer: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
