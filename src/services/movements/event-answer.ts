import { z } from 'zod';
import { APPROVAL_KINDS } from '../../accounting/four-eyes.ts';
import type { EventType } from '../../features/operations/events/event-data.ts';
import { id, instant } from '../../http/fields.ts';

const month = z.string().meta({ example: '2026-01' });
const day = z.string().meta({ example: '2026-01-05' });
const entry = z.string().meta({ example: '1' });
const batch = z.string().meta({ example: '7' });
const lines = z.number().int().meta({ example: 200 });

const place = { month, batchId: id, batch, documentId: id, document: z.string().meta({ example: '12' }) };
const namedEntry = {
  entry,
  day,
  origin: z.string().optional().meta({ example: 'CREDITO' }),
  externalId: z.string().optional().meta({ example: 'CT-2026-000123' }),
};

const approval = {
  approvalId: id,
  kind: z.enum(APPROVAL_KINDS),
  operation: z.string().nullable().meta({ example: null }),
  month: month.nullable(),
};

/** The data of each type; features/operations/events/event-data.ts says what they mean. */
const DATA = {
  'entry.posted': z.union([
    z.object({
      source: z.enum(['ENTRY', 'BULK', 'TEMPLATE', 'REVERSAL', 'CLOSING']),
      ...place,
      entries: z.array(z.object(namedEntry)),
    }),
    z.object({
      source: z.enum(['IMPORT', 'TEST_DATA']),
      ...{ month, batchId: id, batch, importId: id.nullable(), lines },
    }),
  ]),
  'entry.changed': z.object({ ...place, ...namedEntry, change: z.enum(['UPDATED', 'DELETED']) }),
  'entry.reversed': z.object({
    ...place,
    ...namedEntry,
    reason: z.string().meta({ example: 'Lançado em duplicidade' }),
    reversal: z.object({ ...place, ...namedEntry }),
  }),
  'document.deleted': z.union([
    z.object({ ...place, importId: z.null() }),
    z.object({ month, batchId: id, batch, importId: id, lines }),
  ]),
  'month.opened': z.object({ month }),
  'month.closed': z.object({ month, lines, closingEntries: z.number().int() }),
  'month.reopened': z.object({ month, reason: z.string().meta({ example: 'Lançamento esquecido' }) }),
  'month.sealed': z.object({ month, seal: z.string().meta({ example: '9f2c…' }) }),
  'quota.confirmed': z.object({
    day,
    referenceDay: day,
    quotaValue: z.string().meta({ example: '10.00000000' }),
    netEquity: z.string().meta({ example: '1000.00' }),
    numberOfQuotas: z.string().meta({ example: '100.00000000' }),
    replaces: z
      .object({
        quotaValue: z.string().meta({ example: '9.99000000' }),
        reason: z.string().meta({ example: 'Despesa lançada com atraso' }),
      })
      .optional()
      .meta({ description: 'of a reprocessed quota: the one that it replaces, and why' }),
  }),
  'report.ready': z.object({ jobId: id, title: z.string().meta({ example: 'Balancete' }), bytes: z.number().int() }),
  'rule.failed': z.object({
    month,
    processId: id,
    document: z.string().meta({ example: '4010' }),
    ruleId: id,
    rule: z.string().meta({ example: 'Caixa sem saldo credor' }),
    severity: z.string().meta({ example: 'WARNING' }),
    status: z.enum(['FAILED', 'BROKEN']),
  }),
  'approval.requested': z.object(approval),
  'approval.approved': z.object(approval),
  'approval.rejected': z.object({ ...approval, reason: z.string().meta({ example: 'Falta o documento de suporte' }) }),
  'approval.withdrawn': z.object(approval),
} as const satisfies Record<EventType, z.ZodType>;

function eventOf<Type extends EventType>(type: Type) {
  return z.object({
    id: eventId,
    type: z.literal(type),
    at: instant,
    company: z.string().meta({ example: '0001' }),
    branch: z.string().nullable().meta({ example: '0001' }),
    data: DATA[type],
  });
}

/** An event's id, or a place in the order of events. */
export const eventId = z.string().meta({ example: '5f0c9a1e-4711' });

/** An event; its type says what its data are. */
export const eventAnswer = z.discriminatedUnion('type', [
  eventOf('entry.posted'),
  eventOf('entry.changed'),
  eventOf('entry.reversed'),
  eventOf('document.deleted'),
  eventOf('month.opened'),
  eventOf('month.closed'),
  eventOf('month.reopened'),
  eventOf('month.sealed'),
  eventOf('quota.confirmed'),
  eventOf('report.ready'),
  eventOf('rule.failed'),
  eventOf('approval.requested'),
  eventOf('approval.approved'),
  eventOf('approval.rejected'),
  eventOf('approval.withdrawn'),
]);
