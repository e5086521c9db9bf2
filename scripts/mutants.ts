import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MODEL, MUTANTS, type Mutant, RACE } from './mutants-list.ts';

// npm run mutants [-- parts of names]: puts one small fault at a time into a copy of the tree; the test must fail. Ends
// with 1 when one survives, or fits the source no longer.

/** Maximum number of runs of the model that a fault may survive. */
const RUNS = 120;
const LIMIT_MS = 240_000;

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'partidas-mutants-'));
const wanted = process.argv.slice(2);
const chosen = MUTANTS.filter(({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)));
try {
  for (const part of ['src', 'migrations', 'test', 'vitest.config.ts', 'package.json', 'tsconfig.json']) {
    cpSync(join(root, part), join(folder, part), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  process.exitCode = everyTestPasses() && everyMutantIsCaught() ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** A test that fails without a fault would catch all of them. */
function everyTestPasses(): boolean {
  return [...new Set(chosen.map(({ by }) => by ?? MODEL))].every((test) => {
    const { caught, how, output } = run(test, test === MODEL ? 24 : 1);
    say('(no fault)', caught ? `FAILS: ${how}` : how);
    if (caught) console.log(output);
    return !caught;
  });
}

function everyMutantIsCaught(): boolean {
  const survivors = chosen.filter((mutant) => {
    const verdict = verdictOn(mutant);
    say(mutant.name, verdict.text);
    return !verdict.isCaught;
  });
  console.log(`\n${chosen.length - survivors.length} of ${chosen.length} mutants caught`);
  return survivors.length === 0 && chosen.length > 0;
}

function verdictOn({ file, from, to, by = MODEL }: Mutant): { isCaught: boolean; text: string } {
  const path = join(folder, file);
  const source = readFileSync(path, 'utf8');
  const parts = source.split(from);
  if (parts.length !== 2) {
    return { isCaught: false, text: `NOT APPLIED: ${file} has its text ${parts.length - 1} times, not once` };
  }
  writeFileSync(path, parts.join(to));
  const { caught, how } = run(by, RUNS);
  writeFileSync(path, source);
  return { isCaught: caught, text: caught ? `caught ${how}` : `SURVIVED ${how}` };
}

/** Runs one test file of the copy; a failure counts only when it is the test's own, not that of a broken tree. */
function run(test: string, runs: number): { caught: boolean; how: string; output: string } {
  const began = performance.now();
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', test, '--reporter=default'],
    {
      cwd: folder,
      encoding: 'utf8',
      timeout: LIMIT_MS,
      env: {
        ...process.env,
        ...{ CI: '', NO_COLOR: '1', MODEL_RUNS: String(runs), MODEL_SEED: '1', MODEL_SHRINK: 'off', RACE_MS: '8000' },
      },
    },
  );
  const output = stdout + stderr;
  const seconds = `${Math.round((performance.now() - began) / 1000)} s`;
  const after = /(\d+) runs passed; the failing one/.exec(output);
  const where = test === RACE ? 'by the race' : `after ${after?.[1] ?? runs} runs`;
  const isBroken = status !== 0 && (test === MODEL ? !after : !/Tests .* failed/.test(output));
  return isBroken
    ? { caught: false, how: `nothing: the tree is broken\n${output}`, output }
    : { caught: status !== 0, how: `${where}, ${seconds}`, output };
}

function say(name: string, verdict: string): void {
  console.log(`${name.padEnd(64)} ${verdict}`);
}
