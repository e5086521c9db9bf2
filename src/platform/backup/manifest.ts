import { open, readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { StartError } from '../config.ts';
import { syncFolder } from './backup-files.ts';

const MANIFEST = 'manifest.json';
/** The folder of the database's files inside a backup. */
export const FILES = 'postgres';

const POSITION = z.strictObject({ position: z.string().regex(/^[0-9A-F]+\/[0-9A-F]+$/), timeline: z.int().min(1) });

const BACKED_UP_FILE = z.strictObject({
  /** Within the folder of the files; never outside. */
  path: z.string().refine((path) => !path.startsWith('/') && !path.split(/[/\\]/).includes('..')),
  size: z.int().min(0),
  sha256: z.string().length(64),
});

const TABLE_CONTENT = z.strictObject({ rows: z.int().min(0), hash: z.string() });

const PROOF = z.strictObject({
  /** When it was restored beside and looked at. */
  at: z.iso.datetime(),
  seconds: z.number(),
  /** Why it is no good; absent when it is. */
  failure: z.string().optional(),
  /** Of every table, by its name. */
  tables: z.record(z.string(), TABLE_CONTENT),
  /** What else was looked at. */
  checks: z.record(z.string(), z.unknown()),
});
export type Proof = z.output<typeof PROOF>;

const SCHEMA = z.object({
  format: z.literal(1),
  program: z.string(),
  /** Such as '18.4'. */
  postgresql: z.string(),
  /** PostgreSQL's number of the installation, which the archive of its log has too. */
  system: z.string().regex(/^\d+$/),
  /** The last migration. */
  schema: z.string(),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime(),
  begin: POSITION,
  end: POSITION,
  bytes: z.int(),
  /** The file of public seal keys: whoever has the books must be able to check their seals. */
  publicSealKeys: z.string().default(''),
  folders: z.array(z.string()),
  files: z.array(BACKED_UP_FILE),
  proof: PROOF.optional(),
});
export type Manifest = z.output<typeof SCHEMA>;

/** A complete backup. */
export interface Backup {
  readonly folder: string;
  readonly manifest: Manifest;
}

/** Whether it was restored and found good. */
export function isProven({ manifest: { proof } }: Backup): boolean {
  return proof !== undefined && proof.failure === undefined;
}

/** Written beside and renamed, so that it is there whole or not at all. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const path = join(folder, MANIFEST);
  const file = await open(`${path}.new`, 'w', 0o600);
  try {
    await file.writeFile(`${JSON.stringify(manifest, undefined, 1)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.new`, path);
  await syncFolder(folder);
}

/** @throws StartError for a folder that is no complete backup. */
export async function readBackup(folder: string): Promise<Backup> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch((error) => {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
    throw new StartError(`${folder} is no complete backup: it has no ${MANIFEST}, which is written last`);
  });
  const parsed = SCHEMA.safeParse(parseJson(text));
  if (!parsed.success) throw new StartError(`${folder} is damaged: its ${MANIFEST} cannot be read`);
  return { folder, manifest: parsed.data };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Named by its time: '2026-11-22T184512.345Z'. */
const NAME = /^\d{4}-\d{2}-\d{2}T\d{6}\.\d{3}Z$/;

export function backupName(at: Date): string {
  return at.toISOString().replaceAll(':', '');
}

/** The complete backups below a folder, oldest first; damaged ones are left out. */
export async function listBackups(folder: string): Promise<Backup[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => NAME.test(name)).sort();
  const backups = await Promise.all(names.map((name) => readBackup(join(folder, name)).catch(() => undefined)));
  return backups.filter((backup) => backup !== undefined);
}
