import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SERVICE_NAMES } from '../src/platform/config.ts';
import { ADMIN, startPlatform } from './support/platform.ts';
import { hasTool } from './support/system-tools.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const isShellThere = ['bash', 'curl', 'base64'].every((tool) =>
  hasTool(tool, { reason: 'the shell lines of README.md are not run' }),
);

test.runIf(isShellThere)('the first ten minutes of README.md work as they are written', async () => {
  const platform = await startPlatform();
  const folder = mkdtempSync(join(tmpdir(), 'partidas-readme-'));
  try {
    // The documented ports, in the order of the services, become those of this run.
    const lines = [...readme.matchAll(/^```sh\n(.*?)^```/gms)]
      .map(([, block]) => block)
      .join('')
      .replace(/http:\/\/127\.0\.0\.1:700(\d)/g, (_, digit) => platform.address(SERVICE_NAMES[Number(digit) - 1]!));
    const { output, status } = await runShell(lines, folder);
    expect(status, output).toBe(0);
    expect(output).toContain('"valor":1000.00');
    expect(output).toContain('"successRows":1');
    expect(output).toContain('"accumulatedBalance":1250.50');
    expect(output).toContain('"status":"DONE"');
    expect(output).toContain('"text":"Caixa acima do limite: 1.250,50"');
    expect(readFileSync(join(folder, 'trial-balance.pdf')).subarray(0, 5).toString()).toBe('%PDF-');
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await platform.stop();
  }
});

/** Beside this thread, which serves the requests of these very lines. */
function runShell(lines: string, cwd: string): Promise<{ status: number; output: string }> {
  const env = { ...process.env, PASSWORD: ADMIN.password };
  return new Promise((done) => {
    execFile('bash', ['-e', '-c', lines], { cwd, env, timeout: 25_000 }, (error, stdout, stderr) =>
      done({ status: error === null ? 0 : 1, output: stdout + stderr }),
    );
  });
}
