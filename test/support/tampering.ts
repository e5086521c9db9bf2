import type pg from 'pg';
import { extendAuditChain } from '../../src/features/access/audit-chain/chain-audit.ts';
import type { Difference } from '../../src/features/closing/verify/difference.ts';
import { readOutside } from '../../src/features/closing/verify/read-outside.ts';
import { type VerifyScope, verify } from '../../src/features/closing/verify/verify.ts';
import type { KeptSeal } from '../../src/features/closing/verify/verify-seals.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { asQuery, sqlOver } from '../../src/platform/database/sql.ts';
import type { Log } from '../../src/platform/log.ts';
import { pastTriggers } from './past-triggers.ts';
import type { Platform } from './platform.ts';

/** Chains the trail as far as it is written, and takes it for settled. */
export async function chainTrail(
  { program }: Pick<Platform, 'program'>,
  log: Pick<Log, 'error'> = { error: () => {} },
): Promise<void> {
  const { config, sealKeys: keys } = program.app;
  const { database } = program;
  const { dataDir } = config;
  // What is watched in one turn is settled in the next.
  for (let turn = 0; turn < 3; turn++) await extendAuditChain({ database, keys, dataDir, log }, 0);
}

/** All that verify finds. */
export async function differencesOf(
  { program }: Pick<Platform, 'program'>,
  scope: VerifyScope = {},
  { seals, database = program.database }: { readonly seals?: readonly KeptSeal[]; readonly database?: Database } = {},
): Promise<Difference[]> {
  const { config, sealKeys } = program.app;
  const found: Difference[] = [];
  const outside = { ...(await readOutside(sealKeys, config.dataDir)), ...(seals && { seals }) };
  for await (const { differences } of verify(database, outside, scope, undefined)) found.push(...differences);
  return found;
}

/**
 * Runs SQL as the owner, who leaves all triggers out, has somebody look, and puts back what it changed: every table that it
 * touched is written anew from a copy. Others connect and see it meanwhile.
 */
export async function tampered<Found>(owner: pg.Client, sql: string, look: () => Promise<Found>): Promise<Found> {
  const { rows } = await owner.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`,
  );
  const touched = rows
    .map(({ name }) => name)
    .filter((name) => new RegExp(`(UPDATE|INTO|FROM)\\s+${name}\\b`).test(sql));
  const change = async () => {
    for (const name of touched) await owner.query(`CREATE TEMP TABLE kept_${name} AS TABLE public.${name}`);
    const done = [await owner.query(sql)].flat();
    if (done.every(({ rowCount }) => !rowCount)) throw new Error(`nothing was tampered with: ${sql}`);
  };
  await pastAllTriggers(owner, change);
  try {
    return await look();
  } finally {
    await pastAllTriggers(owner, async () => {
      for (const name of touched) await restore(owner, name);
    });
  }
}

/** Past those triggers, too, that are always on. */
function pastAllTriggers(owner: pg.Client, work: () => Promise<void>): Promise<void> {
  return pastTriggers(owner, async () => {
    for (const name of ALWAYS) await owner.query(`ALTER TABLE entry_line DISABLE TRIGGER ${name}`);
    await work();
    for (const name of ALWAYS) await owner.query(`ALTER TABLE entry_line ENABLE ALWAYS TRIGGER ${name}`);
  });
}

/** Triggers that run for replicas, too. */
const ALWAYS = ['open_month_insert', 'open_month_update_from', 'open_month_update_to', 'open_month_delete'];
async function restore(owner: pg.Client, name: string): Promise<void> {
  const { rows } = await owner.query<{ columns: string }>(
    `SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) AS columns FROM pg_attribute
      WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
    [`public.${name}`],
  );
  const { columns } = rows[0]!;
  await owner.query(`DELETE FROM public.${name}`);
  await owner.query(`INSERT INTO public.${name} (${columns}) SELECT ${columns} FROM kept_${name}`);
  await owner.query(`DROP TABLE kept_${name}`);
}

/** What verify works on, inside the transaction that the owner's connection has open: nobody else sees what it changed. */
export function databaseInside(owner: pg.Client): Database {
  const sql = { ...sqlOver((statement) => owner.query(asQuery(statement))), connection: owner, atCommit: [] };
  const inside = { under: () => sql, snapshot: (_scope: unknown, work: (within: unknown) => unknown) => work(sql) };
  return inside as unknown as Database;
}

/** Runs the statements as the owner past all triggers, has somebody look, and takes them back. Returns undefined where they change nothing or break a constraint. */
export async function tamperedWithin<Found>(
  owner: pg.Client,
  statements: readonly string[],
  look: (database: Database) => Promise<Found>,
): Promise<Found | undefined> {
  await owner.query('BEGIN');
  try {
    await owner.query('SET LOCAL session_replication_role = replica');
    const changed = [];
    try {
      for (const statement of statements) changed.push((await owner.query(statement)).rowCount ?? 0);
    } catch (error) {
      // Constraints hold for everybody.
      if (String((error as { code?: string }).code).startsWith('23')) return undefined;
      throw error;
    }
    return changed.every((count) => count === 0) ? undefined : await look(databaseInside(owner));
  } finally {
    await owner.query('ROLLBACK');
  }
}
