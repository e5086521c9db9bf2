import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Database } from './database/database.ts';
import { lostLines } from './gathered-lines.ts';

export type Metrics = ReturnType<typeof openMetrics>;

/** Queue lengths, counted when the metrics are read. */
interface Queues {
  readonly jobs: () => Promise<number>;
  readonly hashes: () => number;
  readonly webhooks: () => Promise<{ waiting: number; dead: number; oldest: number; unpublished: number }>;
  /** How the database's log is archived; undefined where it is not. */
  readonly archiver: () => Promise<{ failures: number; failing: boolean; age: number } | undefined>;
  /** Bytes of the database's log that wait for the archive; undefined where this process does not see them. */
  readonly unarchived: () => Promise<number | undefined>;
  /** What the last verification of the books found; undefined where the process does not see it. */
  readonly verify: () => Promise<{ differences: number; age: number | null; seconds: number | null } | undefined>;
  readonly requests: () => Readonly<Record<string, { running: number; waiting: number }>>;
  readonly gate: () => { readonly inHand: number; readonly rejected: number } | undefined;
}

/** Measures of one program; every service shows them all. No label ever carries a tenant. */
export function openMetrics(databases: readonly Database[], queues: Queues) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  addPoolGauge(registers, databases);
  addQueueGauges(registers, queues);
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

function addPoolGauge(registers: Registry[], databases: readonly Database[]): void {
  new Gauge({
    name: 'partidas_database_connections',
    help: 'Connections of the pools by state',
    labelNames: ['state'],
    registers,
    collect() {
      const sum = (count: 'totalCount' | 'idleCount' | 'waitingCount') =>
        databases.reduce((total, { pool }) => total + pool[count], 0);
      this.set({ state: 'total' }, sum('totalCount'));
      this.set({ state: 'idle' }, sum('idleCount'));
      this.set({ state: 'waiting' }, sum('waitingCount'));
    },
  });
}

function addQueueGauges(registers: Registry[], queues: Queues): void {
  new Gauge({
    name: 'partidas_jobs_waiting',
    help: 'Jobs that wait for a worker',
    registers,
    async collect() {
      this.set(await queues.jobs());
    },
  });
  addWebhookGauges(registers, queues);
  addArchiveGauges(registers, queues);
  addVerifyGauges(registers, queues);
  addGateGauges(registers, queues);
  addLogCounter(registers);
  new Gauge({
    name: 'partidas_password_hash_queue',
    help: 'Password checks that wait',
    registers,
    collect() {
      this.set(queues.hashes());
    },
  });
  new Gauge({
    name: 'partidas_requests_at_once',
    help: 'Requests that are worked on or wait, by lane',
    labelNames: ['lane', 'state'],
    registers,
    collect() {
      for (const [lane, { running, waiting }] of Object.entries(queues.requests())) {
        this.set({ lane, state: 'running' }, running);
        this.set({ lane, state: 'waiting' }, waiting);
      }
    },
  });
}

function addGateGauges(registers: Registry[], { gate }: Queues): void {
  new Gauge({
    name: 'partidas_requests_in_hand',
    help: 'Requests that were let in and are not answered yet',
    registers,
    collect() {
      this.set(gate()?.inHand ?? 0);
    },
  });
  let counted = 0;
  new Counter({
    name: 'partidas_requests_rejected_total',
    help: 'Requests that were rejected before anything of them was read, because of too many in hand',
    registers,
    collect() {
      const { rejected = 0 } = gate() ?? {};
      this.inc(rejected - counted);
      counted = rejected;
    },
  });
}

function addLogCounter(registers: Registry[]): void {
  const counted = new Map<string, number>();
  new Counter({
    name: 'partidas_log_lines_lost_total',
    help: 'Log lines for which there was no room while their file could not be written, by log',
    labelNames: ['log'],
    registers,
    collect() {
      for (const [log, lost] of lostLines()) {
        this.inc({ log }, lost - (counted.get(log) ?? 0));
        counted.set(log, lost);
      }
    },
  });
}

function addWebhookGauges(registers: Registry[], { webhooks }: Queues): void {
  const oldest = new Gauge({
    name: 'partidas_webhook_oldest_seconds',
    help: 'Age of the oldest event that waits for a webhook',
    registers,
  });
  const unpublished = new Gauge({
    name: 'partidas_events_unpublished',
    help: 'Events that have no place in the order yet',
    registers,
  });
  new Gauge({
    name: 'partidas_webhook_deliveries',
    help: 'Deliveries that wait for a webhook, and those that it did not take in all their attempts',
    labelNames: ['state'],
    registers,
    async collect() {
      const backlog = await webhooks();
      this.set({ state: 'waiting' }, backlog.waiting);
      this.set({ state: 'dead' }, backlog.dead);
      oldest.set(backlog.oldest);
      unpublished.set(backlog.unpublished);
    },
  });
}

/** Without an archive they have no value. */
function addArchiveGauges(registers: Registry[], { archiver, unarchived }: Queues): void {
  const failures = new Counter({
    name: 'partidas_wal_archive_failures_total',
    help: 'Attempts to archive a part of the database log that failed',
    registers,
  });
  const age = new Gauge({
    name: 'partidas_wal_archive_age_seconds',
    help: 'Time since a part of the database log was archived',
    registers,
  });
  new Gauge({
    name: 'partidas_wal_archive_failing',
    help: '1 while parts of the database log wait because the archive takes none',
    registers,
    async collect() {
      const found = await archiver();
      failures.reset();
      if (found === undefined) {
        for (const gauge of [this, age]) gauge.remove();
        return;
      }
      this.set(found.failing ? 1 : 0);
      failures.inc(found.failures);
      age.set(found.age);
    },
  });
  new Gauge({
    name: 'partidas_wal_archive_waiting_bytes',
    help: 'Parts of the database log that wait for the archive and take room on the disk of the database',
    registers,
    async collect() {
      const bytes = await unarchived();
      if (bytes === undefined) this.remove();
      else this.set(bytes);
    },
  });
}

/** Until a first run has ended only the number of differences has a value. */
function addVerifyGauges(registers: Registry[], { verify }: Queues): void {
  type Figures = NonNullable<Awaited<ReturnType<typeof verify>>>;
  const add = (name: string, help: string, value: (figures: Figures) => number | null) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        const figures = await verify();
        const found = figures === undefined ? null : value(figures);
        if (found === null) this.remove();
        else this.set(found);
      },
    });
  const ofBooks = 'nightly verification of the books';
  add('partidas_verify_differences', `Differences that the ${ofBooks} found`, ({ differences }) => differences);
  add('partidas_verify_age_seconds', `Time since a ${ofBooks} came to its end`, ({ age }) => age);
  add('partidas_verify_seconds', `How long the last ${ofBooks} took`, ({ seconds }) => seconds);
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
