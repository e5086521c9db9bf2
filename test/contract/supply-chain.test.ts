import { execFile } from 'node:child_process';
import { cp, link, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { buildConsole } from '../../scripts/chromium.ts';
import { copyProgram } from '../../scripts/copy-program.ts';
import { OwnProcess } from '../support/own-process.ts';

// What is installed is what package-lock.json names, and what runs needs no package of development.

interface Locked {
  readonly version: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
}

interface Component {
  readonly hashes?: readonly { readonly alg: string }[];
  readonly licenses?: readonly { readonly license: { readonly id: string } }[];
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MODULES = 'node_modules/';
/** Of the packages that run: none asks to publish what it is linked with. */
const LICENCES = ['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'PostgreSQL'];
const MOST_MB = 200;

vi.setConfig({ testTimeout: 240_000 });

let folder: string;
let locked: [path: string, Locked][];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'partidas-production-'));
  locked = Object.entries(await packagesOf('package-lock.json')).filter(([path]) => path !== '');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('npm ci takes the lock, and rejects one that lacks a package', async () => {
  const clone = join(folder, 'clone');
  await mkdir(clone);
  for (const file of ['package.json', 'package-lock.json', '.npmrc']) await cp(join(ROOT, file), join(clone, file));
  const ci = () => run('npm', ['ci', '--dry-run', '--offline', '--ignore-scripts', '--loglevel=error'], clone);
  expect(await ci()).toMatchObject({ code: 0, err: '' });
  const lock = JSON.parse(await readFile(join(clone, 'package-lock.json'), 'utf8'));
  delete lock.packages['node_modules/@biomejs/cli-darwin-arm64'];
  await writeFile(join(clone, 'package-lock.json'), JSON.stringify(lock));
  expect((await ci()).err).toContain('Missing: @biomejs/cli-darwin-arm64');
});

test('each package of the lock has a hash; only tools of other platforms may be without', () => {
  const bare = locked.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'));
  expect(bare.filter(([, { dev, optional }]) => !(dev && optional)).map(([path]) => path)).toEqual([]);
  expect(bare.every(([path]) => /^node_modules\/@(?:biomejs\/cli|oxc-parser\/binding)-/.test(path))).toBe(true);
});

test('the bill of materials names what runs, each with a hash and a licence that may be', async () => {
  const { code, out, err } = await run(process.execPath, ['scripts/sbom.ts'], ROOT);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const { bomFormat, metadata, components } = JSON.parse(out);
  expect({ bomFormat, name: metadata.component.name }).toEqual({ bomFormat: 'CycloneDX', name: 'partidas' });
  const said = components.map(({ name, version }: Record<string, string>) => `${name}@${version}`).sort();
  const pinned = Object.entries<Locked>(JSON.parse(await readFile(join(ROOT, 'scripts/node-packages.json'), 'utf8')));
  const running = [...locked, ...pinned].filter(([, { dev }]) => !dev);
  const wanted = running.map(([path, { version }]) => `${path.replace(/^.*node_modules\//, '')}@${version}`);
  expect(said).toEqual([...new Set(wanted)].sort());
  const odd = components.filter((each: Component) => {
    const licences = each.licenses?.map(({ license }) => license.id) ?? [];
    return (
      each.hashes?.[0]?.alg !== 'SHA-512' || licences.length === 0 || !licences.every((id) => LICENCES.includes(id))
    );
  });
  expect(odd).toEqual([]);
});

test('the Node that is brought is the one whose hash is pinned', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--version']);
  expect((await readFile(join(ROOT, '.nvmrc'), 'utf8')).trim()).toMatch(/^24\.\d+\.\d+$/);
  const installed = await packagesOf(`${MODULES}.package-lock.json`);
  const pinned: Record<string, Locked> = JSON.parse(await readFile(join(ROOT, 'scripts/node-packages.json'), 'utf8'));
  const [brought] = Object.keys(pinned).filter((name) => installed[MODULES + name] !== undefined);
  if (brought === undefined) return; // The machine's own Node was new enough.
  expect(installed[MODULES + brought]).toMatchObject(pinned[brought]!);
  expect(stdout.trim()).toBe(`v${pinned[brought]!.version}`);
});

test('without the packages of development it is small, installs nothing more, and serves services and console', async () => {
  const place = join(folder, 'production');
  buildConsole();
  copyProgram(place);
  const installed = Object.entries(await packagesOf(`${MODULES}.package-lock.json`));
  const running = installed.filter(([path]) => locked.some(([each, { dev }]) => each === path && !dev));
  for (const [path] of running) await copyPackage(path, place);
  const record = JSON.stringify({ packages: Object.fromEntries(running) });
  await writeFile(join(place, `${MODULES}.package-lock.json`), record);
  expect(await megabytesOf(place)).toBeLessThan(MOST_MB);
  const setup = (...words: string[]) =>
    run(process.execPath, ['scripts/setup.mjs', ...words], place, { PATH: '/nowhere' });
  expect(await setup('--production')).toEqual({ code: 0, out: '', err: '' });
  // Whatever needs more says so: here there is no npm.
  expect((await setup()).out).toContain('setup: installing the packages of package-lock.json');
  const { program, admin } = await OwnProcess.begin({}, folder, join(place, 'src/main.ts'));
  try {
    expect((await admin.get('masterdata', '/usercompanies')).status).toBe(200);
    expect((await fetch(program.address('console'))).status).toBe(200);
  } finally {
    await program.remove();
  }
});

async function packagesOf(file: string): Promise<Record<string, Locked>> {
  return JSON.parse(await readFile(join(ROOT, file), 'utf8')).packages;
}

/** Without the packages inside of it, which are of the lock themselves; linked, where one disk has both. */
async function copyPackage(path: string, place: string): Promise<void> {
  const from = join(ROOT, path);
  const entries = await readdir(from, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((each) => each.isFile() || each.isSymbolicLink())) {
    const inside = join(relative(from, entry.parentPath), entry.name);
    if (inside.startsWith('node_modules')) continue;
    const to = join(place, path, inside);
    await mkdir(dirname(to), { recursive: true });
    await link(join(from, inside), to).catch(() => cp(join(from, inside), to, { verbatimSymlinks: true }));
  }
}

async function megabytesOf(place: string): Promise<number> {
  const { stdout } = await promisify(execFile)('du', ['-sm', place]).catch(() => ({ stdout: '' }));
  return stdout === '' ? (await stat(place)).size / 1e6 : Number.parseInt(stdout, 10);
}

function run(
  command: string,
  words: readonly string[],
  cwd: string,
  more: Record<string, string> = {},
): Promise<{ code: number; out: string; err: string }> {
  return new Promise((resolve) => {
    execFile(command, words, { cwd, env: { ...process.env, ...more }, maxBuffer: 1e8 }, (error, out, err) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? 1 : 0, out, err }),
    );
  });
}
