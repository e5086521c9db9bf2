import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TrustFigure } from '../test/support/figures.ts';
import { fileOf, TRUST_PARTS, type TrustPart } from '../test/support/trust-parts.ts';

// npm run trust: the parts of test/support/trust-parts.ts, two at a time, at the volumes of test/support/volumes.ts, and
// their figures in the table of docs/trust.md.
//   npm run trust -- --short          within 3 minutes, after npm test, as continuous integration runs it; docs/trust.md stays as it is
//   npm run trust -- fuzz kills       these parts alone, one after the other; their rows of the table are replaced
//   npm run trust -- soak             the only one that is left out where nothing is named: it takes 15 minutes itself
//   npm run trust -- --long           the random tests that npm test runs in a short form, for an hour

const MINUTES = 60_000;
/** A run that takes longer is stuck: twice what it takes on two quiet cores, for a slower machine. */
const LIMIT_MS = { short: 6 * MINUTES, full: 30 * MINUTES, long: 60 * MINUTES };

/** Tests that npm test runs in a short form. */
const LONG = [
  ...['movements-model', 'books', 'ecd-round-trip', 'staged-posting', 'book-order'].map(
    (name) => `test/property/${name}.test.ts`,
  ),
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

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly { readonly name: string; readonly startTime: number; readonly endTime: number }[];
}

const root = fileURLToPath(new URL('..', import.meta.url));
const GUIDE = join(root, 'docs/trust.md');
const folder = mkdtempSync(join(tmpdir(), 'partidas-trust-'));
const figures = join(folder, 'figures.jsonl');
/** Of each run of the test runner. */
const reports: string[] = [];
const began = performance.now();
try {
  const isPassed = isLong ? await tests(LONG) : await runParts();
  mergeReports();
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
  const isChosen = (part: TrustPart) =>
    names.length > 0 ? names.includes(part.name) : form === 'short' ? part.file === undefined : !part.isNamed;
  const chosen = TRUST_PARTS.filter(isChosen);
  if (names.length > 0) return tests(chosen.map(fileOf));
  const isPassed = await tests(chosen.filter(({ isAlone }) => isAlone).map(fileOf));
  const results = await Promise.all(lanesOf(chosen.filter(({ isAlone }) => !isAlone)).map(tests));
  return isPassed && results.every(Boolean);
}

/** The files of the parts in two lanes that take about as long, the longest parts first. */
function lanesOf(parts: readonly TrustPart[]): string[][] {
  const lanes = [0, 1].map(() => ({ files: [] as string[], seconds: 0 }));
  for (const part of parts.toSorted((one, other) => secondsOf(other) - secondsOf(one))) {
    const lane = lanes.reduce((one, other) => (other.seconds < one.seconds ? other : one));
    lane.files.push(fileOf(part));
    lane.seconds += secondsOf(part);
  }
  return lanes.map(({ files }) => files);
}

function secondsOf({ seconds }: TrustPart): number {
  return seconds[form];
}

/** Runs test files, one after the other. */
function tests(files: readonly string[]): Promise<boolean> {
  if (files.length === 0) return Promise.resolve(true);
  const report = join(folder, `report-${reports.length}.json`);
  reports.push(report);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const config = ['--config', isLong ? 'vitest.config.ts' : 'vitest.trust.config.ts', '--no-file-parallelism'];
  const run = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...config, ...files, ...reporters], {
    cwd: root,
    stdio: 'inherit',
    timeout: LIMIT_MS[isLong ? 'long' : form],
    env: { ...process.env, TRUST_FORM: form, TRUST_FIGURES: figures },
  });
  return new Promise((resolve) => {
    run.on('exit', (code) => resolve(code === 0));
  });
}

/** One report of all runs, where continuous integration asks for it, and how long each file took. */
function mergeReports(): void {
  const runs: Report[] = reports.filter(existsSync).map((path) => JSON.parse(readFileSync(path, 'utf8')));
  const testResults = runs.flatMap((run) => run.testResults);
  for (const { name, startTime, endTime } of testResults) {
    console.log(`${Math.round((endTime - startTime) / 1_000)} s  ${relative(root, name)}`);
  }
  const place = options.find((option) => option.startsWith('--outputFile.json='))?.split('=')[1];
  if (place === undefined) return;
  const sum = (of: (run: Report) => number) => runs.reduce((total, run) => total + of(run), 0);
  const merged = {
    numPassedTests: sum((run) => run.numPassedTests),
    numFailedTests: sum((run) => run.numFailedTests),
    testResults,
  };
  writeFileSync(place, JSON.stringify(merged));
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
