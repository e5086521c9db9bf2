import { spawn } from 'node:child_process';

/** Runs a program to its end, with an environment that has neither our secrets nor PGDATA, PGPORT and the like. */
export function runAs(
  program: string,
  args: string[],
  { cwd, user, input, output, environment }: Run,
): Promise<Outcome> {
  return new Promise<Outcome>((done) => {
    const { PATH = '', SystemRoot, TEMP } = process.env;
    const child = spawn(program, args, {
      cwd,
      ...user,
      env: { PATH, LC_ALL: 'C', ...(SystemRoot === undefined ? {} : { SystemRoot, TEMP }), ...environment },
      stdio: [input ?? 'ignore', output ?? 'pipe', output ?? 'pipe'],
      windowsHide: true,
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
    }
    child.once('error', (error) => done({ code: undefined, output: error.message }));
    child.once('close', (code) => done({ code: code ?? 1, output: text }));
    // Some failures are thrown, such as a user id that may not be assumed.
  }).catch((error: Error) => ({ code: undefined, output: error.message }));
}

export interface User {
  readonly uid: number;
  readonly gid: number;
}

export interface Run {
  readonly cwd: string;
  /** Only root may name another user; the program has then none of root's groups. */
  readonly user?: User | undefined;
  readonly input?: number;
  /** Otherwise the output is collected, which a process that stays must not be given. */
  readonly output?: number;
  readonly environment?: Readonly<Record<string, string>>;
}

export interface Outcome {
  /** undefined when the program could not be run at all. */
  readonly code: number | undefined;
  readonly output: string;
}
