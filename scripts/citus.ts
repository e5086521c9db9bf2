import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

// npm run citus -- URL [FILES]: on a Citus cluster, of which URL names a database of the coordinator that knows its workers, as a
// superuser: what work costs beside one server, the loss of a worker, races, a year's books against another reckoning, and the
// contract tests. Each test has a database of its own on every node (test/support/citus-cluster.ts).

const [url, ...files] = process.argv.slice(2);
if (url === undefined || !/^postgres(ql)?:\/\//.test(url)) {
  console.error(
    'citus: no cluster is given, and nothing was tried\nusage: npm run citus -- postgresql://postgres:…@coordinator:5432/postgres [test/contract/movements.test.ts …]',
  );
  process.exit(2);
}
const COSTS = 'test/cluster/costs.test.ts';
const CHOSEN = ['test/cluster', 'test/faults/race.test.ts', 'test/oracle', 'test/contract'];

if (files.length === 0) run('On one server:', ['run', COSTS], { BESIDE_A_CLUSTER: '1' });
process.exitCode = run(
  'On the cluster:',
  ['run', '--config', 'vitest.citus.config.ts', ...(files.length > 0 ? files : CHOSEN)],
  { BESIDE_A_CLUSTER: '1', CITUS_URL: url },
);

function run(title: string, words: readonly string[], environment: Readonly<Record<string, string>>): number {
  console.log(title);
  const { status } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', ...words], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    env: { ...process.env, ...environment },
    stdio: 'inherit',
  });
  return status ?? 1;
}
