import { type Context, contextOn } from '../src/platform/context.ts';
import type { Database } from '../src/platform/database/database.ts';
import { SYSTEM_SCOPE } from '../src/platform/database/system-scope.ts';
import { openLog } from '../src/platform/log.ts';

/** Commands on this machine run as an administrator; the trail records the command line. */
export async function commandLineContext(database: Database): Promise<Context> {
  return contextOn(database, SYSTEM_SCOPE, {
    caller: { id: 0, username: 'command line', admin: true },
    // A running program notices within seconds.
    wakeJobs: () => {},
    rightsChanged: () => {},
    now: () => new Date(),
    address: 'command line',
    log: await openLog('command-line', { dataDir: '', level: 'info', silent: true }),
  });
}
