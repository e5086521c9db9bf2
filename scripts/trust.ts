import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TrustFigure } from '../test/support/figures.ts';

// npm run trust [-- --short]: the tests of test/trust at their full volume, and what they measured in one table. With
// --short they take at most three minutes on two cores, as continuous integration runs them.

/** How much each part does; the tests' own defaults are those of npm test. The short form fuzzes the same each time. */
const VOLUMES = {
  short: { FUZZ_REQUESTS: '24000', FUZZ_SEED: '4711', PERMISSION_RUNS: '300' },
  full: { FUZZ_REQUESTS: '100000', PERMISSION_RUNS: '3000' },
};
const LIMIT_MS = { short: 180_000, full: 900_000 };

const size = process.argv.includes('--short') ? 'short' : 'full';
const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'partidas-trust-'));
const figures = join(folder, 'figures.jsonl');
const began = performance.now();
try {
  const report = process.argv.filter(
    (argument) => argument.startsWith('--reporter') || argument.startsWith('--output'),
  );
  const { status } = spawnSync(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', 'test/trust', '--no-file-parallelism', ...report],
    {
      cwd: root,
      stdio: 'inherit',
      timeout: LIMIT_MS[size],
      env: { ...process.env, ...VOLUMES[size], TRUST_FIGURES: figures },
    },
  );
  console.log(`\n| part | figure |\n|---|---|\n${rows().join('\n')}`);
  const seconds = Math.round((performance.now() - began) / 1000);
  console.log(`\ntrust: ${status === 0 ? 'all parts hold' : 'FAILED'} after ${seconds} s`);
  process.exitCode = status === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function rows(): string[] {
  try {
    const lines = readFileSync(figures, 'utf8').trim().split('\n');
    return lines.map((line) => {
      const { part, figure } = JSON.parse(line) as TrustFigure;
      return `| ${part} | ${figure} |`;
    });
  } catch {
    return ['| none | no part came to its end |'];
  }
}
