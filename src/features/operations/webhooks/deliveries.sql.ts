import type { CompanyId } from '../../../accounting/ids.ts';
import type { Sql, Transaction } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import type { EventRow } from '../events/events.read.sql.ts';
import type { WebhookKey } from './webhooks.sql.ts';

/** Events that one statement looks at for a webhook, and webhooks that it looks at. */
const EVENTS_AT_ONCE = 1_000;
const WEBHOOKS_AT_ONCE = 20;

export async function hasActiveWebhooks(sql: Sql): Promise<boolean> {
  const { active } = await sql.one<{ active: boolean }>(
    SQL.named('webhooks-active')`SELECT EXISTS (SELECT FROM webhook WHERE webhook.active) AS active`,
  );
  return active;
}

/**
 * Makes deliveries of the events up to a position that webhooks have not got; returns how many webhooks it looked at. Of
 * several processes each takes others.
 */
export function queueDeliveries(sql: Sql, last: number): Promise<number> {
  return sql.run(SQL.named('webhooks-queue')`
    WITH behind AS (
      SELECT webhook.company_id, webhook.id, webhook.types, webhook.read_position
        FROM webhook
       WHERE webhook.active AND webhook.read_position < ${last}
       LIMIT ${WEBHOOKS_AT_ONCE} FOR UPDATE SKIP LOCKED
    ), seen AS (
      SELECT behind.company_id, behind.id, behind.types, event.position, event.branch_id, event.type
        FROM behind
       CROSS JOIN LATERAL (
             SELECT event.position, coalesce(event.branch_id, 0) AS branch_id, event.type FROM event
              WHERE event.company_id = behind.company_id AND event.position > behind.read_position
                AND event.position <= ${last}
              ORDER BY event.position LIMIT ${EVENTS_AT_ONCE}) AS event
    ), added AS (
      INSERT INTO webhook_delivery (company_id, webhook_id, position, branch_id)
      SELECT seen.company_id, seen.id, seen.position, seen.branch_id FROM seen
       WHERE seen.types = '{}' OR seen.type = ANY (seen.types)
      ON CONFLICT DO NOTHING
      RETURNING webhook_delivery.company_id, webhook_delivery.webhook_id, webhook_delivery.branch_id
    ), queued AS (
      INSERT INTO webhook_queue (company_id, webhook_id, branch_id, waiting)
      SELECT added.company_id, added.webhook_id, added.branch_id, count(*) FROM added
       GROUP BY added.company_id, added.webhook_id, added.branch_id
       ORDER BY added.company_id, added.webhook_id, added.branch_id
      ON CONFLICT (company_id, webhook_id, branch_id) DO UPDATE
         SET waiting = webhook_queue.waiting + excluded.waiting
    ), read AS (
      SELECT behind.company_id, behind.id,
             (SELECT CASE WHEN count(*) < ${EVENTS_AT_ONCE} THEN ${last}::bigint ELSE max(seen.position) END
                FROM seen WHERE seen.company_id = behind.company_id AND seen.id = behind.id) AS position
        FROM behind
    )
    UPDATE webhook SET read_position = read.position FROM read
     WHERE webhook.company_id = read.company_id AND webhook.id = read.id`);
}

/** A queue that this process sends from, until its lease ends. */
export interface LeasedQueue extends WebhookKey {
  readonly companyId: CompanyId;
  readonly branchId: number;
  readonly url: string;
  /** Base64, the one in force first. */
  readonly secrets: readonly string[];
  readonly failing: boolean;
  /** Seconds after which another process takes over from one that was killed; each delivery begins them anew. */
  readonly leaseSeconds: number;
}

/**
 * Takes a queue that is due: of the company with the fewest that are being sent, the one served longest ago. A company has
 * at most `perCompany` at once, so that one whose receivers hang does not delay the others.
 */
export async function leaseQueue(
  sql: Transaction,
  { perCompany, leaseSeconds }: { readonly perCompany: number; readonly leaseSeconds: number },
): Promise<LeasedQueue | undefined> {
  // Statements of their own: a cluster does not read the locked row from within the one that changes it.
  const due = await sql.maybe<WebhookKey & { readonly branchId: number }>(SQL.named('webhooks-due')`
      SELECT webhook_queue.company_id AS "companyId", webhook_queue.webhook_id AS "webhookId",
             webhook_queue.branch_id AS "branchId"
        FROM webhook_queue
        JOIN webhook ON webhook.company_id = webhook_queue.company_id AND webhook.id = webhook_queue.webhook_id
       CROSS JOIN LATERAL (SELECT count(*) AS count FROM webhook_queue AS sending
                            WHERE sending.company_id = webhook_queue.company_id AND sending.waiting > 0
                              AND sending.leased_until > now()) AS running
       WHERE webhook_queue.waiting > 0 AND webhook_queue.due_at <= now()
         AND (webhook_queue.leased_until IS NULL OR webhook_queue.leased_until <= now())
         AND webhook.active AND running.count < ${perCompany}
       ORDER BY running.count, webhook_queue.served_at NULLS FIRST
       LIMIT 1 FOR UPDATE OF webhook_queue SKIP LOCKED`);
  if (due === undefined) return undefined;
  await sql.run(SQL.named('webhooks-lease')`
      UPDATE webhook_queue SET leased_until = now() + make_interval(secs => ${leaseSeconds}), served_at = now()
       WHERE webhook_queue.company_id = ${due.companyId} AND webhook_queue.webhook_id = ${due.webhookId}
         AND webhook_queue.branch_id = ${due.branchId}`);
  const { url, failing, secrets } = await sql.one<Pick<LeasedQueue, 'url' | 'failing' | 'secrets'>>(SQL`
      SELECT webhook.url, webhook.failing_since IS NOT NULL AS failing,
             ARRAY(SELECT webhook_secret.secret FROM webhook_secret
                    WHERE webhook_secret.company_id = ${due.companyId} AND webhook_secret.webhook_id = ${due.webhookId}
                      AND (webhook_secret.expires_at IS NULL OR webhook_secret.expires_at > now())
                    ORDER BY webhook_secret.id DESC) AS secrets
        FROM webhook
       WHERE webhook.company_id = ${due.companyId} AND webhook.id = ${due.webhookId}`);
  return { ...due, url, failing, secrets, leaseSeconds };
}

export interface Delivery extends Omit<EventRow, 'type'> {
  /** null: the event has been removed. */
  readonly type: EventRow['type'] | null;
  readonly attempts: number;
}

/** The next deliveries of the queue, in order. */
export function selectNextDeliveries(sql: Sql, queue: LeasedQueue, limit: number): Promise<Delivery[]> {
  return sql.rows<Delivery>(SQL.named('webhooks-next')`
    SELECT webhook_delivery.position, webhook_delivery.attempts, event.type, event.at, event.company, event.branch,
           event.data
      FROM webhook_delivery
      LEFT JOIN event ON event.company_id = webhook_delivery.company_id
       AND event.position = webhook_delivery.position
     WHERE webhook_delivery.company_id = ${queue.companyId} AND webhook_delivery.webhook_id = ${queue.webhookId}
       AND webhook_delivery.branch_id = ${queue.branchId} AND webhook_delivery.state = 'PENDING'
     ORDER BY webhook_delivery.position LIMIT ${limit}`);
}

export interface Attempt {
  readonly state: 'PENDING' | 'DELIVERED' | 'DEAD';
  readonly status: number | null;
  readonly error: string | null;
  /** Seconds until the queue is due again; 0 goes on at once. */
  readonly pause: number;
}

/** Keeps what came of an attempt, and the lease with it. A delivery that is not pending any more stays as it is. */
export async function saveAttempt(sql: Sql, queue: LeasedQueue, position: number, attempt: Attempt): Promise<void> {
  const { state, status, error, pause } = attempt;
  await sql.run(SQL.named('webhooks-attempt')`
    WITH held AS (
      SELECT webhook_queue.branch_id FROM webhook_queue
       WHERE webhook_queue.company_id = ${queue.companyId} AND webhook_queue.webhook_id = ${queue.webhookId}
         AND webhook_queue.branch_id = ${queue.branchId} FOR UPDATE
    ), tried AS (
      UPDATE webhook_delivery
         SET state = ${state}, attempts = webhook_delivery.attempts + 1, last_status = ${status}, last_error = ${error},
             attempted_at = now(), delivered_at = CASE WHEN ${state} = 'DELIVERED' THEN now() END
        FROM held
       WHERE webhook_delivery.company_id = ${queue.companyId} AND webhook_delivery.webhook_id = ${queue.webhookId}
         AND webhook_delivery.position = ${position} AND webhook_delivery.state = 'PENDING'
         AND webhook_delivery.branch_id = held.branch_id
      RETURNING webhook_delivery.state
    )
    UPDATE webhook_queue
       SET waiting = webhook_queue.waiting - (SELECT count(*) FROM tried WHERE tried.state <> 'PENDING'),
           due_at = now() + make_interval(secs => ${pause}), leased_until = now() + make_interval(secs => ${queue.leaseSeconds})
     WHERE webhook_queue.company_id = ${queue.companyId} AND webhook_queue.webhook_id = ${queue.webhookId}
       AND webhook_queue.branch_id = ${queue.branchId}`);
}

/** Gives the queue back: whoever takes it next goes on with it when it is due. */
export async function releaseQueue(sql: Sql, queue: LeasedQueue): Promise<void> {
  await sql.run(SQL.named('webhooks-release')`
    UPDATE webhook_queue SET leased_until = NULL
     WHERE webhook_queue.company_id = ${queue.companyId} AND webhook_queue.webhook_id = ${queue.webhookId}
       AND webhook_queue.branch_id = ${queue.branchId}`);
}

export async function markWorking(sql: Sql, { companyId, webhookId }: WebhookKey): Promise<void> {
  await sql.run(SQL`
    UPDATE webhook SET failing_since = NULL
     WHERE webhook.company_id = ${companyId} AND webhook.id = ${webhookId} AND webhook.failing_since IS NOT NULL`);
}

/** Remembers since when it fails; switches it off where it has failed for so long, or is gone. Returns the reason then. */
export async function markFailing(
  sql: Sql,
  { companyId, webhookId }: WebhookKey,
  { isGone, offAfterHours }: { readonly isGone: boolean; readonly offAfterHours: number },
): Promise<'FAILING' | 'GONE' | undefined> {
  const row = await sql.maybe<{ reason: 'FAILING' | 'GONE' | null }>(SQL`
    WITH failing AS (
      SELECT coalesce(webhook.failing_since, now()) AS since,
             CASE WHEN ${isGone} THEN 'GONE'
                  WHEN webhook.failing_since < now() - make_interval(hours => ${offAfterHours}) THEN 'FAILING' END AS reason
        FROM webhook
       WHERE webhook.company_id = ${companyId} AND webhook.id = ${webhookId} AND webhook.active
         FOR UPDATE
    )
    UPDATE webhook
       SET failing_since = failing.since, active = failing.reason IS NULL, disabled_reason = failing.reason
      FROM failing
     WHERE webhook.company_id = ${companyId} AND webhook.id = ${webhookId}
    RETURNING failing.reason`);
  return row?.reason ?? undefined;
}

export interface WebhookBacklog {
  readonly waiting: number;
  readonly dead: number;
  /** Age of the oldest event that waits for a webhook, in seconds. */
  readonly oldest: number;
  /** Events without a place in the order. */
  readonly unpublished: number;
}

export function selectBacklog(sql: Sql): Promise<WebhookBacklog> {
  return sql.one<WebhookBacklog>(SQL`
    SELECT (SELECT coalesce(sum(webhook_queue.waiting), 0)::bigint FROM webhook_queue) AS waiting,
           (SELECT count(*) FROM webhook_delivery WHERE webhook_delivery.state = 'DEAD') AS dead,
           (SELECT coalesce(extract(epoch FROM now() - min(event.at)), 0)::float8
              FROM webhook_queue
             CROSS JOIN LATERAL (
                   SELECT min(webhook_delivery.position) AS position FROM webhook_delivery
                    WHERE webhook_delivery.company_id = webhook_queue.company_id
                      AND webhook_delivery.webhook_id = webhook_queue.webhook_id
                      AND webhook_delivery.branch_id = webhook_queue.branch_id
                      AND webhook_delivery.state = 'PENDING') AS first
              JOIN event ON event.company_id = webhook_queue.company_id AND event.position = first.position
             WHERE webhook_queue.waiting > 0) AS oldest,
           (SELECT count(*) FROM event_outbox) AS unpublished`);
}

/** Removes deliveries that have ended and whose event is gone. */
export function removeOldDeliveries(sql: Sql, limit: number): Promise<number> {
  return sql.run(SQL`
    DELETE FROM webhook_delivery WHERE webhook_delivery.ctid = ANY (ARRAY(
      SELECT webhook_delivery.ctid FROM webhook_delivery
       WHERE webhook_delivery.state <> 'PENDING'
         AND webhook_delivery.position <= (SELECT event_stream.removed_position FROM event_stream)
       LIMIT ${limit} FOR UPDATE SKIP LOCKED))`);
}
