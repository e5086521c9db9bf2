import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import Fastify from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { UsedUp } from './load-gate.ts';
import { rejectBeyond } from './reject-beyond.ts';

// Most rejections are written in one piece, most of it put together beforehand: connection and answers must be as those that
// Node makes.

const app = Fastify();
let full: UsedUp | undefined;
let isStopping = false;
/** Ends the answer of /slow. */
let goOn = () => {};
beforeAll(async () => {
  app.get('/slow', () => new Promise((resolve) => (goOn = () => resolve('slow'))));
  app.post('/echo', ({ body }) => body);
  await app.listen({ port: 0, host: '127.0.0.1' });
  let serial = 0;
  rejectBeyond(
    app,
    { enter: () => full, leave: () => {}, counts: () => ({ inHand: 0, rejected: 0 }) },
    {
      headers: { 'x-frame-options': 'SAMEORIGIN', 'content-security-policy': "default-src 'self'" },
      requestIdOf: () => `id-${++serial}`,
      corsOrigins: ['https://console.example'],
      isStopping: () => isStopping,
    },
  );
});
afterAll(() => app.close());

async function opened(): Promise<Socket> {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1').setEncoding('utf8');
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

function head(line: string, headers: Record<string, string | number> = {}): string {
  const lines = Object.entries({ host: 'x', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${line} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

const post = (body: string, line = 'POST /echo') =>
  head(line, { 'content-type': 'application/json', 'content-length': body.length }) + body;

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** So many answers on the connection, in their order. */
async function answers(socket: Socket, count: number): Promise<Answer[]> {
  const found: Answer[] = [];
  for (let text = ''; found.length < count; ) {
    text += (await once(socket, 'data'))[0];
    for (let end = text.indexOf('\r\n\r\n'); end >= 0; end = text.indexOf('\r\n\r\n')) {
      const [first = '', ...lines] = text.slice(0, end).split('\r\n');
      const headers = Object.fromEntries(lines.map((line) => headerOf(line)));
      const rest = Buffer.from(text.slice(end + 4));
      const length = Number(headers['content-length']);
      if (rest.length < length) break;
      found.push({ status: Number(first.split(' ')[1]), headers, body: rest.toString('utf8', 0, length) });
      text = rest.toString('utf8', length);
    }
  }
  return found;
}

function headerOf(line: string): [name: string, value: string] {
  const [name = '', value = ''] = line.split(/: (.*)/);
  return [name.toLowerCase(), value];
}

test.each([
  ['caller', 429, 'TOO_MANY_IN_HAND'],
  ['process', 503, 'BUSY'],
] as const)('the answer to one too many of the %s is the one that Node would make', async (share, status, code) => {
  full = share;
  const given: Answer[] = [];
  const origins: Record<string, string>[] = [{}, { origin: 'https://elsewhere.example' }];
  for (const origin of origins) {
    const socket = await opened();
    socket.write(head('GET /slow/"?size=1', { 'accept-language': 'pt-BR', ...origin }));
    given.push(...(await answers(socket, 1)));
    socket.destroy();
  }
  const [quick, usual] = given as [Answer, Answer];
  expect(JSON.parse(quick.body)).toMatchObject({ code, status, instance: '/slow/"' });
  expect(quick).toMatchObject({ status, body: usual.body });
  const { date, 'x-request-id': id, 'retry-after': seconds, ...others } = quick.headers;
  expect(usual.headers).toMatchObject(others);
  expect(Object.keys(usual.headers).toSorted()).toEqual(Object.keys(quick.headers).toSorted());
  expect(new Date(date!).toUTCString()).toBe(date);
  expect(usual.headers['x-request-id']).not.toBe(id);
  expect(['1', '2', '3']).toContain(seconds);
});

test('another origin that may read is told so', async () => {
  full = 'process';
  const socket = await opened();
  socket.write(head('GET /slow', { origin: 'https://console.example' }));
  const allowed = { 'access-control-allow-origin': 'https://console.example' };
  expect(await answers(socket, 1)).toMatchObject([{ status: 503, headers: allowed }]);
  socket.destroy();
});

test('the connection goes on: bodies that come late are passed over, and then it is let in', async () => {
  full = 'process';
  const socket = await opened();
  socket.write(`${head('POST /echo', { 'content-type': 'application/json', 'content-length': 10 })}12345`);
  expect(await answers(socket, 1)).toMatchObject([{ status: 503 }]);
  // The rest of it, then two for whose answers nobody waited.
  socket.write(`67890${head('GET /one')}${post('"two"', 'POST /two')}`);
  expect((await answers(socket, 2)).map(({ body }) => JSON.parse(body).instance)).toEqual(['/one', '/two']);
  full = undefined;
  socket.write(post('{"a":1}'));
  expect(await answers(socket, 1)).toMatchObject([{ status: 200, body: '{"a":1}' }]);
  full = 'process';
  socket.write(head('GET /three'));
  expect(await answers(socket, 1)).toMatchObject([{ status: 503 }]);
  socket.destroy();
});

test('an answer that is due before comes before', async () => {
  full = undefined;
  const socket = await opened();
  const asked = once(app.server, 'request');
  socket.write(head('GET /slow'));
  await asked;
  full = 'process';
  const rejected = once(app.server, 'request');
  socket.write(head('GET /after'));
  await rejected;
  goOn();
  expect((await answers(socket, 2)).map(({ status }) => status)).toEqual([200, 503]);
  socket.destroy();
});

test.each([
  ['connection: close', { connection: 'close' }, 'GET /echo'],
  ['a body too long to be passed over', { 'content-length': 900_000 }, 'POST /echo'],
])('%s: the connection ends after the answer', async (_what, headers, line) => {
  full = 'process';
  const socket = await opened();
  const closed = once(socket, 'close');
  socket.write(head(line, headers));
  expect(await answers(socket, 1)).toMatchObject([{ status: 503, headers: { connection: 'close' } }]);
  await closed;
});

test('a program that stops ends the connection', async () => {
  [full, isStopping] = ['process', true];
  const socket = await opened();
  socket.write(head('GET /echo'));
  expect(await answers(socket, 1)).toMatchObject([{ status: 503, headers: { connection: 'close' } }]);
  isStopping = false;
});

test('HEAD has an answer without a body', async () => {
  full = 'process';
  const socket = await opened();
  socket.write(head('HEAD /echo') + head('GET /echo'));
  const text = String((await once(socket, 'data'))[0]);
  expect(text.split('\r\n\r\n')[0]).toMatch(/^HTTP\/1\.1 503 /);
  expect(text).toMatch(/\r\n\r\n(HTTP\/1\.1 503 |$)/);
  socket.destroy();
});
