import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../../platform/database/database.ts';
import { type SystemSql, systemSql } from '../../../platform/database/system-scope.ts';
import type { Log } from '../../../platform/log.ts';
import type { Metrics } from '../../../platform/metrics.ts';
import { type AllowedAddresses, type PostFailure, postToAddress } from '../../../platform/post-to-address.ts';
import { recordAudit } from '../../access/audit.sql.ts';
import { selectEventStream } from '../events/events.read.sql.ts';
import { publishEvents } from '../events/publish-events.sql.ts';
import { publishedEvent } from '../events/published-event.ts';
import {
  type Attempt,
  type Delivery,
  hasActiveWebhooks,
  type LeasedQueue,
  leaseQueue,
  markFailing,
  markWorking,
  queueDeliveries,
  releaseQueue,
  saveAttempt,
  selectNextDeliveries,
} from './deliveries.sql.ts';
import { signedHeaders } from './webhook-signature.ts';

export interface WebhookSettings {
  /** Queues that a process sends from at once. */
  readonly workers: number;
  /** Attempts before a delivery is dead. */
  readonly attempts: number;
  /** Seconds before the second attempt; each further one waits four times as long. */
  readonly retrySeconds: number;
  readonly timeoutSeconds: number;
  readonly offAfterHours: number;
  readonly allowed: AllowedAddresses;
}

export interface DeliveryOptions {
  readonly database: Database;
  readonly settings: WebhookSettings;
  readonly now: () => Date;
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'webhookAttempts'>;
}

const TURN_MS = 500;
/** Deliveries that a queue gets before others have their turn. */
const TURN_DELIVERIES = 20;
/** What a lease has beyond the time of a receiver. */
const SAVING_SECONDS = 10;
const MAX_PAUSE_SECONDS = 6 * 60 * 60;

/**
 * Sends events to webhooks: each queue, of a webhook and a branch, in order and one delivery at a time; the next one goes
 * out when the one before was taken, or is dead. Several processes share the queues by their leases.
 */
export function startDeliveries(options: DeliveryOptions): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const system = systemSql(options.database);
  const sending = new Set<Promise<void>>();
  const { workers, timeoutSeconds } = options.settings;
  const lease = { perCompany: Math.ceil(workers / 2), leaseSeconds: timeoutSeconds + SAVING_SECONDS };
  let wakeUp: () => void = () => {};
  const turn = async () => {
    // Others' queues are sent even while no webhook is behind.
    if (!(await hasActiveWebhooks(system))) return;
    const last = await publishEvents(system);
    while ((await queueDeliveries(system, last)) > 0 && !signal.aborted);
    while (sending.size < workers && !signal.aborted) {
      const queue = await system.transaction((sql) => leaseQueue(sql, lease));
      if (queue === undefined) return;
      const sent: Promise<void> = sendQueue(options, system, queue, signal)
        .catch((error) => options.log.warn({ err: error, webhook: queue.webhookId }, 'webhook'))
        .finally(() => {
          sending.delete(sent);
          wakeUp();
        });
      sending.add(sent);
    }
  };
  const turns = async () => {
    while (!signal.aborted) {
      const woken = new Promise<void>((resolve) => {
        wakeUp = resolve;
      });
      await turn().catch((error) => options.log.warn({ err: error }, 'webhooks'));
      const pause = new AbortController();
      await Promise.race([woken, sleep(TURN_MS, undefined, { signal: AbortSignal.any([signal, pause.signal]) })]).catch(
        () => {},
      );
      pause.abort();
    }
    await Promise.all(sending);
  };
  const ended = turns();
  return {
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}

/** The queue's next deliveries in order, until one fails. */
async function sendQueue(
  options: DeliveryOptions,
  system: SystemSql,
  queue: LeasedQueue,
  stopping: AbortSignal,
): Promise<void> {
  let { failing } = queue;
  try {
    const stream = await selectEventStream(system);
    for (const delivery of await selectNextDeliveries(system, queue, TURN_DELIVERIES)) {
      if (stopping.aborted) return;
      const answer = await send(options, queue, stream, delivery, stopping);
      // What was cut off by the end of the program is nobody's failure: it is sent again.
      if (stopping.aborted && answer.status === null) return;
      const attempt = outcomeOf(options.settings, delivery, answer);
      options.metrics.webhookAttempts.inc({ outcome: attempt.state === 'DELIVERED' ? 'delivered' : 'failed' });
      await saveAttempt(system, queue, delivery.position, attempt);
      if (attempt.state === 'DELIVERED') {
        if (failing) await markWorking(system, queue);
        failing = false;
      } else if (delivery.type !== null) {
        failing = true;
        if (await switchedOff(options, system, queue, attempt)) return;
      }
      if (attempt.state === 'PENDING') return;
    }
  } finally {
    await releaseQueue(system, queue);
  }
}

type Answer = { readonly status: number | null; readonly error: PostFailure | 'EVENT_REMOVED' | null };

async function send(
  { settings, now }: DeliveryOptions,
  { url, secrets }: LeasedQueue,
  stream: Parameters<typeof publishedEvent>[0],
  delivery: Delivery,
  signal: AbortSignal,
): Promise<Answer> {
  const { type } = delivery;
  if (type === null) return { status: null, error: 'EVENT_REMOVED' };
  const event = publishedEvent(stream, { ...delivery, type });
  const body = JSON.stringify(event);
  const sent = await postToAddress(new URL(url), {
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Partidas-Webhooks',
      ...signedHeaders(secrets, { id: event.id, at: now(), body }),
    },
    body,
    timeoutMs: settings.timeoutSeconds * 1_000,
    allowed: settings.allowed,
    signal,
  });
  return 'status' in sent ? { status: sent.status, error: null } : { status: null, error: sent.failure };
}

/** 2xx is taken; everything else, redirects included, is tried again later, as often as is set. */
function outcomeOf({ attempts, retrySeconds }: WebhookSettings, delivery: Delivery, answer: Answer): Attempt {
  const { status, error } = answer;
  if (status !== null && status >= 200 && status < 300) return { state: 'DELIVERED', status, error, pause: 0 };
  const isLast = delivery.attempts + 1 >= attempts || error === 'EVENT_REMOVED';
  if (isLast) return { state: 'DEAD', status, error, pause: 0 };
  const pause = Math.min(MAX_PAUSE_SECONDS, retrySeconds * 4 ** delivery.attempts);
  return { state: 'PENDING', status, error, pause: pause * (0.8 + Math.random() * 0.4) };
}

const GONE = 410;

async function switchedOff(
  { settings, log }: DeliveryOptions,
  system: SystemSql,
  { companyId, webhookId }: LeasedQueue,
  { status }: Attempt,
): Promise<boolean> {
  return system.transaction(async (sql) => {
    const failing = { isGone: status === GONE, offAfterHours: settings.offAfterHours };
    const reason = await markFailing(sql, { companyId, webhookId }, failing);
    if (reason === undefined) return false;
    const caller = { id: 0, username: 'webhooks', admin: false };
    await recordAudit(
      sql,
      { caller, address: 'job' },
      { action: 'SWITCH_OFF', entity: 'webhook', entityId: webhookId, companyId, after: { reason } },
    );
    log.warn({ webhook: webhookId, reason }, 'webhook switched off');
    return true;
  });
}
