import { EventEmitter } from 'node:events';
import { write, writeSync } from 'node:fs';

/** A stream of the system's that writes without waiting: 'drain' when all is written, 'error' where it was not. */
export interface SystemStream extends EventEmitter {
  readonly fd: number;
  write(text: string): boolean;
}

/** Milliseconds until a pipe that is full is tried again. */
const FULL_PIPE_MS = 50;

/** An open file or pipe, such as the standard output. What fails is lost: the end of the process does not wait for it. */
export class OpenDescriptor extends EventEmitter implements SystemStream {
  readonly fd: number;

  constructor(fd: number) {
    super();
    this.fd = fd;
  }

  write(text: string): boolean {
    this.writeRest(Buffer.from(text));
    return false;
  }

  private writeRest(rest: Buffer): void {
    write(this.fd, rest, (error, written) => {
      if (error?.code === 'EAGAIN') setTimeout(() => this.writeRest(rest), FULL_PIPE_MS);
      else if (error) this.emit('error', error);
      else if (written < rest.length) this.writeRest(rest.subarray(written));
      else this.emit('drain');
    });
  }
}

/**
 * Characters that go out in one write, and longest time in milliseconds that a line waits for others. Each write wakes a
 * thread: with 4 KB a write, writing took two thirds of what a line costs under load.
 */
const GATHERED = 32_768;
const FLUSH_MS = 200;
/** Characters that wait while nothing can be written; what comes then is lost. */
const MOST_WAITING = 4 * 1024 * 1024;
/** Milliseconds between two complaints about the same target. */
const COMPLAINT_MS = 60_000;

const opened = new Set<GatheredLines>();

/**
 * Log lines on their way: some go out in one write, while requests go on. A full disk or a closed pipe loses lines and
 * ends nothing. What waits when the process ends is written then.
 */
export class GatheredLines {
  private readonly target: SystemStream;
  private readonly name: string;
  private waiting = '';
  private isWriting = false;
  private timer: NodeJS.Timeout | undefined;
  private complainedAt = Number.NEGATIVE_INFINITY;

  /** `name` is what cannot be written, for the one who reads the standard error. */
  constructor(target: SystemStream, name: string) {
    this.target = target;
    this.name = name;
    target.on('drain', this.go);
    target.on('error', this.stay);
    if (opened.size === 0) process.once('exit', writeWhatWaits);
    opened.add(this);
  }

  write(line: string): void {
    if (this.waiting.length + line.length > MOST_WAITING) return;
    this.waiting += line;
    if (this.waiting.length >= GATHERED) this.pass();
    else this.timer ??= setTimeout(this.pass, FLUSH_MS).unref();
  }

  /** At the end of the process, once: the disk may be full. */
  writeAtOnce(): void {
    try {
      writeSync(this.target.fd, this.waiting);
    } catch (error) {
      this.complain(error as Error);
    }
    this.waiting = '';
  }

  private readonly pass = (): void => {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.isWriting || this.waiting === '') return;
    const text = this.waiting;
    this.waiting = '';
    this.isWriting = true;
    this.target.write(text);
  };

  private readonly go = (): void => {
    this.isWriting = false;
    if (this.waiting.length >= GATHERED) this.pass();
    else if (this.waiting !== '') this.timer ??= setTimeout(this.pass, FLUSH_MS).unref();
  };

  /** The target keeps what it could not write, up to a limit, and tries again with the next. */
  private readonly stay = (error: Error): void => {
    this.isWriting = false;
    this.complain(error);
  };

  private complain({ message }: Error): void {
    if (performance.now() - this.complainedAt < COMPLAINT_MS) return;
    this.complainedAt = performance.now();
    process.stderr.write(`partidas: ${this.name} cannot be written: ${message}\n`);
  }
}

function writeWhatWaits(): void {
  for (const lines of opened) lines.writeAtOnce();
}
