import { reject } from '../../../accounting/problem.ts';
import { recordRef } from '../../../accounting/record-name.ts';
import type { Context } from '../../../platform/context.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { type AllowedAddresses, isForbiddenHost } from '../../../platform/post-to-address.ts';
import { type CompanyTenant, requireCompanyWideAccess } from '../../access/access.ts';
import { recordAudit } from '../../access/audit.sql.ts';
import { publishNow } from '../events/watch-events.ts';
import { newSecret, SECRET_PREFIX } from './webhook-signature.ts';
import { selectWebhooks, type WebhookRow } from './webhooks.read.sql.ts';
import {
  countWebhooks,
  deleteWebhookRow,
  insertSecret,
  insertWebhook,
  requeueDeliveries,
  updateWebhook,
  type WebhookFacts,
  type WebhookKey,
} from './webhooks.sql.ts';

export const MAX_WEBHOOKS = 20;

/** Once, to whoever makes it: it is not shown again. */
export interface ShownSecret {
  readonly secret: string;
}

/** A webhook of the whole company; it gets what happens from now on. */
export async function createWebhook(
  context: Context,
  company: CompanyTenant,
  facts: WebhookFacts,
  allowed: AllowedAddresses,
): Promise<WebhookRow & ShownSecret> {
  requireCompanyWideAccess(context, company);
  rejectAddress(facts.url, allowed);
  const { companyId } = company;
  // What happened before has its place before it.
  await publishNow(context);
  return context.transaction(async (sql) => {
    if ((await countWebhooks(sql, companyId)) >= MAX_WEBHOOKS) reject('TOO_MANY_WEBHOOKS', { limit: MAX_WEBHOOKS });
    const key = await insertWebhook(sql, companyId, facts, context.caller.username);
    const secret = newSecret();
    await insertSecret(sql, key, secret, context.now());
    const webhook = await readWebhook(sql, key);
    const entry = { action: 'CREATE', entity: 'webhook', entityId: key.webhookId, companyId, after: webhook };
    await recordAudit(sql, context, entry);
    return { ...webhook, secret: SECRET_PREFIX + secret };
  });
}

export async function readWebhook(sql: Sql, { companyId, webhookId }: WebhookKey): Promise<WebhookRow> {
  const [webhook] = await selectWebhooks(sql, companyId, webhookId);
  return webhook ?? throwNotFound(webhookId);
}

export async function listWebhooks(context: Context, company: CompanyTenant): Promise<WebhookRow[]> {
  requireCompanyWideAccess(context, company);
  return selectWebhooks(context.sql, company.companyId);
}

/** One that was switched off gets what happened meanwhile, as far back as events are kept, when it is on again. */
export function changeWebhook(
  context: Context,
  key: WebhookKey,
  facts: WebhookFacts,
  allowed: AllowedAddresses,
): Promise<WebhookRow> {
  rejectAddress(facts.url, allowed);
  const { companyId, webhookId } = key;
  return context.transaction(async (sql) => {
    const before = await readWebhook(sql, key);
    if (!(await updateWebhook(sql, key, facts, context.caller.username))) throwNotFound(webhookId);
    const after = await readWebhook(sql, key);
    const entry = { action: 'UPDATE', entity: 'webhook', entityId: webhookId, companyId, before, after };
    await recordAudit(sql, context, entry);
    return after;
  });
}

/** With its deliveries. */
export function deleteWebhook(context: Context, key: WebhookKey): Promise<void> {
  const { companyId, webhookId } = key;
  return context.transaction(async (sql) => {
    const before = await readWebhook(sql, key);
    if (!(await deleteWebhookRow(sql, key))) throwNotFound(webhookId);
    await recordAudit(sql, context, { action: 'DELETE', entity: 'webhook', entityId: webhookId, companyId, before });
  });
}

const HOUR_MS = 60 * 60 * 1_000;

/** A new secret; the one before signs beside it for so many hours. */
export function rotateSecret(
  context: Context,
  key: WebhookKey,
  overlapHours: number,
): Promise<ShownSecret & { readonly previousUntil: Date }> {
  const previousUntil = new Date(context.now().getTime() + overlapHours * HOUR_MS);
  return context.transaction(async (sql) => {
    await readWebhook(sql, key);
    const secret = newSecret();
    await insertSecret(sql, key, secret, previousUntil);
    await recordAction(sql, context, key, 'ROTATE_SECRET', { previousUntil });
    return { secret: SECRET_PREFIX + secret, previousUntil };
  });
}

/** Sends again what is dead, or one delivery whatever became of it. Returns how many. */
export function replayDeliveries(context: Context, key: WebhookKey, position?: number): Promise<number> {
  return context.transaction(async (sql) => {
    await readWebhook(sql, key);
    const replayed = await requeueDeliveries(sql, key, position);
    if (position !== undefined && replayed === 0) reject('NOT_FOUND', recordRef('Delivery', position), 'event');
    await recordAction(sql, context, key, 'REPLAY', { replayed });
    return replayed;
  });
}

function recordAction(sql: Sql, context: Context, key: WebhookKey, action: string, after: unknown): Promise<void> {
  const { companyId, webhookId } = key;
  return recordAudit(sql, context, { action, entity: 'webhook', entityId: webhookId, companyId, after });
}

/** What a name leads to is looked at when it is sent to; the address as it is written, now. */
function rejectAddress(text: string, allowed: AllowedAddresses): void {
  const url = new URL(text);
  if (url.protocol !== 'https:' && !allowed.plainHttp) reject('WEBHOOK_NOT_HTTPS', {}, 'webhook.url');
  if (isForbiddenHost(url, allowed)) reject('WEBHOOK_ADDRESS_PRIVATE', {}, 'webhook.url');
}

function throwNotFound(id: number): never {
  return reject('NOT_FOUND', recordRef('Webhook', id), 'id');
}
