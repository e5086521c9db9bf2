import { pipeline } from 'node:stream/promises';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type { LoneConnection } from '../database/connections.ts';
import { tablesOf } from '../database/table-contents.ts';

/**
 * Puts every row of a database into another one of the same schema, instead of what its migrations put there, and sets
 * its sequences. No trigger runs and no reference is asked: what was right stays so, and the caller compares.
 */
export async function copyTables(from: LoneConnection, to: LoneConnection): Promise<void> {
  const tables = await tablesOf(to);
  await from.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  await to.query('BEGIN');
  await to.query('SET LOCAL session_replication_role = replica');
  await to.query(`TRUNCATE ${tables.map((table) => to.escapeIdentifier(table)).join(', ')}`);
  for (const table of tables) {
    const columns = (await columnsOf(to, table)).map((column) => to.escapeIdentifier(column)).join(', ');
    const place = `${to.escapeIdentifier(table)} (${columns})`;
    await pipeline(from.query(copyTo(`COPY ${place} TO STDOUT`)), to.query(copyFrom(`COPY ${place} FROM STDIN`)));
  }
  for (const { name, last } of await sequencesOf(from)) {
    await to.query('SELECT setval($1::regclass, $2::bigint, true)', [to.escapeIdentifier(name), last]);
  }
  await to.query('COMMIT');
  await from.query('COMMIT');
  await to.query('ANALYZE');
}

/** Generated ones are computed anew. */
async function columnsOf(client: LoneConnection, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT pg_attribute.attname AS name FROM pg_attribute
      WHERE pg_attribute.attrelid = $1::regclass AND pg_attribute.attnum > 0 AND NOT pg_attribute.attisdropped
        AND pg_attribute.attgenerated = ''
      ORDER BY pg_attribute.attnum`,
    [client.escapeIdentifier(table)],
  );
  return rows.map(({ name }) => name);
}

export interface Sequence {
  readonly name: string;
  readonly last: string;
}

/** Sequences that have given a number, and the last one. */
export async function sequencesOf(client: LoneConnection): Promise<Sequence[]> {
  const { rows } = await client.query<Sequence>(
    `SELECT pg_sequences.sequencename AS name, pg_sequences.last_value::text AS last FROM pg_sequences
      WHERE pg_sequences.schemaname = 'public' AND pg_sequences.last_value IS NOT NULL
      ORDER BY pg_sequences.sequencename`,
  );
  return rows;
}
