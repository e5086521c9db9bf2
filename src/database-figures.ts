import { selectVerifyFigures } from './features/closing/verify/verify-figures.read.sql.ts';
import { selectArchiver } from './features/operations/archiver.read.sql.ts';
import { selectCleanedTables } from './features/operations/cleanup/cleaned-tables.read.sql.ts';
import { selectWaitingJobs } from './features/operations/jobs/jobs.sql.ts';
import { selectBacklog } from './features/operations/webhooks/deliveries.sql.ts';
import { openDatabase } from './platform/database/database.ts';
import type { LoginUrls } from './platform/database/logins.ts';
import type { Pooler } from './platform/database/poolers.ts';
import { systemSql } from './platform/database/system-scope.ts';
import { DEFAULT_SECONDS } from './platform/database/time-limits.ts';

/** A lock that somebody holds for long must cost one metric, not those that are read after it. */
const LIMITS = { ...DEFAULT_SECONDS, request: 1, lock: 0.2 };

/**
 * What the metrics show of the database, read on one connection of its own: they come while the pools are at their end, and
 * never take of them. The login of the authentication service sees neither jobs, events nor what was verified: a process
 * that has no other shows none.
 */
export function openDatabaseFigures(logins: LoginUrls, pooler: Pooler) {
  const database = openDatabase((logins.app ?? logins.reader ?? logins.auth)!, {
    max: 1,
    limits: LIMITS,
    connectMs: 1_000,
    pooler,
  });
  const sql = systemSql(database);
  const seesBooks = logins.app !== undefined || logins.reader !== undefined;
  const ofBooks =
    <Found>(read: () => Promise<Found>) =>
    async () =>
      seesBooks ? read() : undefined;
  return {
    sources: {
      jobs: ofBooks(() => selectWaitingJobs(sql)),
      webhooks: ofBooks(() => selectBacklog(sql)),
      verify: ofBooks(() => selectVerifyFigures(sql)),
      archiver: () => selectArchiver(sql),
      tables: () => selectCleanedTables(sql),
    },
    close: () => database.close(),
  };
}
