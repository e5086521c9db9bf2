import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SERVICE_NAMES } from '../../src/platform/config.ts';
import { ADMIN, startPlatform } from './platform.ts';
import { hasTool } from './system-tools.ts';

// Guides whose shell lines are run as they are written, against a fresh installation.

export const canRunGuides = ['bash', 'curl', 'base64'].every((tool) =>
  hasTool(tool, { reason: 'the shell lines of the guides are not run' }),
);

export interface GuideRun {
  readonly output: string;
  /** 0: every line succeeded. */
  readonly status: number;
  /** A file that the lines wrote. */
  file(name: string): Buffer;
}

/**
 * Runs the shell lines of a guide in an empty folder; `path` is below the project's. `packages` are there by name, as if
 * they had been installed.
 */
export async function runGuide(
  path: string,
  check: (run: GuideRun) => void,
  packages: Readonly<Record<string, string>> = {},
): Promise<void> {
  const platform = await startPlatform();
  const folder = mkdtempSync(join(tmpdir(), 'partidas-guide-'));
  try {
    for (const [name, source] of Object.entries(packages)) {
      mkdirSync(join(folder, 'node_modules'), { recursive: true });
      symlinkSync(source, join(folder, 'node_modules', name));
    }
    const guide = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
    // The documented ports, in the order of the services, become those of this run.
    const lines = [...guide.matchAll(/^```sh\n(.*?)^```/gms)]
      .map(([, block]) => block)
      .join('')
      .replace(/http:\/\/127\.0\.0\.1:700(\d)/g, (_, digit) =>
        platform.address(SERVICE_NAMES[Number(digit) - 1] ?? 'console'),
      );
    const run = await runShell(lines, folder);
    check({ ...run, file: (name) => readFileSync(join(folder, name)) });
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await platform.stop();
  }
}

/** Beside this thread, which serves the requests of these very lines. */
function runShell(lines: string, cwd: string): Promise<{ status: number; output: string }> {
  const env = { ...process.env, PASSWORD: ADMIN.password };
  return new Promise((done) => {
    execFile('bash', ['-e', '-c', lines], { cwd, env, timeout: 55_000 }, (error, stdout, stderr) =>
      done({ status: error === null ? 0 : 1, output: stdout + stderr }),
    );
  });
}
