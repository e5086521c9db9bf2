import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

// npm run citus -- URL [FILES]: the contract tests on a Citus cluster, of which URL names a database of the coordinator that knows its
// workers, as a superuser. Each test has a database of its own on every node (test/support/citus-cluster.ts).

const [url, ...files] = process.argv.slice(2);
if (url === undefined || !/^postgres(ql)?:\/\//.test(url)) {
  console.error(
    'citus: no cluster is given, and nothing was tried\nusage: npm run citus -- postgresql://postgres:…@coordinator:5432/postgres [test/contract/movements.test.ts …]',
  );
  process.exit(2);
}
const words = ['run', '--config', 'vitest.citus.config.ts', ...(files.length > 0 ? files : ['test/contract'])];
const { status } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', ...words], {
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  env: { ...process.env, CITUS_URL: url },
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
