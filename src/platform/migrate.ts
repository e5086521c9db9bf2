import { fileURLToPath } from 'node:url';
import { runner } from 'node-pg-migrate';

/** Brings the schema of a database to the newest version, as its owner; several programs may try at once. */
export async function migrate(connectionString: string): Promise<void> {
  await runner({
    databaseUrl: connectionString,
    dir: fileURLToPath(new URL('../../migrations', import.meta.url)),
    migrationsTable: 'migration',
    direction: 'up',
    checkOrder: true,
    advisoryLockMode: 'wait',
    log: () => {},
  } as Parameters<typeof runner>[0]);
}
