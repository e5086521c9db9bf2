import { copyFile, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '../config.ts';
import type { WalPosition } from '../database/base-backup.ts';
import { SEGMENT_BYTES } from '../embedded-postgres/wal-archive.ts';

const SEGMENTS_OF_A_LOG = 0x1_0000_0000 / SEGMENT_BYTES;
/** Timeline, then the number of the segment in two parts. */
const SEGMENT_NAME = /^[0-9A-F]{24}$/;
const BELONGS_TO_SEGMENT = /^[0-9A-F]{24}(?:\.partial|\.[0-9A-F]{8}\.backup)?$/;

/** The last 16 characters of the segment's name, the same on every timeline. */
export function segmentOf({ position }: WalPosition): string {
  const segment = Number(bytesOf(position) / BigInt(SEGMENT_BYTES));
  const hex = (value: number) => value.toString(16).toUpperCase().padStart(8, '0');
  return hex(Math.floor(segment / SEGMENTS_OF_A_LOG)) + hex(segment % SEGMENTS_OF_A_LOG);
}

/** Segments from a backup's begin on, and the histories of all timelines. */
export interface ArchivedWal {
  readonly folder: string;
  readonly segments: readonly string[];
  readonly histories: readonly string[];
}

/**
 * What a backup goes on from: its own log ends with the segment of its end.
 * @throws StartError where a segment between two others is missing, or is cut short.
 */
export async function readArchive(
  folder: string,
  { begin, end }: { readonly begin: WalPosition; readonly end: WalPosition },
): Promise<ArchivedWal> {
  const names = (
    await readdir(folder).catch((error) => {
      throw new StartError(`WAL_ARCHIVE_DIR: ${error.message}`);
    })
  ).sort();
  const first = segmentOf(begin);
  const segments = names.filter((name) => SEGMENT_NAME.test(name) && name.slice(8) >= first);
  const earliest = Math.min(...segments.map(numberOf));
  if (segments.length > 0 && earliest > numberOf(`00000000${segmentOf(end)}`) + 1)
    throw new StartError('the archive has a gap: the log after the end of the backup is not there any more');
  for (const [at, name] of segments.entries()) {
    const { size } = await stat(join(folder, name));
    if (size !== SEGMENT_BYTES) throw new StartError(`the archive is damaged: ${name} has ${size} bytes`);
    const next = segments[at + 1];
    if (next === undefined || next.slice(0, 8) !== name.slice(0, 8)) continue;
    if (numberOf(next) !== numberOf(name) + 1)
      throw new StartError(`the archive has a gap: ${name} is not followed by the next segment`);
  }
  return { folder, segments, histories: names.filter((name) => /^[0-9A-F]{8}\.history$/.test(name)) };
}

function numberOf(segment: string): number {
  return Number.parseInt(segment.slice(8, 16), 16) * SEGMENTS_OF_A_LOG + Number.parseInt(segment.slice(16), 16);
}

/**
 * The newest timeline that goes through the end of a backup: others left its own before, as that of a restore to an
 * earlier moment does.
 */
export async function newestTimeline({ folder, histories }: ArchivedWal, end: WalPosition): Promise<number> {
  let newest = end.timeline;
  for (const name of histories) {
    const timeline = Number.parseInt(name.slice(0, 8), 16);
    if (timeline > newest && goesThrough(await readFile(join(folder, name), 'utf8'), end)) newest = timeline;
  }
  return newest;
}

/** Each line of a history: a timeline before it, and where that was left. */
function goesThrough(history: string, { position, timeline }: WalPosition): boolean {
  // eslint-disable-next-line no-restricted-syntax -- of a number; each line is read once
  const left = new RegExp(`^${timeline}\\t([0-9A-F]+/[0-9A-F]+)`, 'm').exec(history)?.[1];
  return left !== undefined && bytesOf(left) >= bytesOf(position);
}

/** A place in the log as a number of bytes. */
function bytesOf(position: string): bigint {
  const [high, low] = position.split('/').map((part) => BigInt(`0x${part}`));
  return (high! << 32n) | low!;
}

/** Copies, never links: the server writes over segments that it no longer needs. */
export async function copyArchive({ folder, segments, histories }: ArchivedWal, target: string): Promise<void> {
  const there = new Set(await readdir(target));
  for (const name of [...segments, ...histories]) {
    if (!there.has(name)) await copyFile(join(folder, name), join(target, name));
  }
}

/** Removes segments older than the one that the oldest kept backup begins in. @returns how many */
export async function removeOldWal(folder: string, oldest: WalPosition): Promise<number> {
  const first = segmentOf(oldest);
  const names = await readdir(folder).catch(() => []);
  const old = names.filter((name) => BELONGS_TO_SEGMENT.test(name) && name.slice(8, 24) < first);
  for (const name of old) await rm(join(folder, name), { force: true });
  return old.length;
}
