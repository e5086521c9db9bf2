import { fileURLToPath } from 'node:url';
import { runner } from 'node-pg-migrate';

/** Also the time that another program may take for its migrations. */
const LOCK_TIMEOUT_MS = 300_000;

/** Brings the schema of a database to the newest version, as its owner; several programs may try at once. */
export async function migrate(connectionString: string): Promise<void> {
  await runner({
    // Behind a long transaction a migration would hold up everything that comes after it.
    databaseUrl: { connectionString, options: `-c lock_timeout=${LOCK_TIMEOUT_MS}` },
    dir: fileURLToPath(new URL('../../migrations', import.meta.url)),
    migrationsTable: 'migration',
    direction: 'up',
    checkOrder: true,
    advisoryLockMode: 'wait',
    log: () => {},
  } as Parameters<typeof runner>[0]);
}
