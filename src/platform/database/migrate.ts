import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { runner } from 'node-pg-migrate';
import { StartError } from '../config.ts';
import { type LoneConnection, withLoginConnection, withOwnerConnection } from './connections.ts';
import { SQLSTATE, sqlState } from './errors.ts';

const FOLDER = fileURLToPath(new URL('../../../migrations', import.meta.url));
const GRANTS = new URL('../../../migrations/grants/grants.sql', import.meta.url);
const TABLE = 'migration';
/** Also the time that another program may take for its migrations. */
const LOCK_TIMEOUT_MS = 300_000;

/** node-pg-migrate's message for a database with other migrations: a developer's, since none is released. */
const OTHER_MIGRATIONS = /^Not run migration \S+ is preceding already run migration (\S+)$/;

/** Brings the schema of a database to the newest version, as its owner; several programs may try at once. */
export async function migrate(connectionString: string): Promise<void> {
  const done = await runner({
    // A migration that waits for a long transaction would block everything that queues after it.
    databaseUrl: { connectionString, options: `-c lock_timeout=${LOCK_TIMEOUT_MS}` },
    dir: FOLDER,
    migrationsTable: TABLE,
    direction: 'up',
    checkOrder: true,
    advisoryLockMode: 'wait',
    log: () => {},
  } as Parameters<typeof runner>[0]).catch((error: Error) => {
    const [, name] = OTHER_MIGRATIONS.exec(error.message) ?? [];
    if (name === undefined) throw error;
    const remedy = 'give DATA_DIR an empty folder, or DATABASE_URL an empty database';
    throw new StartError(`the database is that of a development version (it has migration ${name}): ${remedy}`);
  });
  const grants = await readFile(GRANTS, 'utf8');
  await withOwnerConnection(connectionString, (client) => grant(client, grants, done.length > 0));
}

/** The comment of the migrations table records the granted version: most starts change nothing. */
async function grant(client: LoneConnection, grants: string, isSchemaNew: boolean): Promise<void> {
  const version = `Migrations that have run; grants ${createHash('sha256').update(grants).digest('hex')}`;
  const { rows } = await client.query<{ said: string | null }>(
    `SELECT obj_description('${TABLE}'::regclass, 'pg_class') AS said`,
  );
  if (!isSchemaNew && rows[0]?.said === version) return;
  await client.query('BEGIN');
  await client.query(`SELECT pg_advisory_xact_lock(hashtextextended('partidas grants', 0))`);
  await client.query(grants);
  await client.query(`COMMENT ON TABLE ${TABLE} IS ${client.escapeLiteral(version)}`);
  await client.query('COMMIT');
}

/** For a program that is not allowed to migrate: rejects a database that lacks something this version needs. */
export async function rejectOldSchema(loginUrl: string): Promise<void> {
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith('.sql'));
  const missing = await withLoginConnection(loginUrl, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT wanted.name FROM unnest($1::text[]) AS wanted (name)
        WHERE NOT EXISTS (SELECT 1 FROM ${TABLE} WHERE ${TABLE}.name = wanted.name) ORDER BY wanted.name`,
      [files.map((file) => file.replace(/\.sql$/, ''))],
    );
    return rows;
  }).catch((error) => {
    if (sqlState(error) === SQLSTATE.UNDEFINED_TABLE) return [{ name: 'everything' }];
    throw error;
  });
  if (missing.length > 0) {
    throw new StartError(`the database lacks ${missing[0]!.name}: run npm run admin -- migrate as its owner first`);
  }
}
