import { spawnSync } from 'node:child_process';
import { existsSync, globSync, lstatSync, readdirSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { copyProgram } from './copy-program.ts';

// npm run production -- FOLDER: makes a folder that holds what runs and nothing else, the console built, with the packages
// that `npm ci --omit=dev` takes from the lock; `npm start` there serves. Says what is how large.

const MOST_MB = 200;

const [given] = process.argv.slice(2);
if (given === undefined) fail('usage: npm run production -- FOLDER');
const folder = resolve(given);
if (existsSync(folder) && readdirSync(folder).length > 0) fail(`${folder} is not empty`);
copyProgram(folder);
install();
report();

function install(): void {
  // The machine's own npm and Node: those of node_modules/.bin are of the packages of development.
  const path = (process.env.PATH ?? '').split(delimiter).filter((each) => !each.endsWith(join('node_modules', '.bin')));
  const { status, error, stderr } = spawnSync(
    'npm',
    ['ci', '--omit=dev', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: folder,
      env: { ...process.env, PATH: path.join(delimiter) },
      encoding: 'utf8',
      shell: process.platform === 'win32',
    },
  );
  if (status !== 0) fail(`npm ci failed: ${(error?.message ?? stderr).trim()}`);
}

function report(): void {
  const packages = globSync(['node_modules/*', 'node_modules/@*/*'], {
    cwd: folder,
    exclude: (path) => /node_modules\/(?:@[^/]+|\.\w+)$/.test(path),
  });
  const largest = packages.map((path) => [path, megabytesOf(path)] as const).sort(([, one], [, other]) => other - one);
  for (const [path, megabytes] of largest.slice(0, 5)) console.log(`${megabytes.toFixed(0).padStart(5)} MB  ${path}`);
  const total = megabytesOf('.');
  console.log(`${total.toFixed(0).padStart(5)} MB  ${folder} (${packages.length} packages)`);
  if (total > MOST_MB) fail(`more than ${MOST_MB} MB`);
}

function megabytesOf(path: string): number {
  const start = join(folder, path);
  if (!lstatSync(start).isDirectory()) return lstatSync(start).size / 1e6;
  return readdirSync(start, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .reduce((sum, each) => sum + lstatSync(join(each.parentPath, each.name)).size / 1e6, 0);
}

function fail(reason: string): never {
  console.error(`production: ${reason}`);
  process.exit(1);
}
