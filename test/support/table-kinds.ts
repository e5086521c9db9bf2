import { readFileSync } from 'node:fs';

export type TableKind = 'distributed' | 'reference' | 'local';

const SCRIPT = readFileSync(new URL('../../deploy/citus/distribute.sql', import.meta.url), 'utf8');

/** The kind of every table, as deploy/citus/distribute.sql lists them. */
export const TABLE_KINDS: ReadonlyMap<string, TableKind> = new Map(
  [...SCRIPT.matchAll(/\('(distributed|reference|local)', '([^']+)'\)/g)].flatMap(([, kind, names]) =>
    names!.split(/\s+/).map((name) => [name, kind as TableKind] as const),
  ),
);
