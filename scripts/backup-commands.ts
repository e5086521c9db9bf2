import { existsSync } from 'node:fs';
import { setPriority } from 'node:os';
import { type Backup, listBackups, readBackup } from '../src/platform/backup/manifest.ts';
import { proveBackup, reasonAgainst } from '../src/platform/backup/prove-backup.ts';
import { restoreBackup } from '../src/platform/backup/restore-backup.ts';
import { megabytes } from '../src/platform/backup/restore-files.ts';
import { removeOldBackups } from '../src/platform/backup/retention.ts';
import { takeBackup } from '../src/platform/backup/take-backup.ts';
import { type Config, StartError } from '../src/platform/config.ts';
import { migrate } from '../src/platform/database/migrate.ts';
import { requireDatabase, startEmbeddedPostgres } from '../src/platform/embedded-postgres/embedded-postgres.ts';
import { upgradeDatabase } from '../src/platform/upgrade/upgrade-database.ts';
import { VERSION } from '../src/version.ts';
import { checkRestoredBooks } from './check-restored-books.ts';
import { operand } from './operand.ts';

/** Options of the commands for backups. */
export const BACKUP_OPTIONS = {
  unproven: { type: 'boolean', default: false },
  until: { type: 'string' },
  timeline: { type: 'string' },
  'old-programs': { type: 'string' },
} as const;

interface BackupOptions {
  readonly unproven: boolean;
  readonly until?: string | undefined;
  readonly timeline?: string | undefined;
  readonly 'old-programs'?: string | undefined;
}

/** What a backup and a restore do with the processor's time is less urgent than serving. */
const LOW_PRIORITY = 10;

/** `npm run admin -- backup …` and its neighbours, for the program's own PostgreSQL. */
export const BACKUP_COMMANDS = {
  backup: {
    usage: 'backup <folder> [--unproven]',
    async manage(config: Config, [word]: readonly string[], { unproven }: BackupOptions) {
      const folder = operand('folder', word);
      rejectOutsideServer(config);
      setPriority(LOW_PRIORITY);
      const started = Date.now();
      const backup = await backUp(config, folder);
      console.log(`${backup.folder}  ${megabytes(backup.manifest.bytes)} in ${secondsSince(started)} s`);
      if (unproven) return console.log('not proven: it counts for nothing in what is kept');
      await prove(backup);
      const { backups, segments } = await removeOldBackups(folder, config.backups.keep, config.walArchive?.folder);
      if (backups + segments > 0) console.log(`removed ${backups} older backups and ${segments} segments of the log`);
    },
  },
  'backups list': {
    usage: 'backups list <folder>',
    async manage(_: Config, [word]: readonly string[]) {
      for (const backup of await listBackups(operand('folder', word))) console.log(lineOf(backup));
    },
  },
  'backups prove': {
    usage: 'backups prove <backup>',
    async manage(_: Config, [word]: readonly string[]) {
      const backup = await readBackup(operand('backup', word));
      setPriority(LOW_PRIORITY);
      await prove(backup);
    },
  },
  restore: {
    usage: 'restore <backup or folder of all> [--until <moment>|latest] [--timeline <number>]',
    async manage(config: Config, [word]: readonly string[], options: BackupOptions) {
      const folder = operand('backup', word);
      rejectOutsideServer(config);
      const started = Date.now();
      const { backup, lastCommit } = await restoreBackup({
        folder,
        dataDir: config.dataDir,
        walArchive: config.walArchive,
        sealKeyFile: config.sealKeys.file,
        until: options.until === undefined ? undefined : momentOf(options.until),
        timeline: options.timeline === undefined ? undefined : timelineOf(options.timeline),
        checkBooks: checkRestoredBooks,
      });
      console.log(`${config.dataDir} holds ${backup.folder} in ${secondsSince(started)} s`);
      const reason = reasonAgainst(backup);
      if (reason !== undefined) console.log(`this backup was not proven: ${reason}`);
      if (lastCommit !== undefined) console.log(`the last transaction in it is of ${lastCommit}`);
      if (config.sealKeys.command === undefined && !existsSync(config.sealKeys.file)) {
        console.log(`put your copy of ${config.sealKeys.file} back first, or a new key seals from now on`);
      }
      console.log('the next npm start serves it');
    },
  },
  'upgrade-database': {
    usage: 'upgrade-database [--old-programs <folder>]',
    async manage(config: Config, _: readonly string[], options: BackupOptions) {
      rejectOutsideServer(config);
      await upgradeDatabase({
        dataDir: config.dataDir,
        oldPrograms: options['old-programs'],
        say: (line) => console.log(line),
      });
    },
  },
};

function rejectOutsideServer({ databaseUrl, databaseLogins }: Config): void {
  const isOutside = [databaseUrl, ...Object.values(databaseLogins)].some((url) => url !== undefined);
  if (!isOutside) return;
  throw new StartError(
    'this is for the program’s own PostgreSQL; for that of DATABASE_URL see docs/operator.md, Backup and restore',
  );
}

async function backUp(config: Config, folder: string): Promise<Backup> {
  requireDatabase(config.dataDir);
  const server = await startEmbeddedPostgres(config);
  try {
    await migrate(server.connectionString);
    return await takeBackup({
      ownerUrl: server.connectionString,
      dataDir: config.dataDir,
      folder,
      bytesPerSecond: config.backups.bytesPerSecond,
      diskReserve: config.diskReserve,
      sealKeyFile: config.sealKeys.file,
      program: VERSION,
    });
  } finally {
    await server.stop();
  }
}

async function prove(backup: Backup): Promise<void> {
  const proven = await proveBackup(backup, checkRestoredBooks);
  const reason = reasonAgainst(proven);
  if (reason !== undefined) throw new StartError(`${backup.folder} is no good: ${reason}`);
  const { seconds, tables } = proven.manifest.proof!;
  const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0);
  console.log(`proven in ${seconds.toFixed(1)} s: ${rows} rows of ${Object.keys(tables).length} tables`);
}

function secondsSince(started: number): string {
  return ((Date.now() - started) / 1000).toFixed(1);
}

function momentOf(text: string): Date | 'latest' {
  if (text === 'latest') return text;
  const moment = new Date(text);
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}:\d{2})$/.test(text) || Number.isNaN(+moment))
    throw new StartError('--until takes a moment with its offset, such as 2026-11-22T18:30:00-03:00, or latest');
  return moment;
}

function timelineOf(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new StartError('--timeline takes a number');
  return Number(text);
}

function lineOf(backup: Backup): string {
  const { endedAt, bytes, postgresql, schema, proof } = backup.manifest;
  const state = reasonAgainst(backup) ?? `proven ${proof!.at}`;
  return [backup.folder, `until ${endedAt}`, megabytes(bytes), `PostgreSQL ${postgresql}`, schema, state].join('\t');
}
