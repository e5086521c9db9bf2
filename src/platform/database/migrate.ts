import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { StartError } from '../config.ts';
import { isBehindPooler, type LoneConnection, withLoginConnection, withOwnerConnection } from './connections.ts';
import { SQLSTATE, sqlState } from './errors.ts';
import {
  type AppliedMigration,
  type Migration,
  missingMigrations,
  readMigrations,
  schemaProblem,
} from './migration-files.ts';

interface MigrateOptions {
  /** Another folder than the program's (tests). */
  readonly folder?: string;
  /** Also the time that another program may take for its migrations. */
  readonly patienceMs?: number;
}

const FOLDER = fileURLToPath(new URL('../../../migrations', import.meta.url));
const PATIENCE_MS = 300_000;
/** Whoever posts waits behind a migration that waits for a lock: never longer than this, and then goes first. */
const LOCK_TIMEOUT_MS = 1_000;
const PAUSE_MS = 1_000;
const POLL_MS = 100;
/** First line of a file whose statements cannot run in a transaction, such as CREATE INDEX CONCURRENTLY. */
const OUTSIDE = /^-- outside of a transaction\b/;

/**
 * Brings the schema of a database to this version, as its owner, and says what it has run; several programs may try at
 * once. @throws StartError for a schema that is newer, or that other files made
 */
export async function migrate(connectionString: string, options: MigrateOptions = {}): Promise<readonly string[]> {
  const { folder = FOLDER, patienceMs = PATIENCE_MS } = options;
  const until = Date.now() + patienceMs;
  const migrations = await readMigrations(folder);
  const grants = await readFile(join(folder, 'grants/grants.sql'), 'utf8');
  return withOwnerConnection(connectionString, async (client) => {
    // The lock of the migrations is one of the session.
    if (await isBehindPooler(client))
      throw new StartError('DATABASE_URL: leads to a pooler; the owner needs the server itself');
    await lockMigrations(client, until);
    await prepareTable(client, migrations);
    const applied = await appliedMigrations(client);
    const problem = schemaProblem(applied, migrations);
    if (problem !== undefined) throw new StartError(problem);
    const missing = missingMigrations(applied, migrations);
    for (const migration of missing) await applyBetweenOthers(client, migration, until);
    await grant(client, grants, missing.length > 0);
    return missing.map(({ name }) => name);
  });
}

/**
 * Until the connection ends. Asked for again and again: a program that waited within a statement would hold a snapshot,
 * and CREATE INDEX CONCURRENTLY of another one waits for all snapshots.
 */
async function lockMigrations(client: LoneConnection, until: number): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ locked: boolean }>(
      `SELECT pg_try_advisory_lock(hashtextextended('partidas migrations', 0)) AS locked`,
    );
    if (rows[0]!.locked) return;
    if (Date.now() > until)
      throw new StartError('the migrations of another process take too long: see what it waits for');
    await sleep(POLL_MS);
  }
}

/** Makes the table of the migrations, or gives that of a version before 0.2.0 its checksums. */
async function prepareTable(client: LoneConnection, migrations: readonly Migration[]): Promise<void> {
  const { rows } = await client.query<{ columns: number; checksums: number }>(
    `SELECT count(*)::int AS columns, count(*) FILTER (WHERE pg_attribute.attname = 'checksum')::int AS checksums
       FROM pg_attribute WHERE pg_attribute.attrelid = to_regclass('public.migration') AND pg_attribute.attnum > 0`,
  );
  const { columns, checksums } = rows[0]!;
  if (columns === 0) {
    await client.query(
      `CREATE TABLE migration (id serial PRIMARY KEY, name varchar(255) NOT NULL, run_on timestamp NOT NULL,
                               checksum text)`,
    );
  } else if (checksums === 0) {
    const problem = schemaProblem(await appliedMigrations(client), migrations);
    if (problem !== undefined) throw new StartError(problem);
    await client.query('BEGIN');
    await client.query('ALTER TABLE migration ADD COLUMN checksum text');
    await client.query(
      `UPDATE migration SET checksum = known.checksum
         FROM unnest($1::text[], $2::text[]) AS known (name, checksum) WHERE known.name = migration.name`,
      [migrations.map(({ name }) => name), migrations.map(({ checksum }) => checksum)],
    );
    await client.query('COMMIT');
  }
}

/** As text of the whole row, because older databases have no checksums. */
async function appliedMigrations(client: LoneConnection): Promise<AppliedMigration[]> {
  const { rows } = await client.query<AppliedMigration>(
    `SELECT migration.name, to_jsonb(migration) ->> 'checksum' AS checksum FROM migration ORDER BY migration.id`,
  );
  return rows;
}

/** Gives its place up and tries again where others hold what it needs: they go on meanwhile. */
async function applyBetweenOthers(client: LoneConnection, migration: Migration, until: number): Promise<void> {
  for (;;) {
    try {
      await (OUTSIDE.test(migration.sql) ? applyOutside(client, migration, until) : apply(client, migration));
      return;
    } catch (error) {
      await client.query('ROLLBACK');
      const state = sqlState(error);
      if (state !== SQLSTATE.LOCK_NOT_AVAILABLE && state !== SQLSTATE.DEADLOCK_DETECTED) throw error;
      if (Date.now() > until) {
        throw new StartError(
          `migration ${migration.name} waits for a lock that others hold: end what they do, and start again`,
        );
      }
    }
    await sleep(PAUSE_MS);
  }
}

async function apply(client: LoneConnection, migration: Migration): Promise<void> {
  await client.query('BEGIN');
  await client.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
  await client.query(migration.sql);
  await note(client, migration);
  await client.query('COMMIT');
}

/** Each statement by itself; whoever waits here holds nobody up. Begun again from the first where it was interrupted. */
async function applyOutside(client: LoneConnection, migration: Migration, until: number): Promise<void> {
  await client.query(`SET lock_timeout = ${Math.max(1, until - Date.now())}`);
  for (const statement of migration.sql.split(/;\s*$/m)) await client.query(statement);
  await client.query('RESET lock_timeout');
  await note(client, migration);
}

async function note(client: LoneConnection, { name, checksum }: Migration): Promise<void> {
  await client.query('INSERT INTO migration (name, run_on, checksum) VALUES ($1, now(), $2)', [name, checksum]);
}

/** The comment of the migrations table records the granted version: most starts change nothing. */
async function grant(client: LoneConnection, grants: string, isSchemaNew: boolean): Promise<void> {
  const version = `Migrations that have run; grants ${createHash('sha256').update(grants).digest('hex')}`;
  const { rows } = await client.query<{ said: string | null }>(
    `SELECT obj_description('migration'::regclass, 'pg_class') AS said`,
  );
  if (!isSchemaNew && rows[0]?.said === version) return;
  await client.query('BEGIN');
  await client.query(grants);
  await client.query(`COMMENT ON TABLE migration IS ${client.escapeLiteral(version)}`);
  await client.query('COMMIT');
}

/** For a program that is not allowed to migrate: rejects a database whose schema is not that of this version. */
export async function rejectOtherSchema(loginUrl: string): Promise<void> {
  const migrations = await readMigrations(FOLDER);
  const applied = await withLoginConnection(loginUrl, appliedMigrations).catch((error) => {
    if (sqlState(error) === SQLSTATE.UNDEFINED_TABLE) return [];
    throw error;
  });
  const problem = schemaProblem(applied, migrations);
  if (problem !== undefined) throw new StartError(problem);
  const [missing] = missingMigrations(applied, migrations);
  if (missing === undefined) return;
  const lacks = applied.length === 0 ? 'everything' : missing.name;
  throw new StartError(`the database lacks ${lacks}: run npm run admin -- migrate as its owner first`);
}
