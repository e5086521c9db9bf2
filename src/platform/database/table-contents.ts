import type { LoneConnection } from './connections.ts';

/** Rows of a table, and the sum of their hashes, whatever their order. */
export interface TableContent {
  readonly rows: number;
  readonly hash: string;
}

/** Every table of the program with its rows, in one snapshot; it reads each value, as a proof must. */
export async function readContents(client: LoneConnection): Promise<Record<string, TableContent>> {
  const contents: Record<string, TableContent> = {};
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  for (const table of await tablesOf(client)) {
    const name = client.escapeIdentifier(table);
    const { rows } = await client.query<{ rows: number; hash: string }>(
      `SELECT count(*) AS rows, coalesce(sum(hashtextextended(each::text, 0)::numeric), 0)::text AS hash
         FROM ONLY ${name} AS each`,
    );
    contents[table] = rows[0]!;
  }
  await client.query('COMMIT');
  return contents;
}

/** Names of the tables that outlive a crash, in order. */
export async function tablesOf(client: LoneConnection): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT pg_class.relname AS name FROM pg_class
      WHERE pg_class.relnamespace = 'public'::regnamespace AND pg_class.relkind = 'r' AND pg_class.relpersistence = 'p'
      ORDER BY pg_class.relname`,
  );
  return rows.map(({ name }) => name);
}

/** The first tables that differ, in one line; undefined when none does. */
export function differenceOf(
  expected: Readonly<Record<string, TableContent>>,
  found: Readonly<Record<string, TableContent>>,
): string | undefined {
  const names = [...new Set([...Object.keys(expected), ...Object.keys(found)])].sort();
  const different = names.filter((name) => {
    const [one, other] = [expected[name], found[name]];
    return one?.rows !== other?.rows || one?.hash !== other?.hash;
  });
  if (different.length === 0) return undefined;
  const said = different
    .slice(0, 3)
    .map((name) => `${name} ${expected[name]?.rows ?? 'absent'}/${found[name]?.rows ?? 'absent'} rows`);
  return `${said.join(', ')}${different.length > 3 ? ` and ${different.length - 3} more tables` : ''}`;
}
