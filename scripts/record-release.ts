import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// npm run record-release: keeps what later versions are held to, for the version of package.json: the documents
// (test/openapi), the checksums of its migrations (migrations/checksums.txt), and books that its program made (test/upgrade). Wants
// the programs of a PostgreSQL with pg_dump (PG_BIN, else Debian's 15).

const root = fileURLToPath(new URL('..', import.meta.url));
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

run('scripts/openapi.ts', `test/openapi/${version}`, '--compact');
run('node_modules/vitest/vitest.mjs', 'run', 'test/upgrade/record-release.test.ts');
console.log(`record-release: ${version} is kept`);

function run(...words: readonly string[]): void {
  const env = { ...process.env, RECORD_RELEASE: version };
  const { status } = spawnSync(process.execPath, words, { cwd: root, env, stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}
