import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

// npm run check: all checks of the tree, fastest first. With --static: without the tests. (Those of the console's types
// need its typed client, which precheck writes.)
const STATIC = {
  'format and lint': ['@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'],
  types: ['typescript/bin/tsc', '--noEmit', '-p', '.'],
  'types of the console': ['typescript/bin/tsc', '--noEmit', '-p', 'console'],
  'regular expressions': ['eslint/bin/eslint.js', '--max-warnings', '0', 'src'],
  directions: [
    'dependency-cruiser/bin/dependency-cruiser.mjs',
    '--config',
    '.dependency-cruiser.cjs',
    'src',
    'console',
  ],
  'unused files, exports, packages': ['knip/bin/knip.js'],
  'used by tests alone': ['knip/bin/knip.js', '--production'],
  'written twice': ['jscpd/bin/jscpd'],
};
const TESTS = { tests: ['vitest/vitest.mjs', 'run', '--exclude', 'test/trust/**'] };

const root = fileURLToPath(new URL('..', import.meta.url));
const steps = Object.entries(process.argv.includes('--static') ? STATIC : { ...STATIC, ...TESTS });
const failed = steps.filter(([name, command]) => !passes(name, command)).map(([name]) => name);
console.log(failed.length === 0 ? 'check: all passed' : `check: failed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;

/** Runs one tool of node_modules on this very Node and says how long it took; its output is above. */
function passes(name: string, [tool, ...args]: string[]): boolean {
  const began = performance.now();
  const { status } = spawnSync(process.execPath, [`node_modules/${tool}`, ...args], { cwd: root, stdio: 'inherit' });
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`check: ${name} ${status === 0 ? 'passed' : 'FAILED'} in ${seconds} s`);
  return status === 0;
}
