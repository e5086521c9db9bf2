import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TrustFigure } from '../test/support/figures.ts';

// npm run trust [-- --short]: the tests of test/trust and the long forms of others, at the volumes of
// test/support/volumes.ts, one file after the other because many measure; and their figures in one table. With --short
// they take at most eight minutes on two cores, as continuous integration runs them.

const LIMIT_MS = { short: 480_000, full: 3_600_000 };

/** Tests that npm test runs in a short form. */
const LONG = [
  ...['movements-model', 'books', 'staged-posting', 'book-order'].map((name) => `test/property/${name}.test.ts`),
  'src/accounting/rule-language/rule-language.fuzz.test.ts',
  'test/faults/race.test.ts',
  'test/faults/client-kill.test.ts',
  'test/oracle/papers.test.ts',
  'test/contract/access-matrix.test.ts',
  'test/contract/odd-values.test.ts',
];

const form = process.argv.includes('--short') ? 'short' : 'full';
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
    ['node_modules/vitest/vitest.mjs', 'run', 'test/trust', ...LONG, '--no-file-parallelism', ...report],
    {
      cwd: root,
      stdio: 'inherit',
      timeout: LIMIT_MS[form],
      env: { ...process.env, TRUST_FORM: form, TRUST_FIGURES: figures },
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
