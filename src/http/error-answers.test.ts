import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import type { Metrics } from '../platform/metrics.ts';
import { createBareServer } from './server.ts';

let app: FastifyInstance;
let logFails = false;

beforeAll(async () => {
  const log = pino({}, { write: () => {} });
  const write = log.error.bind(log);
  log.error = ((...line: Parameters<typeof write>) => {
    if (logFails) throw Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' });
    write(...line);
  }) as typeof log.error;
  log.child = () => log as never;
  const metrics = { requests: { observe: () => {} } } as unknown as Metrics;
  app = await createBareServer({
    service: 'queries',
    bodyLimit: 1_000,
    trustedProxies: [],
    corsOrigins: [],
    log,
    metrics,
  });
  const response = { 200: z.object({ sum: z.number() }), 500: z.object({ code: z.number() }) };
  app.get('/unfit', { schema: { response } }, async () => ({ sum: 'none' }));
  app.get('/circle', async () => {
    const circle: Record<string, unknown> = {};
    circle.circle = circle;
    return circle;
  });
  app.get('/broken', { schema: { response } }, async () => {
    throw Object.assign(new Error('with details'), { statusCode: 500 });
  });
});
afterAll(() => app.close());

test.each(['/unfit', '/circle', '/broken'])(
  '%s is answered 500 as a problem, also while the log fails',
  async (url) => {
    for (logFails of [false, true]) {
      const { statusCode, headers, body } = await app.inject({ url });
      expect([statusCode, headers['content-type']]).toEqual([500, 'application/problem+json']);
      expect(JSON.parse(body)).toMatchObject({ status: 500, code: 'INTERNAL' });
      expect(body).not.toMatch(/FST_|ENOSPC|details|circular/i);
    }
  },
);
