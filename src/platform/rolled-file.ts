import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { chmod, type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { LineTarget } from './gathered-lines.ts';

/** Owner and group alone read what happened; also in what an earlier version has written. */
const FILE_MODE = 0o640;
const FOLDER_MODE = 0o750;

interface RolledFileOptions {
  readonly folder: string;
  /** Files are <name>.<n>.log; the newest has the highest number. */
  readonly name: string;
  readonly bytes: number;
  /** Files that stay, with that being written, whoever began them. */
  readonly keep: number;
  readonly now?: () => Date;
}

/**
 * The log of one service in files of its own: a new one each day, or when one is full; the oldest go. It opens a file when
 * there is something to write, and again after any failure: a disk that is full at the start hinders nothing.
 */
export class RolledFile implements LineTarget {
  private readonly options: Required<RolledFileOptions>;
  private file: FileHandle | undefined;
  private number = 0;
  private size = 0;
  private day = '';

  constructor(options: RolledFileOptions) {
    this.options = { now: () => new Date(), ...options };
  }

  async write(text: Buffer): Promise<number> {
    if (this.file !== undefined && (this.size >= this.options.bytes || this.day !== this.today())) await this.close();
    const file = this.file ?? (await this.open());
    try {
      const { bytesWritten } = await file.write(text);
      this.size += bytesWritten;
      return bytesWritten;
    } catch (error) {
      // A folder that was mounted anew has another file of that name.
      await this.close();
      throw error;
    }
  }

  writeAtOnce(text: Buffer): number {
    if (this.file !== undefined) return writeSync(this.file.fd, text);
    const flags = constants.O_APPEND | constants.O_CREAT | constants.O_WRONLY;
    const fd = openSync(this.path(Math.max(this.number, 1)), flags, FILE_MODE);
    try {
      return writeSync(fd, text);
    } finally {
      closeSync(fd);
    }
  }

  /** Makes folder and file; what fails is tried again by the next write. */
  async open(): Promise<FileHandle> {
    const { folder, bytes } = this.options;
    await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
    await chmod(folder, FOLDER_MODE);
    const numbers = await this.numbers();
    const last = numbers.at(-1) ?? 0;
    const found = last === 0 ? undefined : await stat(this.path(last));
    const goesOn = found !== undefined && found.size < bytes && found.mtime.toDateString() === this.today();
    this.number = goesOn ? last : last + 1;
    this.file = await open(this.path(this.number), 'a', FILE_MODE);
    this.size = goesOn ? found.size : 0;
    this.day = this.today();
    if (!goesOn) numbers.push(this.number);
    await this.removeOldest(numbers);
    return this.file;
  }

  async close(): Promise<void> {
    const { file } = this;
    this.file = undefined;
    await file?.close().catch(() => {});
  }

  private async removeOldest(numbers: readonly number[]): Promise<void> {
    const { keep } = this.options;
    const old = numbers.slice(0, Math.max(0, numbers.length - keep));
    // One that stays is tried again with the next file.
    await Promise.allSettled(old.map((number) => rm(this.path(number), { force: true })));
    await Promise.allSettled(numbers.slice(-keep).map((number) => chmod(this.path(number), FILE_MODE)));
  }

  /** Of the files that are there, in ascending order. */
  private async numbers(): Promise<number[]> {
    const { folder, name } = this.options;
    const names = await readdir(folder);
    return names
      .filter((each) => each.startsWith(`${name}.`) && each.endsWith('.log'))
      .map((each) => each.slice(name.length + 1, -'.log'.length))
      .filter((each) => /^\d{1,9}$/.test(each))
      .map(Number)
      .sort((a, b) => a - b);
  }

  private path(number: number): string {
    return join(this.options.folder, `${this.options.name}.${number}.log`);
  }

  private today(): string {
    return this.options.now().toDateString();
  }
}
