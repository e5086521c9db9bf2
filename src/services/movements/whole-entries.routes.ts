import { z } from 'zod';
import { monthNumberOf, yearOf } from '../../accounting/period.ts';
import { reject } from '../../accounting/problem.ts';
import { recordRef } from '../../accounting/record-name.ts';
import { selectTotalsOfDocuments } from '../../features/posting/batches/batches.read.sql.ts';
import { countLines, findPlaceOfDocument } from '../../features/posting/entries/entries.read.sql.ts';
import { postWholeEntry, type WholeEntryInput } from '../../features/posting/entries/post-whole-entry.ts';
import { replaceWholeEntry } from '../../features/posting/entries/replace-whole-entry.ts';
import {
  type EntryKey,
  selectWholeEntryPage,
  type WholeEntry,
} from '../../features/posting/entries/whole-entries.read.sql.ts';
import { approvalAnswer, postedOrKept } from '../../http/approvals.ts';
import {
  accountId,
  amount,
  booleanText,
  codeText,
  id,
  idParams,
  isoDay,
  moneyAnswer,
  optional,
  pathId,
  readOnly,
  side,
  text,
} from '../../http/fields.ts';
import { entryAnswer, entryToWire } from '../../http/movements/entries.routes.ts';
import { dayText, movementsPage, sliceOf, sums, sumsOf } from '../../http/movements/shared.ts';
import { pageOf, pageToWire } from '../../http/paging.ts';
import { route } from '../../http/route.ts';

/** Lines of one entry. */
const MAX_LINES = 1_000;

const lineBody = z.strictObject({
  id: readOnly,
  debcre: side,
  contaId: accountId,
  contrapartida: readOnly,
  valor: amount,
  historico: optional(text(500).meta({ example: null, description: "When absent: the entry's" })),
});

const wholeEntryBody = z.strictObject({
  lancamento: optional(codeText(10).meta({ example: null, description: 'When absent: the next number' })),
  day: dayText,
  historico: optional(text(500).meta({ example: 'Depósitos do dia, com tarifa' })),
  cdhistorico: optional(text(5).meta({ example: null })),
  dataFato: optional(isoDay.meta({ example: null })),
  partidas: z
    .array(lineBody)
    .min(1)
    .max(MAX_LINES)
    .meta({
      example: [
        { debcre: 'D', contaId: 1, valor: 1650.4 },
        { debcre: 'C', contaId: 2, valor: 1250.4 },
        { debcre: 'C', contaId: 2, valor: 400.0 },
      ],
    }),
});

const WHOLE_ENTRY_FIELDS = {
  branch: null,
  // Its document lies in the month.
  document: 'id',
  month: 'id',
  number: 'lancamento',
  narrationCode: 'cdhistorico',
  factDay: 'dataFato',
  seenAt: 'updatedAt',
  lines: 'partidas',
  'lines[].account': 'partidas.[].contaId',
  'lines[].amount': 'partidas.[].valor',
  'lines[].narration': 'partidas.[].historico',
} as const;

const entryKey = z.object({ documentId: id, lancamento: z.string() }).nullable();

const {
  documentId: _of,
  debcre: _side,
  contaId: _account,
  contrapartida: _offset,
  valor: _amount,
  ...ofEntry
} = entryAnswer.shape;

const wholeEntryAnswer = z.object({
  ...ofEntry,
  estornadoPor: entryKey.meta({ example: null, description: 'The entry that reverses it' }),
  estornoDe: entryKey.meta({ example: null, description: 'The entry that it reverses' }),
  partidas: z.array(
    entryAnswer.pick({ id: true, debcre: true, contaId: true, contrapartida: true, valor: true, historico: true }),
  ),
});

function wholeEntryFromWire(body: z.output<typeof wholeEntryBody>): WholeEntryInput {
  const narration = body.historico || null;
  return {
    number: body.lancamento,
    dayNumber: body.day,
    narrationCode: body.cdhistorico || null,
    factDay: body.dataFato,
    lines: body.partidas.map(({ debcre, contaId, valor, historico }) => ({
      side: debcre,
      account: contaId,
      amount: valor,
      narration: historico || narration,
    })),
  };
}

/** Its first line says what all of them say. */
function wholeEntryToWire({ lines, reversedBy, reverses }: WholeEntry): z.input<typeof wholeEntryAnswer> {
  const partidas = lines.map(entryToWire);
  const { documentId, debcre, contaId, contrapartida, valor, ...entry } = partidas[0]!;
  return {
    ...entry,
    estornadoPor: keyToWire(reversedBy),
    estornoDe: keyToWire(reverses),
    partidas: partidas.map(({ id, debcre, contaId, contrapartida, valor, historico }) => ({
      id,
      debcre,
      contaId,
      contrapartida,
      valor,
      historico,
    })),
  };
}

function keyToWire(key: EntryKey | null) {
  return key && { documentId: key.documentId, lancamento: key.number };
}

export const getWholeEntriesRoute = route({
  operationId: 'getEntriesOfDocument',
  method: 'GET',
  path: '/document/{id}/entries',
  summary: 'A page of the entries of a document, each with its lines, and where the document lies',
  tag: 'Entries',
  addition: true,
  access: { to: 'record', record: 'document', id: (input) => input.id },
  params: idParams,
  query: z.strictObject({
    ...movementsPage,
    totais: booleanText.optional().meta({ description: 'true: with the sums of all its lines' }),
  }),
  answer: pageOf(wholeEntryAnswer).extend({
    batchId: id,
    lote: z.string(),
    documento: z.string(),
    ano: z.number().int(),
    mes: z.number().int(),
    totalEntries: z.number().int().meta({ description: 'Lines' }),
    totalDebit: sums.totalDebit.optional(),
    totalCredit: sums.totalCredit.optional(),
    difference: moneyAnswer.optional(),
  }),
  handle: async ({ params, query, context, tenant, config }) => {
    const { companyId } = tenant;
    const slice = sliceOf(query, config);
    const place =
      (await findPlaceOfDocument(context.sql, companyId, params.id)) ??
      reject('NOT_FOUND', recordRef('Document', params.id), 'id');
    const { lines, entries } = await countLines(context.sql, companyId, params.id);
    const page = await selectWholeEntryPage(context.sql, companyId, params.id, slice, entries);
    const totals = query.totais
      ? (await selectTotalsOfDocuments(context.sql, companyId, [params.id])).get(params.id)
      : undefined;
    return {
      batchId: place.batchId,
      lote: place.batch,
      documento: place.document,
      ano: yearOf(place.month),
      mes: monthNumberOf(place.month),
      totalEntries: lines,
      ...(totals ? sumsOf(totals) : {}),
      ...pageToWire(page.map(wholeEntryToWire), entries, slice),
    };
  },
});

export const postWholeEntryRoute = route({
  operationId: 'postEntryOfDocument',
  method: 'POST',
  path: '/document/{id}/entries',
  summary: 'Posts an entry of two lines or more into a document',
  tag: 'Entries',
  addition: true,
  access: { to: 'record', record: 'document', id: (input) => input.id },
  params: idParams,
  body: wholeEntryBody,
  fieldNames: WHOLE_ENTRY_FIELDS,
  status: 201,
  answer: wholeEntryAnswer,
  idempotent: true,
  otherAnswers: { 202: approvalAnswer },
  handle: ({ params, body, context, tenant }) => {
    const entry = wholeEntryFromWire(body);
    return postedOrKept(context, tenant, { operation: 'postWholeEntry', input: [params.id, entry] }, async () =>
      wholeEntryToWire(await postWholeEntry(context, tenant, params.id, entry)),
    );
  },
});

export const putWholeEntryRoute = route({
  operationId: 'replaceEntryOfDocument',
  method: 'PUT',
  path: '/document/{id}/entries/{lancamento}',
  summary: 'Replaces an entry of an open month with all its lines',
  tag: 'Entries',
  addition: true,
  access: { to: 'record', record: 'document', id: (input) => input.id },
  params: z.object({ id: pathId, lancamento: codeText(10).meta({ example: '1' }) }),
  body: wholeEntryBody
    .extend({
      id: readOnly,
      encerramento: readOnly,
      estornadoPor: readOnly,
      estornoDe: readOnly,
      importId: readOnly,
      createdAt: readOnly,
      createdBy: readOnly,
      updatedBy: readOnly,
      updatedAt: optional(z.iso.datetime().meta({ example: null })).meta({
        description: 'As it was read: where somebody has changed it since, nothing is written',
      }),
    })
    .meta({ title: 'ReplacedEntryOfDocument' }),
  fieldNames: WHOLE_ENTRY_FIELDS,
  answer: wholeEntryAnswer,
  otherAnswers: { 202: approvalAnswer },
  idempotent: true,
  handle: async ({ params, body, context, tenant }) => {
    const key = { documentId: params.id, number: params.lancamento };
    const seenAt = body.updatedAt === undefined ? undefined : new Date(body.updatedAt);
    const entry = { ...wholeEntryFromWire(body), seenAt };
    return postedOrKept(context, tenant, { operation: 'replaceWholeEntry', input: [key, entry] }, async () =>
      wholeEntryToWire(await replaceWholeEntry(context, tenant, key, entry)),
    );
  },
});
