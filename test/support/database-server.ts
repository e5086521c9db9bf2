import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { withOwnerConnection } from '../../src/platform/database/connections.ts';
import { migrate } from '../../src/platform/database/migrate.ts';
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres/embedded-postgres.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    serverUrl: string;
    /** The other nodes of a cluster. */
    workerUrls: readonly string[];
  }
}

/** The migrated database that those of the tests are copies of. */
export const TEMPLATE = 'template_books';

/** One real PostgreSQL for the whole run; every test file copies the migrated template database. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'partidas-test-'));
  const server = await startEmbeddedPostgres({ dataDir: folder, throwaway: true });
  await withOwnerConnection(server.connectionString, (client) => client.query(`CREATE DATABASE ${TEMPLATE}`));
  await migrate(databaseUrl(server.connectionString, TEMPLATE));
  project.provide('serverUrl', server.connectionString);
  project.provide('workerUrls', []);
  return async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
}

export function databaseUrl(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}
