import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { Writable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createBareServer } from '../../src/http/server.ts';
import { cutSilentBodies } from '../../src/http/unread-body.ts';
import { redactLine } from '../../src/platform/redact.ts';
import { type Platform, startPlatform } from '../support/platform.ts';

let platform: Platform;
let app: FastifyInstance;
let lines: string[];
beforeEach(async () => {
  platform = await startPlatform({ SERVICES: 'authentication', JOBS: 'off' });
  lines = [];
  const written = new Writable({
    write(line, _encoding, done) {
      lines.push(String(line));
      done();
    },
  });
  app = await createBareServer(
    {
      service: 'movements',
      bodyLimit: 1_000,
      trustedProxies: ['127.0.0.1'],
      corsOrigins: [],
      log: pino({ hooks: { streamWrite: redactLine } }, written),
      metrics: platform.program.app.metrics,
    },
    () => ({ id: 7, username: '529.982.247-25' }),
  );
});
afterEach(async () => {
  await app?.close();
  await platform?.stop();
});

async function listening(): Promise<number> {
  await app.listen({ host: '127.0.0.1', port: 0 });
  return (app.server.address() as AddressInfo).port;
}

test('a request leaves one line: who, from where, under which name, and no CPF', async () => {
  app.get('/batch/:id', async () => ({ answer: 1 }));
  const port = await listening();
  await fetch(`http://127.0.0.1:${port}/batch/4711?token=secret`, {
    headers: { 'x-request-id': 'proxy-1', 'x-forwarded-for': '203.0.113.9', authorization: 'Bearer secret' },
  });
  const requests = lines.filter((line) => line.includes('"msg":"request"'));
  expect(requests).toHaveLength(1);
  expect(JSON.parse(requests[0]!)).toMatchObject({
    method: 'GET',
    route: '/batch/:id',
    status: 200,
    address: '203.0.113.9',
    requestId: 'proxy-1',
    user: { id: 7, name: '[removed]' },
  });
  expect(lines.join('')).not.toMatch(/secret|529/);
});

test('a body that stops coming is cut; one that comes slowly is not', async () => {
  cutSilentBodies(app, 300);
  app.addContentTypeParser('text/plain', (_request, payload, done) => done(null, payload));
  app.post('/upload', async (request) => {
    let bytes = 0;
    for await (const chunk of request.body as AsyncIterable<Buffer>) bytes += chunk.length;
    return { bytes };
  });
  const port = await listening();
  const send = (length: number, parts: readonly string[]) =>
    new Promise<string>((resolve) => {
      let answer = '';
      const head = 'POST /upload HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: text/plain\r\n';
      const socket = connect({ host: '127.0.0.1', port }, async () => {
        socket.write(`${head}content-length: ${length}\r\n\r\n`);
        for (const part of parts) {
          await new Promise((later) => setTimeout(later, 100));
          socket.write(part);
        }
      });
      socket.on('data', (chunk) => {
        answer += chunk;
      });
      socket.on('error', () => {});
      socket.on('close', () => resolve(answer));
    });
  expect(await send(10, 'abcdefghij'.split(''))).toContain('{"bytes":10}');
  expect(await send(10, ['abc'])).not.toContain('200 OK');
});
