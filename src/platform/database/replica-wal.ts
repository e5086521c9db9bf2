import { setTimeout as sleep } from 'node:timers/promises';
import type { pg } from './driver.ts';
import { withClient } from './pool.ts';

/** Up to where a server's log is: what was committed before is before it. */
export interface LogPosition {
  readonly bytes: bigint;
  /** Begins anew with each server that takes the place of another. */
  readonly timeline: number;
}

/**
 * Asks the primary up to where its log is on disk, one question at a time: who come while one is under way share the next, which
 * is asked after all of them came. On disk is what was confirmed to anybody, or is visible. What is only written to memory
 * (pg_current_wal_insert_lsn) reaches no replica until somebody else commits.
 */
export function positionOf(primary: pg.Pool): () => Promise<LogPosition> {
  let last: Promise<unknown> = Promise.resolve();
  let next: Promise<LogPosition> | undefined;
  return () => {
    next ??= last.then(() => {
      const asked = withClient(primary, selectPosition);
      last = asked.catch(() => {});
      next = undefined;
      return asked;
    });
    return next;
  };
}

async function selectPosition(client: pg.PoolClient): Promise<LogPosition> {
  const { rows } = await client.query<{ position: string; file: string }>(
    `SELECT pg_current_wal_flush_lsn() AS position, pg_walfile_name(pg_current_wal_flush_lsn()) AS file`,
  );
  const [{ position, file }] = rows as [{ position: string; file: string }];
  return { bytes: bytesOf(position), timeline: Number.parseInt(file.slice(0, 8), 16) };
}

/** Waits until this server has replayed the log up to there; false: not in time, or it is no replica. */
export async function replays(client: pg.PoolClient, position: bigint, waitMs: number): Promise<boolean> {
  if ((replayed.get(client) ?? -1n) >= position) return true;
  const until = performance.now() + waitMs;
  for (let pause = 1; ; pause = Math.min(2 * pause, MAX_PAUSE_MS)) {
    // A server that says nothing is as one that is behind; its connection is given up.
    const wanted = { text: REPLAYED, query_timeout: ANSWER_MS };
    const { rows } = await client.query<{ replayed: string | null }>(wanted);
    const reached = rows[0]!.replayed;
    if (reached === null) return false;
    replayed.set(client, bytesOf(reached));
    if (bytesOf(reached) >= position) return true;
    if (performance.now() + pause > until) return false;
    await sleep(pause);
  }
}

/** How far the server of a connection was when it was last asked. */
const replayed = new WeakMap<pg.PoolClient, bigint>();

/** After a promotion nothing is replayed any more, and the position stays. */
const REPLAYED = `SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() END AS replayed`;

/** Which timeline the server has reached by what it has written to disk, which may be minutes after what it replays. */
export async function timelineOf(client: pg.PoolClient): Promise<number> {
  const { rows } = await client.query<{ timeline: number }>(
    `SELECT GREATEST(pg_control_checkpoint.timeline_id, pg_control_recovery.min_recovery_end_timeline) AS timeline
       FROM pg_control_checkpoint(), pg_control_recovery()`,
  );
  return rows[0]!.timeline;
}

const MAX_PAUSE_MS = 8;
const ANSWER_MS = 1_000;

function bytesOf(position: string): bigint {
  const [high, low] = position.split('/') as [string, string];
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}
