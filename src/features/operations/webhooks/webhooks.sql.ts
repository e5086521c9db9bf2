import type { CompanyId } from '../../../accounting/ids.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import type { EventType } from '../events/event-data.ts';

/** A webhook by its key. */
export interface WebhookKey {
  readonly companyId: CompanyId;
  readonly webhookId: number;
}

export interface WebhookFacts {
  readonly url: string;
  readonly types: readonly EventType[];
  readonly active: boolean;
}

/** Webhooks of the company, counted one after the other: the company's row is locked. */
export async function countWebhooks(sql: Sql, companyId: CompanyId): Promise<number> {
  await sql.rows(SQL`SELECT company.id FROM company WHERE company.id = ${companyId} FOR NO KEY UPDATE`);
  const { count } = await sql.one<{ count: number }>(
    SQL`SELECT count(*) AS count FROM webhook WHERE webhook.company_id = ${companyId}`,
  );
  return count;
}

/** It gets the events after the last one that has a place. */
export async function insertWebhook(
  sql: Sql,
  companyId: CompanyId,
  facts: WebhookFacts,
  by: string,
): Promise<WebhookKey> {
  const { id } = await sql.one<{ id: number }>(SQL`
    INSERT INTO webhook (company_id, url, types, active, read_position, created_by)
    SELECT ${companyId}, ${facts.url}, ${facts.types}, ${facts.active}, event_stream.last_position, ${by}
      FROM event_stream
    RETURNING webhook.id`);
  return { companyId, webhookId: id };
}

/** One that is switched on again begins without a failure. Returns false where there is none. */
export async function updateWebhook(
  sql: Sql,
  { companyId, webhookId }: WebhookKey,
  facts: WebhookFacts,
  by: string,
): Promise<boolean> {
  const updated = await sql.run(SQL`
    UPDATE webhook
       SET url = ${facts.url}, types = ${facts.types}, active = ${facts.active}, failing_since = NULL,
           disabled_reason = NULL, updated_at = now(), updated_by = ${by}
     WHERE webhook.company_id = ${companyId} AND webhook.id = ${webhookId}`);
  if (updated === 1 && facts.active) {
    await sql.run(SQL`
      UPDATE webhook_queue SET due_at = now()
       WHERE webhook_queue.company_id = ${companyId} AND webhook_queue.webhook_id = ${webhookId}`);
  }
  return updated === 1;
}

export async function deleteWebhookRow(sql: Sql, { companyId, webhookId }: WebhookKey): Promise<boolean> {
  const deleted = await sql.run(
    SQL`DELETE FROM webhook WHERE webhook.company_id = ${companyId} AND webhook.id = ${webhookId}`,
  );
  return deleted === 1;
}

/** A new secret signs from now on, the earlier ones until the moment; those that have ended go. */
export async function insertSecret(
  sql: Sql,
  { companyId, webhookId }: WebhookKey,
  secret: string,
  earlierUntil: Date,
): Promise<void> {
  await sql.run(SQL`
    DELETE FROM webhook_secret
     WHERE webhook_secret.company_id = ${companyId} AND webhook_secret.webhook_id = ${webhookId}
       AND webhook_secret.expires_at < now()`);
  await sql.run(SQL`
    UPDATE webhook_secret SET expires_at = least(webhook_secret.expires_at, ${earlierUntil})
     WHERE webhook_secret.company_id = ${companyId} AND webhook_secret.webhook_id = ${webhookId}`);
  await sql.run(SQL`
    INSERT INTO webhook_secret (company_id, webhook_id, secret) VALUES (${companyId}, ${webhookId}, ${secret})`);
}

/** Makes deliveries pending again: those that are dead, or the one of a position whatever its state. Returns how many. */
export async function requeueDeliveries(
  sql: Sql,
  { companyId, webhookId }: WebhookKey,
  position: number | undefined,
): Promise<number> {
  // The queue's lock comes first, as whoever sends takes it.
  await sql.rows(SQL`
    SELECT webhook_queue.branch_id FROM webhook_queue
     WHERE webhook_queue.company_id = ${companyId} AND webhook_queue.webhook_id = ${webhookId}
     ORDER BY webhook_queue.branch_id FOR UPDATE`);
  const which =
    position === undefined
      ? SQL`webhook_delivery.state = 'DEAD'`
      : SQL`webhook_delivery.position = ${position} AND webhook_delivery.state <> 'PENDING'`;
  const { requeued } = await sql.one<{ requeued: number }>(SQL`
    WITH again AS (
      UPDATE webhook_delivery SET state = 'PENDING', attempts = 0, delivered_at = NULL
       WHERE webhook_delivery.company_id = ${companyId} AND webhook_delivery.webhook_id = ${webhookId} AND ${which}
         AND EXISTS (SELECT FROM event WHERE event.company_id = webhook_delivery.company_id
                                         AND event.position = webhook_delivery.position)
      RETURNING webhook_delivery.branch_id
    ), queued AS (
      UPDATE webhook_queue SET waiting = webhook_queue.waiting + added.count, due_at = now()
        FROM (SELECT again.branch_id, count(*) AS count FROM again GROUP BY again.branch_id) AS added
       WHERE webhook_queue.company_id = ${companyId} AND webhook_queue.webhook_id = ${webhookId}
         AND webhook_queue.branch_id = added.branch_id
    )
    SELECT count(*) AS requeued FROM again`);
  return requeued;
}
