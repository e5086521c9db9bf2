import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';

// Makes the pages of the console: console/generated (the typed client, and what the forms are made of) and console/dist
// (static files, a `.br` beside each). What is there already and fits the sources stays, so that a start is not held up.
// --types: what is generated alone.

const root = fileURLToPath(new URL('..', import.meta.url));
const generated = join(root, 'console/generated');
const dist = join(root, 'console/dist');
/** Holds the hash of what a folder was made of. */
const MARK = '.made-of';
const FONT_LICENCE = 'node_modules/@fontsource-variable/ibm-plex-sans/LICENSE';
const COMPRESSED = /\.(?:js|css|html|svg|txt|csv)$/;

if (isInstalled('openapi-typescript') && isInstalled('vite')) {
  await make(
    generated,
    ['src/**/*.ts', 'client/{src/*,write-source,operations-of}.ts', 'scripts/write-forms.ts', 'package-lock.json'],
    writeClient,
  );
  if (!process.argv.includes('--types')) {
    const sources = [
      'console/**/*.{ts,tsx,css,html,json,svg}',
      'src/{accounting,seeds}/**/*.{ts,csv}',
      'package-lock.json',
    ];
    await make(dist, [...sources, 'scripts/build-console.ts'], build);
  }
} else if (markOf(dist) === undefined) {
  console.log('console: Vite is not installed; npm install --include=dev brings it, and the services start without it');
} else {
  console.log('console: Vite is not installed; the pages that were built are served');
}

/** Makes the folder unless it was made of these very sources. It appears at once, whole. */
async function make(
  folder: string,
  sources: readonly string[],
  maker: (folder: string) => Promise<void>,
): Promise<void> {
  const hash = hashOf(sources);
  if (markOf(folder) === hash) return;
  const aside = join(root, 'node_modules/.cache', `console-${process.pid}`);
  const made = join(aside, 'made');
  mkdirSync(made, { recursive: true });
  await maker(made);
  writeFileSync(join(made, MARK), hash);
  if (existsSync(folder)) renameSync(folder, join(aside, 'before'));
  renameSync(made, folder);
  rmSync(aside, { recursive: true });
}

function markOf(folder: string): string | undefined {
  const mark = join(folder, MARK);
  return existsSync(mark) ? readFileSync(mark, 'utf8') : undefined;
}

function hashOf(patterns: readonly string[]): string {
  const hash = createHash('sha256');
  const exclude = (path: string) => path.startsWith('console/dist') || path.endsWith('.test.ts');
  const files = globSync(patterns, { cwd: root, exclude });
  for (const file of files.sort()) hash.update(file).update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

async function writeClient(folder: string): Promise<void> {
  const { writeClientSource } = await import('../client/write-source.ts');
  await writeClientSource(join(folder, 'client'));
  const { writeForms } = await import('./write-forms.ts');
  writeForms(join(folder, 'forms'));
}

async function build(folder: string): Promise<void> {
  const began = performance.now();
  // Tests, which have another value, try what users get.
  process.env.NODE_ENV = 'production';
  const vite = await import('vite');
  const configFile = join(root, 'console/vite.config.ts');
  await vite.build({ configFile, logLevel: 'warn', build: { outDir: folder } });
  // Whoever passes the fonts on passes their licence on with them.
  copyFileSync(join(root, FONT_LICENCE), join(folder, 'ibm-plex-sans-licence.txt'));
  const files = globSync('**/*', { cwd: folder }).filter((file) => COMPRESSED.test(file));
  await Promise.all(files.map((file) => compress(join(folder, file))));
  console.log(`console: built in ${((performance.now() - began) / 1_000).toFixed(1)} s`);
}

async function compress(file: string): Promise<void> {
  const bytes = readFileSync(file);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  writeFileSync(`${file}.br`, await promisify(brotliCompress)(bytes, { params }));
}

function isInstalled(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(name);
    return true;
  } catch {
    return false;
  }
}
