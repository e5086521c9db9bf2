import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { test, vi } from 'vitest';
import { postgresBinariesIn } from '../../src/platform/embedded-postgres/binaries.ts';
import { createCluster } from '../../src/platform/embedded-postgres/cluster.ts';
import { prepare } from '../../src/platform/embedded-postgres/server.ts';
import { OwnProcess } from '../support/own-process.ts';
import { figuresOf, makeReleasedBooks } from '../support/released-books.ts';
import { emptyDataDir, KEPT, UPGRADES, writeRelease } from '../support/releases.ts';

// What `npm run record-release` keeps besides the documents, by the real program.

vi.setConfig({ testTimeout: 240_000 });

/** Has `pg_dump`, which the embedded server has not, and a server that it can dump. */
const PROGRAMS = process.env.PG_BIN ?? '/usr/lib/postgresql/15/bin';
const { RECORD_RELEASE } = process.env;

test('books of this version are kept', async () => {
  await writeRelease(RECORD_RELEASE!);
  const dataDir = await emptyDataDir();
  const server = await prepare(dataDir, () => {}, false);
  await createCluster(
    { ...server, ...(await postgresBinariesIn(PROGRAMS, server.owner))! },
    randomBytes(24).toString('hex'),
  );
  const { program, admin } = await OwnProcess.on(dataDir, { PATH: `${PROGRAMS}:${process.env.PATH}` });
  try {
    await makeReleasedBooks(admin);
    const kept = join(UPGRADES, RECORD_RELEASE!);
    await mkdir(kept, { recursive: true });
    await writeFile(join(kept, KEPT.figures), `${JSON.stringify(await figuresOf(admin), null, 2)}\n`);
    await copyFile(join(dataDir, KEPT.publicKeys), join(kept, KEPT.publicKeys));
    const words = ['--no-owner', '--inserts', '--rows-per-insert=500', '--dbname', await program.ownerUrl()];
    const { stdout } = await promisify(execFile)(join(PROGRAMS, 'pg_dump'), words, { maxBuffer: 1e9 });
    // psql's own commands around the statements are for psql alone.
    await writeFile(join(kept, KEPT.books), gzipSync(stdout.replace(/^\\.*$/gm, ''), { level: 9 }));
  } finally {
    await program.remove();
  }
});
