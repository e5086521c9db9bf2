import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A file of migrations/. */
export interface Migration {
  /** The file's, without `.sql`. */
  readonly name: string;
  readonly sql: string;
  /** SHA-256 of the file, in hexadecimal digits. */
  readonly checksum: string;
}

/** What a database says of a migration that it has run; before 0.2.0 no checksum was kept. */
export interface AppliedMigration {
  readonly name: string;
  readonly checksum: string | null;
}

/** In the order in which they run. */
export async function readMigrations(folder: string): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
  return Promise.all(
    files.map(async (file) => {
      const sql = await readFile(join(folder, file), 'utf8');
      return { name: file.slice(0, -'.sql'.length), sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

/** Why a program with these migrations must leave a database alone that has run those; undefined if it need not. */
export function schemaProblem(
  applied: readonly AppliedMigration[],
  migrations: readonly Migration[],
): string | undefined {
  const known = new Map(migrations.map((each) => [each.name, each]));
  const newest = migrations.at(-1)?.name ?? '';
  const unknown = applied.map(({ name }) => name).filter((name) => !known.has(name));
  if (unknown.length > 0 && unknown.every((name) => name > newest)) {
    return `the database is of a newer version (it has migration ${unknown[0]}): start that version, or restore a backup of before the upgrade`;
  }
  if (unknown.length > 0) {
    return `the database is that of a development version (it has migration ${unknown[0]}): give DATA_DIR an empty folder, or DATABASE_URL an empty database`;
  }
  const changed = applied.find(({ name, checksum }) => checksum !== null && checksum !== known.get(name)!.checksum);
  if (changed !== undefined) {
    return `migration ${changed.name} is not the one that the database has run: bring back the file of the release`;
  }
  const last =
    applied
      .map(({ name }) => name)
      .sort()
      .at(-1) ?? '';
  const late = missingMigrations(applied, migrations).find(({ name }) => name < last);
  if (late === undefined) return undefined;
  return `migration ${late.name} stands before ${last}, which the database has run already: give it a later number`;
}

export function missingMigrations(applied: readonly AppliedMigration[], migrations: readonly Migration[]): Migration[] {
  const names = new Set(applied.map(({ name }) => name));
  return migrations.filter(({ name }) => !names.has(name));
}
