import { randomBytes } from 'node:crypto';
import type { Database } from '../../../platform/database/database.ts';
import { systemSql } from '../../../platform/database/system-scope.ts';
import { sendWithin } from '../../../platform/fetch-within.ts';
import type { Log } from '../../../platform/log.ts';
import { TimestampError, timestampRequest, timestampToken } from '../../../platform/timestamp.ts';
import { startTurns, type Turns } from '../../../platform/turns.ts';
import { insertTimestamp, selectUnstamped } from './timestamps.sql.ts';

const EVERY_MS = 60_000;
const MAX_WAIT_MS = 60 * 60_000;
/** Seals to a turn, and what an authority may take for each. */
const PIECE = 20;
const LIMITS = { milliseconds: 15_000, bytes: 256 * 1024 };

export interface TimestampOptions {
  readonly database: Database;
  /** SEAL_TIMESTAMP_URL. */
  readonly address: string;
  readonly log: Log;
}

/**
 * Asks the authority for timestamps of seals that have none, now and every minute; after a failure less and less often,
 * hourly at last. Closes never wait for it.
 */
export function startTimestamps(options: TimestampOptions): Turns {
  let wait = EVERY_MS;
  return startTurns(async () => {
    try {
      await timestampSeals(options);
      wait = EVERY_MS;
    } catch (error) {
      options.log.warn({ err: error }, 'seals get no timestamp');
      wait = Math.min(2 * wait, MAX_WAIT_MS);
    }
    return wait;
  });
}

/** One turn: the newest seals first. @throws Error as soon as one gets none */
export async function timestampSeals({ database, address }: TimestampOptions): Promise<void> {
  const system = systemSql(database);
  for (const { seal, ...key } of await selectUnstamped(system, PIECE)) {
    const nonce = randomBytes(16);
    const { status, bytes } = await sendWithin(address, LIMITS, {
      method: 'POST',
      headers: { 'content-type': 'application/timestamp-query', accept: 'application/timestamp-reply' },
      body: timestampRequest(seal, nonce),
    });
    if (status !== 200) throw new TimestampError(`the authority answered ${status}`);
    await insertTimestamp(system, key, timestampToken(bytes, seal, nonce));
  }
}
