import type { LoneConnection } from '../database/connections.ts';

/** What is in the old server and not in the new one: made by people, and known to nobody else. */
export interface ForeignObjects {
  /** Databases, tables, views, functions and columns: with them the upgrade would lose something. */
  readonly lost: readonly string[];
  /** Roles, which their makers make again. */
  readonly roles: readonly string[];
}

export async function findForeignObjects(from: LoneConnection, to: LoneConnection): Promise<ForeignObjects> {
  const [old, made] = [await objectsOf(from), await objectsOf(to)];
  const missing = (kind: keyof typeof old) => old[kind].filter((name) => !made[kind].includes(name));
  return { lost: [...missing('databases'), ...missing('objects')], roles: missing('roles') };
}

async function objectsOf(client: LoneConnection): Promise<Record<'databases' | 'objects' | 'roles', string[]>> {
  const { rows } = await client.query<{ databases: string[]; objects: string[]; roles: string[] }>(
    `SELECT ARRAY(SELECT 'database ' || pg_database.datname FROM pg_database ORDER BY 1) AS databases,
            ARRAY(SELECT pg_roles.rolname::text FROM pg_roles
                   WHERE pg_roles.rolname NOT LIKE 'pg\\_%' ORDER BY 1) AS roles,
            ARRAY(SELECT each.name FROM (
                    SELECT pg_namespace.nspname || '.' || pg_class.relname
                           || coalesce('.' || pg_attribute.attname, '') AS name
                      FROM pg_class JOIN pg_namespace ON pg_namespace.oid = pg_class.relnamespace
                      LEFT JOIN pg_attribute ON pg_attribute.attrelid = pg_class.oid AND pg_attribute.attnum > 0
                       AND NOT pg_attribute.attisdropped AND pg_class.relkind = 'r'
                     WHERE pg_class.relkind IN ('r', 'v', 'm', 'p', 'f', 'S')
                       AND pg_namespace.nspname NOT IN ('pg_catalog', 'information_schema')
                       AND pg_namespace.nspname NOT LIKE 'pg\\_%'
                    UNION
                    SELECT pg_namespace.nspname || '.' || pg_proc.proname || '()'
                      FROM pg_proc JOIN pg_namespace ON pg_namespace.oid = pg_proc.pronamespace
                     WHERE pg_namespace.nspname NOT IN ('pg_catalog', 'information_schema')
                       AND pg_namespace.nspname NOT LIKE 'pg\\_%') AS each ORDER BY 1) AS objects`,
  );
  return rows[0]!;
}
