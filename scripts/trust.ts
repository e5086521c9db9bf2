import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TrustFigure } from '../test/support/figures.ts';
import { fileOf, TRUST_PARTS, type TrustPart } from '../test/support/trust-parts.ts';

// npm run trust: the parts of test/support/trust-parts.ts one after the other, at the volumes of test/support/volumes.ts,
// and their figures in the table of docs/trust.md.
//   npm run trust -- --short          within 3 minutes, as continuous integration runs it; docs/trust.md stays as it is
//   npm run trust -- fuzz kills       these parts alone; their rows of the table are replaced
//   npm run trust -- --long           the random tests that npm test runs in a short form, for an hour

const MINUTES = 60_000;
/** A run that takes longer is stuck: twice what it takes on two quiet cores, for a slower machine. */
const LIMIT_MS = { short: 6 * MINUTES, full: 30 * MINUTES, long: 60 * MINUTES };

/** Tests that npm test runs in a short form. */
const LONG = [
  ...['movements-model', 'books', 'staged-posting', 'book-order'].map((name) => `test/property/${name}.test.ts`),
  'src/accounting/rule-language/rule-language.fuzz.test.ts',
  'test/faults/race.test.ts',
  'test/faults/client-kill.test.ts',
  'test/oracle/papers.test.ts',
  'test/contract/odd-values.test.ts',
];

const HEAD = ['| part | day | what is done | figure | control: what was broken, and seen |', '|---|---|---|---|---|'];
const MARKS = ['<!-- figures: written by npm run trust -->', '<!-- end of the figures -->'] as const;

const options = process.argv.slice(2);
const names = options.filter((option) => !option.startsWith('--'));
const isLong = options.includes('--long');
const form = options.includes('--short') ? 'short' : 'full';
const unknown = names.filter((name) => !TRUST_PARTS.some((part) => part.name === name));
if (unknown.length > 0) {
  console.error(
    `trust: no part is named ${unknown.join(', ')}; the parts: ${TRUST_PARTS.map((part) => part.name).join(', ')}`,
  );
  process.exit(2);
}

const root = fileURLToPath(new URL('..', import.meta.url));
const GUIDE = join(root, 'docs/trust.md');
const folder = mkdtempSync(join(tmpdir(), 'partidas-trust-'));
const figures = join(folder, 'figures.jsonl');
const began = performance.now();
try {
  const isPassed = isLong ? await tests(LONG, true) : await runParts();
  const seconds = Math.round((performance.now() - began) / 1000);
  if (!isLong) {
    const rows = rowsOf(recorded());
    console.log(`\n${HEAD.join('\n')}\n${rows.join('\n')}`);
    if (isPassed && form === 'full') writeInto(GUIDE, rows);
  }
  console.log(`\ntrust: ${isPassed ? 'all parts hold' : 'FAILED'} after ${seconds} s`);
  process.exitCode = isPassed ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function runParts(): Promise<boolean> {
  const chosen = TRUST_PARTS.filter((part) => isBuilt(part) && (names.length === 0 || names.includes(part.name)));
  const files = (isBeside: boolean) => chosen.filter((part) => (part.isBeside ?? false) === isBeside).map(fileOf);
  const results = await Promise.all([tests(files(false), true), tests(files(true), false)]);
  return results.every(Boolean);
}

/** Runs test files, one after the other; only one report of a run can be asked for on the command line. */
function tests(files: readonly string[], isReported: boolean): Promise<boolean> {
  if (files.length === 0) return Promise.resolve(true);
  const report = options.filter((option) => /^--(reporter|output)/.test(option) && isReported);
  const config = ['--config', isLong ? 'vitest.config.ts' : 'vitest.trust.config.ts', '--no-file-parallelism'];
  const run = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...config, ...files, ...report], {
    cwd: root,
    stdio: 'inherit',
    timeout: LIMIT_MS[isLong ? 'long' : form],
    env: { ...process.env, TRUST_FORM: form, TRUST_FIGURES: figures },
  });
  return new Promise((resolve) => {
    run.on('exit', (code) => resolve(code === 0));
  });
}

function isBuilt(part: TrustPart): boolean {
  return existsSync(join(root, fileOf(part)));
}

function recorded(): TrustFigure[] {
  if (!existsSync(figures)) return [];
  return readFileSync(figures, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** The figures in the order of the parts. */
function rowsOf(all: readonly TrustFigure[]): string[] {
  const day = new Date().toISOString().slice(0, 10);
  return TRUST_PARTS.flatMap(({ name }) => {
    const own = all.filter(({ part }) => part === name);
    return own.map(
      ({ part, what, figure, control }) => `| ${part} | ${day} | ${what} | ${figure} | ${control ?? ''} |`,
    );
  });
}

/** Puts the rows into the table of the guide, in the place of those of the same parts, with the machine above. */
function writeInto(path: string, rows: readonly string[]): void {
  const [head, rest] = readFileSync(path, 'utf8').split(MARKS[0]);
  const [there, tail] = rest?.split(MARKS[1]) ?? [];
  if (head === undefined || there === undefined || tail === undefined) throw new Error(`${path} lacks its marks`);
  const partOf = (row: string) => row.split('|')[1]!.trim();
  const measured = new Set(rows.map(partOf));
  const others = there.split('\n').filter((line) => TRUST_PARTS.some(({ name }) => name === partOf(`${line}|`)));
  const all = [...others.filter((row) => !measured.has(partOf(row))), ...rows];
  const place = (row: string) => TRUST_PARTS.findIndex(({ name }) => name === partOf(row));
  const table = [...HEAD, ...all.sort((a, b) => place(a) - place(b))].join('\n');
  writeFileSync(path, `${head}${MARKS[0]}\nMeasured on ${machine()}.\n\n${table}\n${MARKS[1]}${tail}`);
}

function machine(): string {
  const [processor] = cpus();
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  const postgres = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).optionalDependencies;
  const version = String(Object.values(postgres)[0]).split('.').slice(0, 2).join('.');
  return `${cpus().length} cores (${processor!.model.trim()}), ${gigabytes} GB, Node ${process.version}, PostgreSQL ${version}`;
}
