import SwaggerParser from '@apidevtools/swagger-parser';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, type Platform, startPlatform } from '../support/platform.ts';

let open: Platform;
let nobody: Client;
beforeAll(async () => {
  open = await startPlatform({ COMPLIANCE_AUTH: 'off', COMPLIANCE_DOCS: 'off' });
  nobody = open.withToken('');
});
afterAll(() => open?.stop());

test('with COMPLIANCE_AUTH=off every caller of compliance, and of no other service, is an administrator', async () => {
  const rule = {
    name: 'Sem token',
    cluetypeid: 1,
    businesssystemid: 1,
    documents: [1],
    basebegin: '2026-01',
    validitybegin: '2026-01-01',
  };
  expect((await nobody.post('compliance', '/api/compliance/rule/add', rule)).status).toBe(200);
  expect((await nobody.get('compliance', '/api/compliance/rule/list')).body).toMatchObject([{ name: 'Sem token' }]);
  expect((await nobody.get('masterdata', '/companies')).status).toBe(401);
});

test('with COMPLIANCE_DOCS=off the documentation is gone from compliance only', async () => {
  for (const path of ['/docs/', '/v3/api-docs', '/v3/api-docs.yaml', '/openapi.json', '/swagger.json']) {
    expect([path, (await nobody.get('compliance', path)).status]).toEqual([path, 404]);
  }
  expect((await nobody.get('masterdata', '/v3/api-docs')).status).toBe(200);
  expect((await nobody.get('compliance', '/health')).body.status).toBe('UP');
  expect((await nobody.get('compliance', '/actuator/health')).body).toEqual({ status: 'UP', service: 'compliance' });
});

test('the document of the service is valid OpenAPI 3.0', async () => {
  const documented = await startPlatform();
  try {
    const { body } = await documented.withToken('').get('compliance', '/v3/api-docs');
    await SwaggerParser.validate(structuredClone(body));
    const operations = Object.entries(body.paths as Record<string, Record<string, object>>).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(operations).toHaveLength(22);
  } finally {
    await documented.stop();
  }
});

test('a port that is taken and a host without address stop the start with a line that names the variable', async () => {
  const { port } = new URL(open.program.addresses.compliance!);
  await expect(startPlatform({ COMPLIANCE_PORT: port, SERVICES: 'compliance' })).rejects.toThrow(
    `port ${port} of the compliance service is in use; COMPLIANCE_PORT names another`,
  );
  await expect(startPlatform({ HOST: 'no-such-host.invalid' })).rejects.toThrow(/^HOST: .*no-such-host\.invalid/);
});
