import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Without the packages. */
const PARTS = [
  'package.json',
  'package-lock.json',
  '.npmrc',
  '.nvmrc',
  '.env.example',
  'LICENSE',
  'CHANGELOG.md',
  'docs/operator.md',
  'migrations',
  'scripts',
  'src',
  'console/dist',
];

/** What runs, and nothing that is for development alone; the pages of the console if they have been built. */
export function copyProgram(folder: string): void {
  for (const part of PARTS.filter((each) => existsSync(join(root, each)))) {
    cpSync(join(root, part), join(folder, part), { recursive: true, filter: (path) => !path.endsWith('.test.ts') });
  }
}
