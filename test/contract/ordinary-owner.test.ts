import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DOOR_NAMES, portVariable, readConfig, StartError } from '../../src/platform/config.ts';
import { withOwnerConnection } from '../../src/platform/database/connections.ts';
import { DATABASE_ROLES, prepareLogins } from '../../src/platform/database/logins.ts';
import { migrate } from '../../src/platform/database/migrate.ts';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../src/platform/embedded-postgres/embedded-postgres.ts';
import { startProgram } from '../../src/program.ts';
import { ADMIN, clientOf } from '../support/platform.ts';

// A server of its own: on the other tests' server a superuser has made the program's role already.

const PORTS = Object.fromEntries(DOOR_NAMES.map((name) => [portVariable(name), '0']));

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
  const config = readConfig({
    DATA_DIR: folder,
    ADMIN_PASSWORD: ADMIN.password,
    ...PORTS,
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

test('processes that start at once agree on the logins, and again after the owner got another password', async () => {
  const url = new URL(server.connectionString);
  await withOwnerConnection(server.connectionString, async (client) => {
    await client.query(`CREATE ROLE dona LOGIN CREATEROLE PASSWORD 'antiga'`);
    await client.query('CREATE DATABASE outros OWNER dona');
    for (const group of ['app', 'reader', 'auth']) {
      await client.query(`GRANT partidas_${group} TO dona WITH ADMIN OPTION`);
    }
  });
  [url.username, url.password, url.pathname] = ['dona', 'antiga', '/outros'];
  const [first, ...others] = await Promise.all(
    Array.from({ length: 6 }, () => prepareLogins(url.href, DATABASE_ROLES)),
  );
  for (const other of others) expect(other).toEqual(first);
  const [owner, app] = [url.href, new URL(first!.app!)];
  expect(app.username).toBe('dona_app_login');
  await withOwnerConnection(server.connectionString, (client) => client.query(`ALTER ROLE dona PASSWORD 'nova'`));
  url.password = 'nova';
  const changed = await Promise.all(Array.from({ length: 6 }, () => prepareLogins(url.href, DATABASE_ROLES)));
  expect(changed.every((each) => each.app === changed[0]!.app)).toBe(true);
  expect(changed[0]!.app).not.toBe(first!.app);
  expect(owner).not.toContain(app.password);
});

test('a program that is given only logins starts on a database of its version, and only with logins', {
  timeout: 60_000,
}, async () => {
  const url = new URL(server.connectionString);
  await withOwnerConnection(server.connectionString, async (client) => {
    await client.query(`CREATE DATABASE banco OWNER dono`);
    await client.query(`CREATE ROLE escreve LOGIN PASSWORD 'e' IN ROLE partidas_app`);
    await client.query(`CREATE ROLE consulta LOGIN PASSWORD 'c' IN ROLE partidas_reader`);
    await client.query(`CREATE ROLE autentica LOGIN PASSWORD 'a' IN ROLE partidas_auth`);
  });
  const as = (username: string, password: string) => {
    [url.username, url.password, url.pathname] = [username, password, '/banco'];
    return url.href;
  };
  const start = (logins: Record<string, string>) =>
    startProgram(readConfig({ DATA_DIR: folder, ADMIN_PASSWORD: ADMIN.password, ...PORTS, ...logins }), {
      connectionString: undefined,
      silent: true,
    });
  const logins = {
    DATABASE_APP_URL: as('escreve', 'e'),
    DATABASE_READER_URL: as('consulta', 'c'),
    DATABASE_AUTH_URL: as('autentica', 'a'),
  };
  await expect(start(logins)).rejects.toThrow(/npm run admin -- migrate/);
  await migrate(as('dono', 'segredo'));
  await expect(start({ ...logins, DATABASE_APP_URL: as('dono', 'segredo') })).rejects.toThrow(
    /DATABASE_APP_URL: dono may do more/,
  );
  await expect(start({ DATABASE_APP_URL: logins.DATABASE_APP_URL })).rejects.toThrow(/DATABASE_READER_URL: is needed/);
  const program = await start(logins);
  try {
    const nobody = clientOf((service) => program.addresses[service]!, '');
    expect((await nobody.post('authentication', '/api/auth/signin', ADMIN)).status).toBe(200);
  } finally {
    await program.stop();
  }
  // A process that only answers queries needs only the login that reads.
  const { DATABASE_READER_URL } = logins;
  const reading = await start({ SERVICES: 'queries', JOBS: 'off', DATABASE_READER_URL });
  await reading.stop();
});

test('a database of a development version is rejected in one line that says what to do', async () => {
  const url = new URL(server.connectionString);
  await withOwnerConnection(url.href, (client) => client.query('CREATE DATABASE antigo'));
  url.pathname = '/antigo';
  await withOwnerConnection(url.href, async (client) => {
    await client.query('CREATE TABLE migration (id serial PRIMARY KEY, name text NOT NULL, run_on timestamp NOT NULL)');
    await client.query(`INSERT INTO migration (name, run_on)
      VALUES ('0001-scope', now()), ('0002-access', now()), ('0003-books', now())`);
  });
  const refused = migrate(url.href);
  await expect(refused).rejects.toBeInstanceOf(StartError);
  await expect(refused).rejects.toThrow(/^the database is that of .* 0003-books\): give DATA_DIR an empty folder.*$/);
});
