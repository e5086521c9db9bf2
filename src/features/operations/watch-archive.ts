import type { Sql } from '../../platform/database/sql.ts';
import type { Log } from '../../platform/log.ts';
import { startTurns, type Turns } from '../../platform/turns.ts';
import { selectArchiver } from './archiver.read.sql.ts';

const EVERY_MS = 5_000;

/** Says once in the log that the archive of the database's log takes nothing, and once that it takes it again. */
export function startArchiveWatch(
  sql: Sql,
  unarchived: () => Promise<number | undefined>,
  log: Pick<Log, 'error' | 'info'>,
): Turns {
  let wasFailing = false;
  return startTurns(async () => {
    // While the database is away, others say so.
    const found = await selectArchiver(sql).catch(() => undefined);
    if (found === undefined || found.failing === wasFailing) return EVERY_MS;
    wasFailing = found.failing;
    const waitingBytes = await unarchived();
    if (wasFailing) {
      log.error(
        { failures: found.failures, waitingBytes },
        'the archive takes nothing of the log of the database: it waits',
      );
    } else log.info({ waitingBytes }, 'the archive takes the log of the database again');
    return EVERY_MS;
  });
}
