import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { chmod, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Migration, readMigrations } from '../../src/platform/database/migration-files.ts';
import { quickFolder } from './memory-disk.ts';

// What each release has left behind: its migrations (migrations/checksums.txt) and books of it (test/upgrade/VERSION).

export const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url));
export const UPGRADES = fileURLToPath(new URL('../upgrade', import.meta.url));
/** Files of a release, below its folder; of the keys of seals the public ones alone. */
export const KEPT = { books: 'books.sql.gz', publicKeys: 'seal-key.pub', figures: 'figures.json' } as const;
const CHECKSUMS = 'checksums.txt';

export interface Release {
  readonly version: string;
  /** Checksum by file, of the migrations that came with it. */
  readonly files: ReadonlyMap<string, string>;
  /** Checksum of what the roles may do. */
  readonly grants: string;
}

const GRANTS = 'grants/grants.sql';

/** The releases that have books, the oldest first. */
export function keptVersions(): string[] {
  return readdirSync(UPGRADES, { withFileTypes: true })
    .filter((each) => each.isDirectory())
    .map(({ name }) => name)
    .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }));
}

/**
 * As `sha256sum` reads the file: a line of checksum and name each, below the version as a comment. Of what the roles may do
 * the newest alone is in force.
 */
export function readReleases(folder = MIGRATIONS): Release[] {
  return readFileSync(join(folder, CHECKSUMS), 'utf8')
    .split(/^# /m)
    .slice(1)
    .map((section) => {
      const [version = '', ...lines] = section.trim().split('\n');
      const files = new Map(lines.map((line) => line.split('  ').reverse() as [string, string]));
      const grants = files.get(GRANTS) ?? '';
      files.delete(GRANTS);
      return { version, files, grants };
    });
}

/** Notes the migrations that no earlier release has as those of this version. */
export async function writeRelease(version: string): Promise<void> {
  const earlier = readReleases().filter((each) => each.version !== version);
  const own = newerThan(earlier, await readMigrations(MIGRATIONS));
  const files = new Map(own.map(({ name, checksum }) => [`${name}.sql`, checksum]));
  const grants = createHash('sha256')
    .update(readFileSync(join(MIGRATIONS, GRANTS)))
    .digest('hex');
  const sections = [...earlier, { version, files, grants }].map(
    (each) =>
      `# ${each.version}\n${[...each.files, [GRANTS, each.grants]].map(([file, sum]) => `${sum}  ${file}\n`).join('')}`,
  );
  writeFileSync(join(MIGRATIONS, CHECKSUMS), sections.join('\n'));
}

/** What was released and is not as it was, a line each. */
export async function changesSinceRelease(folder = MIGRATIONS): Promise<string[]> {
  const now = new Map((await readMigrations(folder)).map(({ name, checksum }) => [`${name}.sql`, checksum]));
  return readReleases(folder).flatMap(({ version, files }) =>
    [...files]
      .filter(([file, sum]) => now.get(file) !== sum)
      .map(([file]) => `${file} of ${version} ${now.has(file) ? 'was edited' : 'is gone'}`),
  );
}

/** Those that no release has. */
export function newerThan(releases: readonly Release[], migrations: readonly Migration[]): Migration[] {
  return migrations.filter(({ name }) => !releases.some(({ files }) => files.has(`${name}.sql`)));
}

/** The database's server may be another user. */
export async function emptyDataDir(): Promise<string> {
  const dataDir = await mkdtemp(join(quickFolder(), 'partidas-release-'));
  await chmod(dataDir, 0o755);
  return dataDir;
}
