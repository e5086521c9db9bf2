import { afterAll, beforeAll, expect, test } from 'vitest';
import { SERVICE_NAMES } from '../../src/platform/config.ts';
import { type Platform, startPlatform } from '../support/platform.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform?.stop());

test.each(SERVICE_NAMES)('%s answers its actuator and its document without a token', async (service) => {
  const anybody = platform.withToken('');
  for (const which of ['', '/liveness', '/readiness'])
    expect((await anybody.get(service, `/actuator/health${which}`)).body).toEqual({ status: 'UP', service });
  expect((await anybody.get(service, '/actuator/info')).status).toBe(200);
  expect((await anybody.get(service, '/actuator/metrics-export')).text).toContain('partidas_request_seconds');
  expect((await anybody.get(service, '/v3/api-docs')).body.openapi).toBe('3.0.3');
  expect((await anybody.get(service, '/docs-ui.html')).status).toBe(302);
  expect((await anybody.get(service, '/docs/')).text).toContain('swagger-ui');
});

test.each(SERVICE_NAMES)('%s answers an unknown path with 404 in the common form', async (service) => {
  const answer = await platform.admin.get(service, '/no/such/path');
  expect(answer.status).toBe(404);
  expect(answer.headers.get('content-type')).toContain('application/problem+json');
  expect(answer.body).toMatchObject({ status: 404, code: 'ROUTE_NOT_FOUND', instance: '/no/such/path' });
});
