import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { type JobHandlers, startWorkers, type Workers } from '../../src/features/operations/jobs/jobs.ts';
import { withOwnerConnection } from '../../src/platform/database/connections.ts';
import { type Database, openDatabase } from '../../src/platform/database/database.ts';
import { SQL } from '../../src/platform/database/statement.ts';
import { SYSTEM_SCOPE } from '../../src/platform/database/system-scope.ts';
import type { Log } from '../../src/platform/log.ts';
import { createBank } from '../support/banks.ts';
import { type Platform, startPlatform } from '../support/platform.ts';

// A process whose job has failed lets its lock go before it can say so: another one may have begun the job anew.

const SILENT = { warn() {}, error() {} } as unknown as Log;

let platform: Platform;
const databases: Database[] = [];
const workers: Workers[] = [];
beforeAll(async () => {
  platform = await startPlatform({ JOBS: 'off' });
});
afterAll(async () => {
  for (const each of workers) await each.stop();
  for (const database of databases) await database.close();
  await platform?.stop();
});

test('a failure that is told late does not replace what another process has done since', async () => {
  const { companyId } = await createBank(platform.admin);
  const rows = (text: string) =>
    withOwnerConnection(platform.ownerUrl, async (owner) => (await owner.query(text)).rows);
  await rows(`INSERT INTO job (company_id, kind, requested_by) VALUES (${companyId}, 'REPORT', 'admin')`);
  const told = Promise.withResolvers<void>();
  let isDone = false;
  work(
    1,
    async () => Promise.reject(new Error('this process has no room left')),
    (database) => {
      // Its only connection is busy: what it has to say waits.
      void database
        .under(SYSTEM_SCOPE)
        .run(SQL`SELECT pg_sleep(3)`)
        .then(() => told.resolve());
      work(4, async () => {
        isDone = true;
        return { bytes: 1 };
      });
    },
  );
  await told.promise;
  expect(isDone).toBe(true);
  // After the pause the failure was told at once.
  for (const each of workers.splice(0)) await each.stop();
  expect(await rows('SELECT status, message, attempts FROM job')).toEqual([
    { status: 'DONE', message: null, attempts: 2 },
  ]);
});

/** A process that works on jobs, on so many connections. */
function work(connections: number, run: () => Promise<unknown>, fails: (database: Database) => void = () => {}): void {
  const { program } = platform;
  const database = openDatabase(program.logins.app!, { max: connections, name: 'partidas-test' }).doing('job');
  databases.push(database);
  const handlers = { REPORT: { payload: z.unknown(), run } } as unknown as JobHandlers;
  workers.push(
    startWorkers({
      ...{ database, handlers, log: SILENT, metrics: program.app.metrics, now: () => new Date() },
      lanes: [{ kinds: ['REPORT'], workers: 1 }],
      describe: (error) => {
        fails(database);
        return String(error);
      },
    }),
  );
}
