import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../src/platform/config.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/platform/embedded-postgres.ts';
import { withOwnerConnection } from '../../src/platform/sql.ts';
import { startProgram } from '../../src/program.ts';
import { ADMIN, clientOf } from '../support/platform.ts';

// A server of its own: on the other tests' server a superuser has made the program's role already.

let folder: string;
let server: EmbeddedPostgres;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'partidas-owner-'));
  server = await startEmbeddedPostgres({ dataDir: folder, throwaway: true });
}, 60_000);
afterAll(async () => {
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

test('an owner who is no superuser but may create roles is enough', { timeout: 60_000 }, async () => {
  await withOwnerConnection(server.connectionString, async (client) => {
    await client.query(`CREATE ROLE dono LOGIN CREATEROLE PASSWORD 'segredo'`);
    await client.query('CREATE DATABASE livros OWNER dono');
  });
  const url = new URL(server.connectionString);
  [url.username, url.password, url.pathname] = ['dono', 'segredo', '/livros'];
  const ports = ['AUTH_PORT', 'MASTERDATA_PORT', 'MOVEMENTS_PORT', 'QUERIES_PORT', 'REPORTS_PORT', 'COMPLIANCE_PORT'];
  const config = readConfig({
    DATA_DIR: folder,
    ADMIN_PASSWORD: ADMIN.password,
    ...Object.fromEntries(ports.map((port) => [port, '0'])),
  });
  const program = await startProgram(config, { connectionString: url.href, silent: true });
  try {
    const nobody = clientOf((service) => program.addresses[service]!, '');
    const { status, body } = await nobody.post('authentication', '/api/auth/signin', ADMIN);
    expect(status).toBe(200);
    const admin = clientOf((service) => program.addresses[service]!, body.accessToken);
    expect((await admin.get('masterdata', '/companies')).body).toEqual([]);
  } finally {
    await program.stop();
  }
});
