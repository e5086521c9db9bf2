import { z } from 'zod';
import { changeEntry } from '../../features/posting/entries/change-entry.ts';
import { type EntryPlace, selectReversalOf } from '../../features/posting/entries/entries.read.sql.ts';
import { reverseEntry } from '../../features/posting/entries/reverse-entry.ts';
import { approvalAnswer, postedOrKept } from '../../http/approvals.ts';
import { id, idParams, isoDay, optional, rejectOtherId, text } from '../../http/fields.ts';
import { BATCH_FIELDS } from '../../http/movements/batches.routes.ts';
import {
  ENTRY_FIELDS,
  entryAnswer,
  entryBody,
  entryFromWire,
  entryToWire,
} from '../../http/movements/entries.routes.ts';
import { route } from '../../http/route.ts';

export const putEntryRoute = route({
  operationId: 'replaceEntry',
  method: 'PUT',
  path: '/entry/{id}',
  summary: 'Replaces a simple entry of an open month',
  tag: 'Entries',
  addition: true,
  access: { to: 'record', record: 'entry', id: (input) => input.id as number },
  params: idParams,
  body: entryBody,
  fieldNames: ENTRY_FIELDS,
  answer: entryAnswer,
  otherAnswers: { 202: approvalAnswer },
  handle: async ({ params, body, context, tenant }) => {
    rejectOtherId(body.id, params.id);
    const entry = entryFromWire(body);
    return postedOrKept(context, tenant, { operation: 'changeEntry', input: [params.id, entry] }, async () =>
      entryToWire(await changeEntry(context, tenant, params.id, entry)),
    );
  },
});

export const reverseEntryRoute = route({
  operationId: 'reverseEntry',
  method: 'POST',
  path: '/entry/{id}/reversal',
  summary: 'Reverses an entry (estorno) on an open day; also entries of closed months',
  tag: 'Entries',
  addition: true,
  access: { to: 'record', record: 'entry', id: (input) => input.id },
  params: idParams,
  body: z.strictObject({
    day: isoDay,
    motivo: text(300, 1).meta({ example: 'Lançado em duplicidade' }),
    historico: optional(text(500)),
  }),
  fieldNames: {
    ...BATCH_FIELDS,
    'entry.day': 'day',
    'entry.month': 'day',
    'entry.narration': 'historico',
    // Everything else of a reversal follows from its entry.
    'entry.account': null,
    'entry.amount': null,
    'entry.narrationCode': null,
    'entry.offsetAccount': null,
    'entry.factDay': null,
  },
  status: 201,
  answer: z.array(entryAnswer),
  idempotent: true,
  otherAnswers: { 202: approvalAnswer },
  handle: ({ params, body, context, tenant }) => {
    const reversal = { day: body.day, reason: body.motivo, narration: body.historico };
    return postedOrKept(context, tenant, { operation: 'reverseEntry', input: [params.id, reversal] }, async () =>
      (await reverseEntry(context, tenant, params.id, reversal)).map(entryToWire),
    );
  },
});

const place = z
  .object({
    documentId: id,
    lote: z.string().nullable().meta({ example: '1' }),
    documento: z.string().nullable().meta({ example: '1' }),
    lancamento: z.string(),
    day: z.string().nullable().meta({ example: '2026-01-05' }),
    motivo: z.string().nullable().meta({ example: 'Lançado em duplicidade' }),
  })
  .nullable();

export const getReversalRoute = route({
  operationId: 'getReversal',
  method: 'GET',
  path: '/entry/{id}/reversal',
  summary: 'What reversed an entry, and what it reverses itself',
  tag: 'Entries',
  addition: true,
  access: { to: 'record', record: 'entry', id: (input) => input.id },
  params: idParams,
  answer: z.object({ reversedBy: place, reverses: place }),
  handle: async ({ params, context, tenant }) => {
    const { reversedBy, reverses } = await selectReversalOf(context.sql, tenant.companyId, params.id);
    return { reversedBy: placeToWire(reversedBy), reverses: placeToWire(reverses) };
  },
});

function placeToWire(found: EntryPlace | null) {
  if (found === null) return null;
  const { documentId, number, batch, document, day, reason } = found;
  return { documentId, lote: batch, documento: document, lancamento: number, day, motivo: reason };
}
