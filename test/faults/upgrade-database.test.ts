import { existsSync } from 'node:fs';
import { appendFile, chmod, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { withOwnerConnection } from '../../src/platform/database/connections.ts';
import { migrate } from '../../src/platform/database/migrate.ts';
import { readContents } from '../../src/platform/database/table-contents.ts';
import { postgresBinariesIn } from '../../src/platform/embedded-postgres/binaries.ts';
import { createCluster, ensureDatabase } from '../../src/platform/embedded-postgres/cluster.ts';
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres/embedded-postgres.ts';
import { anyPort, launch } from '../../src/platform/embedded-postgres/launch.ts';
import { DATABASE, prepare, urlOf } from '../../src/platform/embedded-postgres/server.ts';
import { stopServer } from '../../src/platform/embedded-postgres/stop.ts';
import { runAdminWith } from '../support/admin-command.ts';
import { expectBalances } from '../support/balances.ts';
import { createBank } from '../support/banks.ts';
import { book, post } from '../support/books.ts';
import { quickFolder } from '../support/memory-disk.ts';
import { openMonth } from '../support/months.ts';
import { OwnProcess } from '../support/own-process.ts';
import { hasTool } from '../support/system-tools.ts';

// A data folder made by the system's older PostgreSQL, with books in it, is brought to the program's own.

const OLD_PROGRAMS = '/usr/lib/postgresql/15/bin';
const PASSWORD = '0123456789abcdef0123456789abcdef0123456789abcdef';
const isThere = hasTool(`${OLD_PROGRAMS}/postgres`, { reason: 'no older data folder can be made' });

vi.setConfig({ testTimeout: 180_000 });

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(quickFolder(), 'partidas-upgrade-'));
  await chmod(dataDir, 0o755);
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

test.runIf(isThere)('every row is equal, the older folder stays, settings and password go along', async () => {
  const server = await oldServer();
  await createCluster(server, PASSWORD);
  await appendFile(join(server.pgdata, 'postgresql.conf'), "work_mem = '5MB'\n");
  // The program itself adopts the older version while its programs are there.
  const { program, admin } = await OwnProcess.on(dataDir, { PATH: `${OLD_PROGRAMS}:${process.env.PATH}` });
  const bank = await createBank(admin);
  await openMonth(admin, bank, '01/2026');
  await post(admin, bank, book`05/01 1.1.2 D 1.000,00 3.1 "Aporte ção"`);
  const before = await program.asOwner(readContents);
  await program.asOwner(async (client) => {
    const { rows } = await client.query('SHOW server_version_num');
    expect(rows[0].server_version_num).toMatch(/^15/);
    await client.query('CREATE TABLE of_people (kept text)');
  });
  const running = await runAdminWith({ DATA_DIR: dataDir }, ['upgrade-database']);
  expect(running.err.trim()).toBe('the program is running: stop it first');
  await program.end('SIGTERM');
  const foreign = await runAdminWith({ DATA_DIR: dataDir }, ['upgrade-database']);
  expect(foreign.err).toContain('not the program’s and would be lost: public.of_people');
  await onOld(async (url) => {
    await withOwnerConnection(url, (client) => client.query('DROP TABLE of_people'));
  });
  const { code, out, err } = await runAdminWith({ DATA_DIR: dataDir }, ['upgrade-database']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toMatch(/^from PostgreSQL 15\.\d+ to (1[6-9]|[2-9]\d)\S*\n\d+ rows of \d+ tables are equal\ndone; /);
  expect((await readdir(dataDir)).filter((name) => name.startsWith('postgres')).sort()).toEqual([
    'postgres',
    'postgres.15',
    'postgres.log',
  ]);
  const upgraded = await startEmbeddedPostgres({ dataDir });
  try {
    await withOwnerConnection(upgraded.connectionString, async (client) => {
      const { rows } = await client.query(`SELECT current_setting('work_mem') AS memory`);
      expect(rows).toEqual([{ memory: '5MB' }]);
      // What the program of before still wrote while it ended.
      const { audit: _, ...books } = await readContents(client);
      const { audit: __, ...kept } = before;
      expect(books).toEqual(kept);
    });
    expect(new URL(upgraded.connectionString).password).toBe(PASSWORD);
  } finally {
    await upgraded.stop();
  }
  const { program: after, admin: again } = await OwnProcess.on(dataDir);
  await expectBalances(
    again,
    bank,
    '01/2026',
    `
    account  opening  debit     credit    balance
    1.1.2    0,00     1.000,00  0,00      1.000,00 D
    3.1      0,00     0,00      1.000,00  1.000,00 C
    `,
  );
  await post(again, bank, book`06/01 1.1.2 D 1,00 3.1 "Depois"`);
  await after.end('SIGTERM');
});

test.runIf(isThere)('killed between its two renames: no empty database is made, and the next run goes on', async () => {
  const already = await runAdminWith({ DATA_DIR: dataDir }, ['upgrade-database']);
  expect(already.out).toMatch(/^the database is of PostgreSQL \S+ already\n$/);
  await rm(join(dataDir, 'postgres'), { recursive: true });
  await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(/an upgrade was interrupted/);
  const { code, err } = await runAdminWith({ DATA_DIR: dataDir }, ['upgrade-database']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(existsSync(join(dataDir, 'postgres.15'))).toBe(true);
  await rename(join(dataDir, 'postgres.15'), join(dataDir, 'elsewhere'));
});

async function oldServer() {
  const server = await prepare(dataDir, () => {}, false);
  return { ...server, ...(await postgresBinariesIn(OLD_PROGRAMS, server.owner))! };
}

/** Works on the older server while no program runs. */
async function onOld(work: (url: string) => Promise<void>): Promise<void> {
  const server = await oldServer();
  const port = await anyPort();
  expect(await launch(server, port)).toBeUndefined();
  try {
    await ensureDatabase(port, PASSWORD);
    await migrate(urlOf(port, PASSWORD, DATABASE));
    await work(urlOf(port, PASSWORD, DATABASE));
  } finally {
    await stopServer(server);
  }
}
