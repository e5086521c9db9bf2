import type { pg } from './driver.ts';
import { DatabaseLost, SQLSTATE, StatementCancelled, sqlState, TransactionBusy } from './errors.ts';
import { type PoolSettings, poolOf, withClient } from './pool.ts';
import type { ReadOutcome, ReplicaHealth } from './replica-health.ts';
import { type LogPosition, replays, timelineOf } from './replica-wal.ts';
import { holdsConnection, type Lend, lendFrom } from './second-connections.ts';
import { endSilent } from './silent-connections.ts';
import type { Statement } from './statement.ts';
import { cancelStatements, clientsHeld, selectWorking } from './working-statements.ts';

/** A copy of the primary that follows it and answers reads (docs/decisions/0059). */
export interface Replica {
  /**
   * Does a read on the replica, once that has replayed whatever was confirmed before; where it cannot, on the primary. What a
   * conflict with the replay or the loss of the replica breaks off begins anew there, as does a statement that writes.
   */
  read<T>(onReplica: (lend: Lend) => Promise<T>, onPrimary: () => Promise<T>, statement?: Statement): Promise<T>;
  cancel(): Promise<void>;
  close(): Promise<void>;
}

interface ReplicaParts {
  readonly health: ReplicaHealth;
  /** Up to where the primary's log is. */
  readonly position: () => Promise<LogPosition>;
  /** By which second connections know who has a first one. */
  readonly identity: object;
}

export function openReplica(options: PoolSettings, { health, position, identity }: ReplicaParts): Replica {
  const settings = { ...options, acceptsStandby: true, connectionTimeoutMillis: CONNECT_MS };
  const pool = poolOf(settings);
  const probes = poolOf({ ...settings, max: 1, query_timeout: PROBE_MS });
  const held = clientsHeld([pool]);
  const silence = endSilent(held, (processes) => selectWorking(probes, processes));
  const lend = lendFrom(pool, pool, identity);
  const writing = new TextsThatWrite();
  const follows = followsPrimary(position, probes);

  const note = (outcome: ReadOutcome, error: unknown) => {
    health.count(outcome);
    if (outcome === 'behind') health.isBehind(follows.now);
    if (outcome === 'lost') health.goesAway(`does not answer: ${reasonIn(error)}`, follows.now);
  };
  return {
    async read(onReplica, onPrimary, statement) {
      if (holdsConnection(identity) || writing.includes(statement)) return onPrimary();
      // Where the primary does not answer, the read finds that out.
      const needed = health.isAway ? undefined : await position().catch(() => undefined);
      if (needed === undefined) {
        health.count('away');
        return onPrimary();
      }
      let hasBegun = false;
      try {
        await follows.assertTimeline(needed);
        const result = await onReplica((work) =>
          lend(async (client) => {
            if (!(await replays(client, needed.bytes, MAX_WAIT_MS))) throw new Behind();
            hasBegun = true;
            return work(client);
          }),
        );
        health.isWell();
        health.count('replica');
        return result;
      } catch (error) {
        const outcome = outcomeOf(error, hasBegun);
        if (outcome === undefined) throw error;
        note(outcome, error);
        if (outcome === 'unsuitable') writing.add(statement);
      }
      return onPrimary();
    },
    cancel: () => cancelStatements(probes, held, options.pooler),
    close: async () => {
      silence.stop();
      await Promise.all([pool.end(), probes.end()]);
    },
  };
}

/**
 * Whether the replica follows the server that is the primary now. One that still follows a server that was given up may have
 * replayed more than its successor has, none of it the same.
 */
function followsPrimary(position: () => Promise<LogPosition>, probes: pg.Pool) {
  let known: number | undefined;
  return {
    assertTimeline: async ({ timeline }: LogPosition) => {
      known ??= await withClient(probes, timelineOf);
      if (known !== timeline) throw new DatabaseLost('it does not follow the server that is the primary now');
    },
    /** What is asked when reads go elsewhere. */
    now: async () => {
      if (probes.ending) return undefined;
      const needed = await position();
      return withClient(probes, async (client) => {
        if (!(await replays(client, needed.bytes, MAX_WAIT_MS))) return false;
        known = await timelineOf(client);
        return known === needed.timeline;
      });
    },
  };
}

/** Longest wait for a replica to replay what was confirmed, and for a connection to it: the primary can answer, too. */
const MAX_WAIT_MS = 50;
const CONNECT_MS = 500;
const PROBE_MS = 1_000;

class Behind extends Error {}

/** Why the primary has to answer; undefined: the failure is the read's own. */
function outcomeOf(error: unknown, hasBegun: boolean): ReadOutcome | undefined {
  if (error instanceof Behind) return 'behind';
  if (isReplayConflict(error)) return 'conflict';
  if (!hasBegun && error instanceof TransactionBusy) return 'busy';
  if (!hasBegun || error instanceof DatabaseLost) return 'lost';
  return NOT_ON_A_REPLICA.has(sqlState(error) ?? '') ? 'unsuitable' : undefined;
}

/** What was read is being removed by the replay. A cancelled statement has a detail only then. */
function isReplayConflict(error: unknown): boolean {
  const own = error instanceof DatabaseLost || error instanceof StatementCancelled ? error.cause : error;
  const state = sqlState(own);
  if (state === SQLSTATE.QUERY_CANCELED) return (own as { detail?: string }).detail !== undefined;
  return state === SQLSTATE.SERIALIZATION_FAILURE || state === SQLSTATE.DEADLOCK_DETECTED;
}

/** Writing, tables without a log, and functions that need the primary. */
const NOT_ON_A_REPLICA: ReadonlySet<string> = new Set([
  SQLSTATE.READ_ONLY_TRANSACTION,
  SQLSTATE.FEATURE_NOT_SUPPORTED,
  SQLSTATE.OBJECT_NOT_IN_PREREQUISITE_STATE,
]);

function reasonIn(error: unknown): string {
  const { cause, message } = error as Error;
  return (cause instanceof Error ? cause.message : message).split('\n')[0]!;
}

/** Statements that are the primary's: those that say so, and those that a replica has rejected. */
class TextsThatWrite {
  readonly #rejected = new Set<string>();

  includes(statement: Statement | undefined): boolean {
    return statement !== undefined && (!READS.test(statement.text) || this.#rejected.has(statement.text));
  }

  add(statement: Statement | undefined): void {
    if (this.#rejected.size >= MAX_REJECTED) this.#rejected.clear();
    if (statement !== undefined) this.#rejected.add(statement.text);
  }
}

/** A statement that begins so and writes all the same is rejected by the replica. */
const READS = /^\s*(SELECT|WITH|VALUES)\b/;
const MAX_REJECTED = 1_000;
