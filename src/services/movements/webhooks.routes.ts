import { z } from 'zod';
import type { Access } from '../../features/access/access.ts';
import { CURSOR, cursorOf } from '../../features/operations/events/event-cursor.ts';
import { EVENT_TYPES } from '../../features/operations/events/event-data.ts';
import { selectEventStream } from '../../features/operations/events/events.read.sql.ts';
import {
  DELIVERY_STATES,
  type DeliveryRow,
  selectDeliveries,
  type WebhookRow,
} from '../../features/operations/webhooks/webhooks.read.sql.ts';
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  listWebhooks,
  MAX_WEBHOOKS,
  readWebhook,
  replayDeliveries,
  rotateSecret,
} from '../../features/operations/webhooks/webhooks.ts';
import {
  companyCode,
  id,
  idParams,
  instant,
  optional,
  pathId,
  readOnly,
  rejectOtherId,
  text,
  wholeText,
} from '../../http/fields.ts';
import { type Request, route } from '../../http/route.ts';
import { eventId } from './event-answer.ts';

const tag = 'Webhooks';
const routine = 'WEBHOOKS';
const ofWebhook: Access<{ id: number }> = { to: 'record', record: 'webhook', id: (input) => input.id, routine };
const ofCompany: Access<{ company: string }> = { to: 'tenant', of: ({ company }) => ({ company }), routine };
const fieldNames = { 'webhook.url': 'url' };

const WEB_ADDRESS =
  'must be an http or https address without credentials | deve ser um endereço http ou https sem credenciais';

const url = text(2_000, 1)
  .refine((value) => {
    const parsed = URL.parse(value);
    return parsed !== null && /^https?:$/.test(parsed.protocol) && parsed.username === '' && parsed.password === '';
  }, WEB_ADDRESS)
  .meta({ example: 'https://erp.example.com/partidas', maxLength: 2_000, minLength: 1 });

const types = z
  .array(z.enum(EVENT_TYPES))
  .max(EVENT_TYPES.length)
  .transform((names) => [...new Set(names)])
  .meta({ example: ['entry.posted', 'month.closed'], description: 'None: all types' });

const facts = { url, types: optional(types), active: optional(z.boolean().meta({ example: true })) };

const webhook = {
  id,
  company: z.string().meta({ example: '0001' }),
  url: z.string().meta({ example: 'https://erp.example.com/partidas' }),
  types: z.array(z.enum(EVENT_TYPES)).meta({ example: ['entry.posted', 'month.closed'] }),
  active: z.boolean().meta({ example: true }),
  disabledReason: z.enum(['FAILING', 'GONE']).nullable(),
  failingSince: instant.nullable(),
  waiting: z.number().int(),
  dead: z.number().int(),
  createdAt: instant,
  createdBy: z.string(),
  updatedAt: instant,
};
const webhookAnswer = z.object(webhook);
/** What an answer has besides its facts may come back with them. */
const sentBack = Object.fromEntries(Object.keys(webhook).map((name) => [name, readOnly])) as Record<
  Exclude<keyof typeof webhook, keyof typeof facts>,
  typeof readOnly
>;
const secret = z.string().meta({ example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=' });

export const postWebhookRoute = route({
  operationId: 'createWebhook',
  method: 'POST',
  path: '/webhooks',
  summary: `An address that gets the company's events from now on, signed; its secret is shown this once. At most ${MAX_WEBHOOKS} of a company`,
  tag,
  addition: true,
  access: ofCompany,
  fieldNames,
  body: z.strictObject({ company: companyCode, ...facts }),
  status: 201,
  answer: z.object({ ...webhook, secret }).meta({ title: 'NewWebhook' }),
  handle: async ({ body, context, tenants, config }) => {
    const made = await createWebhook(context, tenants[0]!, factsOf(body), config.webhooks.allowed);
    return { ...webhookToWire(made), secret: made.secret };
  },
});

export const getWebhooksRoute = route({
  operationId: 'listWebhooks',
  method: 'GET',
  path: '/webhooks',
  summary: 'Webhooks of a company',
  tag,
  addition: true,
  access: ofCompany,
  query: z.strictObject({ company: companyCode }),
  answer: z.array(webhookAnswer),
  handle: async ({ context, tenants }) => (await listWebhooks(context, tenants[0]!)).map(webhookToWire),
});

export const getWebhookRoute = route({
  operationId: 'getWebhook',
  method: 'GET',
  path: '/webhooks/{id}',
  summary: 'A webhook, with how much waits for it and why it was switched off',
  tag,
  addition: true,
  access: ofWebhook,
  params: idParams,
  answer: webhookAnswer,
  handle: async (request) => webhookToWire(await readWebhook(request.context.sql, keyOf(request))),
});

export const putWebhookRoute = route({
  operationId: 'changeWebhook',
  method: 'PUT',
  path: '/webhooks/{id}',
  summary: 'Replaces address, types and whether it is active; switched on again it gets what happened meanwhile',
  tag,
  addition: true,
  access: ofWebhook,
  fieldNames,
  params: idParams,
  body: z.strictObject({ ...sentBack, ...facts }),
  answer: webhookAnswer,
  handle: async (request) => {
    const { body, context, config, params } = request;
    rejectOtherId(body.id, params.id);
    return webhookToWire(await changeWebhook(context, keyOf(request), factsOf(body), config.webhooks.allowed));
  },
});

export const deleteWebhookRoute = route({
  operationId: 'deleteWebhook',
  method: 'DELETE',
  path: '/webhooks/{id}',
  summary: 'Removes a webhook with its deliveries',
  tag,
  addition: true,
  access: ofWebhook,
  params: idParams,
  answer: z.object({ message: z.string().meta({ example: 'Webhook excluído' }) }),
  handle: async (request) => {
    await deleteWebhook(request.context, keyOf(request));
    return { message: 'Webhook excluído' };
  },
});

const MAX_OVERLAP_HOURS = 168;

export const postWebhookSecretRoute = route({
  operationId: 'rotateWebhookSecret',
  method: 'POST',
  path: '/webhooks/{id}/secret',
  summary: 'A new secret, shown this once; the one before signs beside it for overlapHours (24)',
  tag,
  addition: true,
  access: ofWebhook,
  params: idParams,
  body: z.strictObject({
    overlapHours: optional(z.number().int().min(0).max(MAX_OVERLAP_HOURS).meta({ example: 24 })),
  }),
  answer: z.object({ secret, previousUntil: instant }),
  handle: async (request) => {
    const { body, context } = request;
    const made = await rotateSecret(context, keyOf(request), body.overlapHours ?? 24);
    return { secret: made.secret, previousUntil: made.previousUntil.toISOString() };
  },
});

const deliveryAnswer = z.object({
  event: eventId,
  type: z.enum(EVENT_TYPES).nullable(),
  branch: z.string().nullable().meta({ example: '0001' }),
  state: z.enum(DELIVERY_STATES),
  attempts: z.number().int(),
  lastStatus: z.number().int().nullable().meta({ example: 503 }),
  lastError: z.string().nullable().meta({ example: 'TIMEOUT' }),
  attemptedAt: instant.nullable(),
  deliveredAt: instant.nullable(),
});

const eventPathId = z
  .string()
  .regex(CURSOR, 'must be the id of an event | deve ser o id de um evento')
  .meta({ example: '5f0c9a1e-4711' });

export const getWebhookDeliveriesRoute = route({
  operationId: 'listWebhookDeliveries',
  method: 'GET',
  path: '/webhooks/{id}/deliveries',
  summary: 'Deliveries of a webhook, newest first; before is an event of the page before',
  tag,
  addition: true,
  access: ofWebhook,
  params: idParams,
  query: z.strictObject({
    state: z.enum(DELIVERY_STATES).optional(),
    before: eventPathId.optional(),
    limit: wholeText(1, 1_000).default(100).meta({ type: 'integer', example: 100 }),
  }),
  answer: z.array(deliveryAnswer),
  handle: async (request) => {
    const { sql } = request.context;
    const { state, before, limit } = request.query;
    const stream = await selectEventStream(sql);
    const page = { state, before: before === undefined ? Number.MAX_SAFE_INTEGER : positionIn(before), limit };
    return (await selectDeliveries(sql, keyOf(request), page)).map((row) => deliveryToWire(stream, row));
  },
});

const replayAnswer = z.object({ replayed: z.number().int() });

export const replayDeliveryRoute = route({
  operationId: 'replayWebhookDelivery',
  method: 'POST',
  path: '/webhooks/{id}/deliveries/{event}/replay',
  summary: 'Sends an event to the webhook again, whatever became of it; before others of its branch',
  tag,
  addition: true,
  access: ofWebhook,
  params: z.object({ id: pathId, event: eventPathId }),
  answer: replayAnswer,
  handle: async (request) => {
    const position = positionIn(request.params.event);
    return { replayed: await replayDeliveries(request.context, keyOf(request), position) };
  },
});

export const replayDeadRoute = route({
  operationId: 'replayDeadWebhookDeliveries',
  method: 'POST',
  path: '/webhooks/{id}/replay',
  summary: 'Sends everything again that the webhook did not take in all its attempts',
  tag,
  addition: true,
  access: ofWebhook,
  params: idParams,
  answer: replayAnswer,
  handle: async (request) => ({ replayed: await replayDeliveries(request.context, keyOf(request)) }),
});

// biome-ignore lint/suspicious/noExplicitAny: the same of every route of one webhook
function keyOf({ tenants, params }: Request<any, any, any>) {
  return { companyId: tenants[0]!.companyId, webhookId: (params as { id: number }).id };
}

function factsOf({ url, types = [], active = true }: z.output<z.ZodObject<typeof facts>>) {
  return { url, types, active };
}

function positionIn(event: string): number {
  return Number(event.split('-')[1]);
}

function webhookToWire(row: WebhookRow): z.input<typeof webhookAnswer> {
  const { id, company, url, types, active, disabledReason, failingSince, waiting, dead, createdBy } = row;
  return {
    ...{ id, company, url, types: [...types], active, disabledReason, waiting, dead, createdBy },
    failingSince: failingSince?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function deliveryToWire(
  stream: Parameters<typeof cursorOf>[0],
  { position, attemptedAt, deliveredAt, ...row }: DeliveryRow,
): z.input<typeof deliveryAnswer> {
  return {
    event: cursorOf(stream, position),
    ...row,
    attemptedAt: attemptedAt?.toISOString() ?? null,
    deliveredAt: deliveredAt?.toISOString() ?? null,
  };
}
