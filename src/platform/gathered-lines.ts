import { write, writeSync } from 'node:fs';
import { promisify } from 'node:util';

/** Where lines end. Each call may write less than it is given, and says how many bytes; nothing tells whether it will work. */
export interface LineTarget {
  write(bytes: Buffer): Promise<number>;
  /** At the end of the process: nothing goes on after it. */
  writeAtOnce(bytes: Buffer): number;
}

/** What `util.promisify` makes of it is `{ bytesWritten, buffer }`. */
const writeSome = promisify(write);

/** An open pipe or terminal, such as the standard output. */
export class OpenDescriptor implements LineTarget {
  private readonly fd: number;

  constructor(fd: number) {
    this.fd = fd;
  }

  write(bytes: Buffer): Promise<number> {
    return writeBytes(this.fd, bytes);
  }

  writeAtOnce(bytes: Buffer): number {
    return writeSync(this.fd, bytes);
  }
}

export async function writeBytes(fd: number, bytes: Buffer): Promise<number> {
  return (await writeSome(fd, bytes)).bytesWritten;
}

/**
 * Characters that go out in one write, and longest time in milliseconds that a line waits for others. Each write wakes a
 * thread: with 4 KB a write, writing took two thirds of what a line costs under load.
 */
const GATHERED = 32_768;
const FLUSH_MS = 200;
/** Characters that wait while nothing can be written; what comes then is lost. */
const MOST_WAITING = 4 * 1024 * 1024;
/** Milliseconds until a full pipe, and anything else that cannot be written, is tried again. */
const FULL_PIPE_MS = 50;
const RETRY_MS = 1_000;
/** Milliseconds between two complaints about the same target. */
const COMPLAINT_MS = 60_000;

const opened = new Set<GatheredLines>();

/** Log lines that the process has lost, by the name of their log. */
export function lostLines(): ReadonlyMap<string, number> {
  const lost = new Map<string, number>();
  for (const { name, lost: count } of opened) lost.set(name, (lost.get(name) ?? 0) + count);
  return lost;
}

/**
 * Log lines on their way: some go out in one write, while requests go on. While nothing can be written (a full disk, a
 * closed pipe) they wait up to a limit, further ones are lost and counted, and nothing ends. What waits when the process
 * ends is tried once more then.
 */
export class GatheredLines {
  readonly name: string;
  /** Lines for which there was no room. */
  lost = 0;
  private readonly target: LineTarget;
  private waiting = '';
  /** What is being written, or could not be. */
  private rest: Buffer = NOTHING;
  private isWriting = false;
  private timer: NodeJS.Timeout | undefined;
  private complainedAt = Number.NEGATIVE_INFINITY;
  private lostBefore = 0;

  /** `name` is whose log it is, for the one who reads the standard error. */
  constructor(target: LineTarget, name: string) {
    this.target = target;
    this.name = name;
    if (opened.size === 0) process.once('exit', writeWhatWaits);
    opened.add(this);
  }

  write(line: string): void {
    if (this.waiting.length + line.length > MOST_WAITING) {
      this.lost++;
      return;
    }
    this.waiting += line;
    if (this.waiting.length >= GATHERED && !this.isWriting && this.rest.length === 0) this.pass();
    else this.soon(FLUSH_MS);
  }

  /** At the end of the process, once: the disk may be full. What is being written then ends by itself. */
  writeAtOnce(): void {
    const left = Buffer.concat([this.isWriting ? NOTHING : this.rest, Buffer.from(this.waiting)]);
    this.rest = NOTHING;
    this.waiting = '';
    if (left.length === 0) return;
    let written = 0;
    try {
      while (written < left.length) written += this.target.writeAtOnce(left.subarray(written));
    } catch (error) {
      this.lost += countLines(left.subarray(written));
      this.complain(error as Error);
    }
  }

  private soon(milliseconds: number): void {
    if (!this.isWriting) this.timer ??= setTimeout(this.pass, milliseconds).unref();
  }

  private readonly pass = (): void => {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.rest.length === 0) {
      if (this.waiting === '') return;
      this.rest = Buffer.from(this.waiting);
      this.waiting = '';
    }
    this.isWriting = true;
    void this.writeRest();
  };

  private async writeRest(): Promise<void> {
    try {
      while (this.rest.length > 0) this.rest = this.rest.subarray(await this.target.write(this.rest));
      this.isWriting = false;
      this.tellLost();
      if (this.waiting.length >= GATHERED) this.pass();
      else if (this.waiting !== '') this.soon(FLUSH_MS);
    } catch (error) {
      this.isWriting = false;
      const isFullPipe = (error as NodeJS.ErrnoException).code === 'EAGAIN';
      if (!isFullPipe) this.complain(error as Error);
      this.soon(isFullPipe ? FULL_PIPE_MS : RETRY_MS);
    }
  }

  private complain({ message }: Error): void {
    if (performance.now() - this.complainedAt < COMPLAINT_MS) return;
    this.complainedAt = performance.now();
    tell(`the log of ${this.name} cannot be written: ${message}; ${this.lost - this.lostBefore} lines lost so far`);
  }

  /** Once, when lines are written again. */
  private tellLost(): void {
    if (this.lost === this.lostBefore) return;
    tell(`the log of ${this.name} is written again: ${this.lost - this.lostBefore} lines lost`);
    this.lostBefore = this.lost;
    this.complainedAt = Number.NEGATIVE_INFINITY;
  }
}

const NOTHING = Buffer.alloc(0);
const LINE_END = 10;

function countLines(bytes: Buffer): number {
  let lines = 0;
  for (const byte of bytes) if (byte === LINE_END) lines++;
  return lines;
}

/** The standard error may be on the same full disk: it is not waited for, and its failure ends nothing. */
function tell(what: string): void {
  try {
    writeSync(process.stderr.fd, `partidas: ${what}\n`);
  } catch {
    // There is nobody else to tell.
  }
}

function writeWhatWaits(): void {
  for (const lines of opened) lines.writeAtOnce();
}
