/** Time limits of statements by kind of work. A probe asks how the database is, on connections kept for it. */
export type Work = 'probe' | 'request' | 'read' | 'import' | 'job';

/** In milliseconds. */
export interface TimeLimits {
  readonly statement: number;
  /** How long a statement waits for one lock. */
  readonly lock: number;
  /** How long a transaction may keep its locks without sending anything. */
  readonly idle: number;
}

/** Seconds that a statement of each kind of work may take; `lock` and `idle` apply to requests. */
export type TimeLimitSeconds = Readonly<Record<Exclude<Work, 'probe'> | 'lock' | 'idle', number>>;

export const DEFAULT_SECONDS: TimeLimitSeconds = { request: 30, read: 60, import: 600, job: 1800, lock: 15, idle: 60 };

/** Whoever asks for health wants to know it now. */
const PROBE_MS = 2_000;

/** Imports and jobs may wait as long as they may work. */
export function timeLimitsOf(seconds: TimeLimitSeconds): Readonly<Record<Work, TimeLimits>> {
  const waiting = { lock: seconds.lock * 1_000, idle: seconds.idle * 1_000 };
  const patient = (limit: number) => ({ statement: limit * 1_000, lock: limit * 1_000, idle: limit * 1_000 });
  return {
    probe: { statement: PROBE_MS, lock: PROBE_MS, idle: PROBE_MS },
    request: { statement: seconds.request * 1_000, ...waiting },
    read: { statement: seconds.read * 1_000, ...waiting },
    import: patient(seconds.import),
    job: patient(seconds.job),
  };
}

/** Settings of a connection. */
export function settingsOf({ statement, lock, idle }: TimeLimits): string[] {
  return [`statement_timeout=${statement}`, `lock_timeout=${lock}`, `idle_in_transaction_session_timeout=${idle}`];
}

/** The commands that set limits until the end of a transaction, but for those that its connection has already. */
export function limitCommands(limits: TimeLimits, ofConnection: TimeLimits | undefined): string[] {
  const has = new Set(ofConnection === undefined ? [] : settingsOf(ofConnection));
  return settingsOf(limits).flatMap((each) => (has.has(each) ? [] : [`SET LOCAL ${each}`]));
}
