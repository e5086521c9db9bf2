import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Database } from './database/database.ts';
import type { DiskSpace } from './disk-space.ts';
import { lostLines } from './gathered-lines.ts';
import { promptly } from './promptly.ts';

export type Metrics = ReturnType<typeof openMetrics>;

/** What is looked at when the metrics are read. */
interface Sources {
  readonly build: Readonly<Record<'version' | 'node', string>>;
  /** Jobs that wait, and how many seconds the oldest of them has. */
  readonly jobs: () => Promise<{ waiting: number; oldest: number } | undefined>;
  readonly webhooks: () => Promise<{ waiting: number; dead: number; oldest: number; unpublished: number } | undefined>;
  /** How the database's log is archived; undefined where it is not. */
  readonly archiver: () => Promise<{ failures: number; failing: boolean; age: number } | undefined>;
  /** Bytes of the database's log that wait for the archive; undefined where this process does not see them. */
  readonly unarchived: () => Promise<number | undefined>;
  /** What the last verification of the books found; undefined where the process does not see it. */
  readonly verify: () => Promise<{ differences: number; age: number | null; seconds: number | null } | undefined>;
  /** Tables whose old rows are removed. */
  readonly tables: () => Promise<readonly { table: string; rows: number; bytes: number }[]>;
  /** The disk of DATA_DIR. */
  readonly disk: DiskSpace['measure'];
  readonly hashes: () => number;
  readonly requests: () => Readonly<Record<string, { running: number; waiting: number }>>;
  readonly gate: () => { readonly inHand: number; readonly rejected: number } | undefined;
  /** Reads that a replica could answer, by who did; undefined where there is none. */
  readonly replica: () => { readonly isAway: boolean; readonly reads: Readonly<Record<string, number>> } | undefined;
  /** How many by reason since the start. */
  readonly signInFailures: () => Readonly<Record<string, number>>;
}

/** Measures of one program; every service shows them all. No label ever carries a tenant. */
export function openMetrics(databases: readonly Database[], sources: Sources) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  addProcessMetrics(registry, databases, sources);
  addReplicaMetrics(registry, sources);
  addDatabaseMetrics(registry, sources);
  return {
    registry,
    rendered: throttleToSecond(() => registry.metrics()),
    requests: new Histogram({
      name: 'partidas_request_seconds',
      help: 'Duration of requests by service, route and status',
      labelNames: ['service', 'method', 'route', 'status'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers,
    }),
    jobs: new Histogram({
      name: 'partidas_job_seconds',
      help: 'Duration of jobs by kind and outcome',
      labelNames: ['kind', 'status'],
      buckets: [0.1, 0.5, 1, 5, 15, 60, 300, 1800],
      registers,
    }),
    importRows: new Counter({
      name: 'partidas_import_rows_total',
      help: 'Rows read by imports, by kind and outcome',
      labelNames: ['kind', 'outcome'],
      registers,
    }),
    removed: new Counter({
      name: 'partidas_removed_total',
      help: 'Rows and files that the cleanup removed, by what they were',
      labelNames: ['what'],
      registers,
    }),
    webhookAttempts: new Counter({
      name: 'partidas_webhook_attempts_total',
      help: 'Attempts to deliver an event to a webhook, by outcome',
      labelNames: ['outcome'],
      registers,
    }),
    reportPages: new Counter({
      name: 'partidas_report_pages_total',
      help: 'Pages printed, by report and format',
      labelNames: ['report', 'format'],
      registers,
    }),
  };
}

/** One number, one for each set of labels, or none: then the metric has no value. */
type Shown = number | null | readonly (readonly [labels: Readonly<Record<string, string>>, value: number])[];

/** A metric of what is found when the metrics are read; its name ends in _total where it counts up. */
interface Figure<Found> {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
  readonly shows: (found: Found) => Shown;
}

/** Without anything found they have no value. */
function addFigures<Found>(
  registry: Registry,
  find: () => Found | undefined | Promise<Found | undefined>,
  figures: readonly Figure<Found>[],
): void {
  for (const { name, help, labels = [], shows } of figures) {
    const Kind = name.endsWith('_total') ? Counter : Gauge;
    new Kind({
      name,
      help,
      labelNames: [...labels],
      registers: [registry],
      async collect() {
        const found = await find();
        const shown = (found === undefined ? null : shows(found)) ?? [];
        this.reset();
        if (labels.length === 0) this.remove();
        for (const [each, value] of typeof shown === 'number' ? [[{}, shown] as const] : shown) this.inc(each, value);
      },
    });
  }
}

function addProcessMetrics(registry: Registry, databases: readonly Database[], sources: Sources): void {
  addFigures(registry, () => sources.build, [
    {
      name: 'partidas_build_info',
      help: '1, with the versions of the program and of Node',
      labels: ['version', 'node'],
      shows: (build) => [[build, 1]],
    },
  ]);
  const sum = (count: 'totalCount' | 'idleCount' | 'waitingCount') =>
    databases.reduce((total, { pool }) => total + pool[count], 0);
  addFigures(registry, () => databases, [
    {
      name: 'partidas_database_connections',
      help: 'Connections of the pools by state',
      labels: ['state'],
      shows: () => [
        [{ state: 'used' }, sum('totalCount') - sum('idleCount')],
        [{ state: 'idle' }, sum('idleCount')],
      ],
    },
    {
      name: 'partidas_database_connections_awaited',
      help: 'Statements and transactions that wait for a connection of the pools',
      shows: () => sum('waitingCount'),
    },
  ]);
  addFigures(registry, sources.hashes, [
    { name: 'partidas_password_hash_queue', help: 'Password checks that wait', shows: (waiting) => waiting },
  ]);
  addFigures(registry, sources.requests, [
    {
      name: 'partidas_requests_at_once',
      help: 'Requests that are worked on or wait, by lane',
      labels: ['lane', 'state'],
      shows: (lanes) =>
        Object.entries(lanes).flatMap(([lane, { running, waiting }]) => [
          [{ lane, state: 'running' }, running],
          [{ lane, state: 'waiting' }, waiting],
        ]),
    },
  ]);
  addFigures(registry, () => sources.gate() ?? { inHand: 0, rejected: 0 }, [
    {
      name: 'partidas_requests_in_hand',
      help: 'Requests that were let in and are not answered yet',
      shows: ({ inHand }) => inHand,
    },
    {
      name: 'partidas_requests_rejected_total',
      help: 'Requests that were rejected before anything of them was read, because of too many in hand',
      shows: ({ rejected }) => rejected,
    },
  ]);
  addFigures(registry, sources.signInFailures, [
    {
      name: 'partidas_signin_failures_total',
      help: 'Sign-ins that failed, by reason',
      labels: ['reason'],
      shows: (failures) => Object.entries(failures).map(([reason, count]) => [{ reason }, count]),
    },
  ]);
  addFigures(registry, lostLines, [
    {
      name: 'partidas_log_lines_lost_total',
      help: 'Log lines for which there was no room while their file could not be written, by log',
      labels: ['log'],
      shows: (lost) => [...lost].map(([log, lines]) => [{ log }, lines]),
    },
  ]);
  addFigures(registry, promptly(sources.disk), [
    { name: 'partidas_data_disk_free_bytes', help: 'Free on the disk of DATA_DIR', shows: ({ free }) => free },
    { name: 'partidas_data_disk_size_bytes', help: 'Size of the disk of DATA_DIR', shows: ({ size }) => size },
  ]);
}

/** Without a replica they have no value. */
function addReplicaMetrics(registry: Registry, sources: Sources): void {
  addFigures(registry, sources.replica, [
    {
      name: 'partidas_replica_reads_total',
      help: 'Reads that the replica may answer: by it (replica), or by the primary and why',
      labels: ['outcome'],
      shows: ({ reads }) => Object.entries(reads).map(([outcome, count]) => [{ outcome }, count]),
    },
    {
      name: 'partidas_replica_away',
      help: '1 while all reads go to the primary because the replica is behind or does not answer',
      shows: ({ isAway }) => (isAway ? 1 : 0),
    },
  ]);
}

/** While the database does not answer they have no value, and the others come without them. */
function addDatabaseMetrics(registry: Registry, sources: Sources): void {
  addFigures(registry, promptly(sources.jobs), [
    { name: 'partidas_jobs_waiting', help: 'Jobs that wait for a worker', shows: ({ waiting }) => waiting },
    {
      name: 'partidas_job_oldest_seconds',
      help: 'Age of the oldest job that waits for a worker; 0 without one',
      shows: ({ oldest }) => oldest,
    },
  ]);
  addFigures(registry, promptly(sources.webhooks), [
    {
      name: 'partidas_webhook_deliveries',
      help: 'Deliveries that wait for a webhook, and those that it did not take in all their attempts',
      labels: ['state'],
      shows: ({ waiting, dead }) => [
        [{ state: 'waiting' }, waiting],
        [{ state: 'dead' }, dead],
      ],
    },
    {
      name: 'partidas_webhook_oldest_seconds',
      help: 'Age of the oldest event that waits for a webhook',
      shows: ({ oldest }) => oldest,
    },
    {
      name: 'partidas_events_unpublished',
      help: 'Events that have no place in the order yet',
      shows: ({ unpublished }) => unpublished,
    },
  ]);
  addArchiveMetrics(registry, sources);
  const ofBooks = 'nightly verification of the books';
  addFigures(registry, promptly(sources.verify), [
    {
      name: 'partidas_verify_differences',
      help: `Differences that the ${ofBooks} found`,
      shows: ({ differences }) => differences,
    },
    { name: 'partidas_verify_age_seconds', help: `Time since a ${ofBooks} came to its end`, shows: ({ age }) => age },
    { name: 'partidas_verify_seconds', help: `How long the last ${ofBooks} took`, shows: ({ seconds }) => seconds },
  ]);
  addFigures(registry, promptly(sources.tables), [
    {
      name: 'partidas_table_rows',
      help: 'Rows of tables that are cleaned, as PostgreSQL estimates them',
      labels: ['table'],
      shows: (tables) => tables.map(({ table, rows }) => [{ table }, rows]),
    },
    {
      name: 'partidas_table_bytes',
      help: 'Size of tables that are cleaned, with their indexes, as PostgreSQL estimates it',
      labels: ['table'],
      shows: (tables) => tables.map(({ table, bytes }) => [{ table }, bytes]),
    },
  ]);
}

/** Without an archive they have no value. */
function addArchiveMetrics(registry: Registry, sources: Sources): void {
  addFigures(registry, promptly(sources.archiver), [
    {
      name: 'partidas_wal_archive_failing',
      help: '1 while parts of the database log wait because the archive takes none',
      shows: ({ failing }) => (failing ? 1 : 0),
    },
    {
      name: 'partidas_wal_archive_failures_total',
      help: 'Attempts to archive a part of the database log that failed',
      shows: ({ failures }) => failures,
    },
    {
      name: 'partidas_wal_archive_age_seconds',
      help: 'Time since a part of the database log was archived',
      shows: ({ age }) => age,
    },
  ]);
  addFigures(registry, promptly(sources.unarchived), [
    {
      name: 'partidas_wal_archive_waiting_bytes',
      help: 'Parts of the database log that wait for the archive and take room on the disk of the database',
      shows: (bytes) => bytes,
    },
  ]);
}

/**
 * The endpoint is public and rendering thousands of metrics is costly: within a second all callers get the same text.
 */
function throttleToSecond(render: () => Promise<string>): () => Promise<string> {
  let last: { readonly at: number; readonly text: Promise<string> } | undefined;
  return () => {
    if (last === undefined || performance.now() - last.at >= 1_000) {
      const next = { at: performance.now(), text: render() };
      last = next;
      next.text.catch(() => {
        if (last === next) last = undefined;
      });
    }
    return last.text;
  };
}
