import type { CompanyId } from '../../../accounting/ids.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import type { EventType } from '../events/event-data.ts';

export interface WebhookRow {
  readonly id: number;
  readonly company: string;
  readonly url: string;
  /** None: all. */
  readonly types: readonly EventType[];
  readonly active: boolean;
  readonly disabledReason: 'FAILING' | 'GONE' | null;
  readonly failingSince: Date | null;
  readonly waiting: number;
  readonly dead: number;
  readonly createdAt: Date;
  readonly createdBy: string;
  readonly updatedAt: Date;
}

/** Webhooks of a company, oldest first, or the one of that id. */
export function selectWebhooks(sql: Sql, companyId: CompanyId, id?: number): Promise<WebhookRow[]> {
  return sql.rows<WebhookRow>(SQL`
    SELECT webhook.id, company.code AS company, webhook.url, webhook.types, webhook.active,
           webhook.disabled_reason AS "disabledReason", webhook.failing_since AS "failingSince",
           (SELECT coalesce(sum(webhook_queue.waiting), 0)::bigint FROM webhook_queue
             WHERE webhook_queue.company_id = webhook.company_id AND webhook_queue.webhook_id = webhook.id) AS waiting,
           (SELECT count(*) FROM webhook_delivery
             WHERE webhook_delivery.company_id = webhook.company_id AND webhook_delivery.webhook_id = webhook.id
               AND webhook_delivery.state = 'DEAD') AS dead,
           webhook.created_at AS "createdAt", webhook.created_by AS "createdBy",
           coalesce(webhook.updated_at, webhook.created_at) AS "updatedAt"
      FROM webhook
      JOIN company ON company.id = webhook.company_id
     WHERE webhook.company_id = ${companyId} ${id === undefined ? SQL`` : SQL`AND webhook.id = ${id}`}
     ORDER BY webhook.id`);
}

export type DeliveryState = 'PENDING' | 'DELIVERED' | 'DEAD';
export const DELIVERY_STATES = ['PENDING', 'DELIVERED', 'DEAD'] as const satisfies readonly DeliveryState[];

export interface DeliveryRow {
  readonly position: number;
  /** null: the event has been removed. */
  readonly type: EventType | null;
  readonly branch: string | null;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
  readonly attemptedAt: Date | null;
  readonly deliveredAt: Date | null;
}

/** A webhook's deliveries, newest first, before a position. */
export function selectDeliveries(
  sql: Sql,
  { companyId, webhookId }: { readonly companyId: CompanyId; readonly webhookId: number },
  page: { readonly state: DeliveryState | undefined; readonly before: number; readonly limit: number },
): Promise<DeliveryRow[]> {
  const { state } = page;
  return sql.rows<DeliveryRow>(SQL`
    SELECT webhook_delivery.position, event.type, event.branch, webhook_delivery.state, webhook_delivery.attempts,
           webhook_delivery.last_status AS "lastStatus", webhook_delivery.last_error AS "lastError",
           webhook_delivery.attempted_at AS "attemptedAt", webhook_delivery.delivered_at AS "deliveredAt"
      FROM webhook_delivery
      LEFT JOIN event ON event.company_id = webhook_delivery.company_id
       AND event.position = webhook_delivery.position
     WHERE webhook_delivery.company_id = ${companyId} AND webhook_delivery.webhook_id = ${webhookId}
       AND webhook_delivery.position < ${page.before}
       ${state === undefined ? SQL`` : SQL`AND webhook_delivery.state = ${state}`}
     ORDER BY webhook_delivery.position DESC LIMIT ${page.limit}`);
}
