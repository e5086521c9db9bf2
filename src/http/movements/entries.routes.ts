import { z } from 'zod';
import { dayNumberOf } from '../../accounting/period.ts';
import { reject } from '../../accounting/problem.ts';
import { recordRef } from '../../accounting/record-name.ts';
import { selectBatchTotals } from '../../features/posting/batches/batches.read.sql.ts';
import { deleteEntries } from '../../features/posting/batches/delete-movements.ts';
import { selectSourceOfLine } from '../../features/posting/bulk/entry-sources.read.sql.ts';
import type { EntryInput } from '../../features/posting/entries/decide-entry.ts';
import {
  countLines,
  type EntryRow,
  selectArchivedLinePage,
  selectArchivedLinesAfter,
  selectEntry,
  selectLinePage,
  selectLinesInPieces,
} from '../../features/posting/entries/entries.read.sql.ts';
import { postEntry } from '../../features/posting/entries/post-entry.ts';
import { approvalAnswer, postedOrKept } from '../approvals.ts';
import {
  accountId,
  amount,
  codeText,
  exactNumber,
  id,
  idParams,
  isoDay,
  moneyAnswer,
  optional,
  pathId,
  readOnly,
  side,
  text,
} from '../fields.ts';
import { pageOf, pageToWire } from '../paging.ts';
import { route } from '../route.ts';
import { keysetChunks, PIECE, streamJsonArray } from '../stream-json-array.ts';
import { batchParams } from './batches.routes.ts';
import {
  dayText,
  deleteBody,
  deleted,
  documentRecord,
  fromArchive,
  history,
  ignoredStamps,
  importStamp,
  importStampOf,
  movementsPage,
  sliceOf,
  stamps,
  stampsOf,
  storageOf,
  sums,
  sumsOf,
} from './shared.ts';

export const ENTRY_FIELDS = {
  'entry.account': 'contaId',
  'entry.amount': 'valor',
  'entry.day': 'day',
  'entry.factDay': 'dataFato',
  'entry.document': 'documentId',
  // Its document lies in the month.
  'entry.month': 'documentId',
  'entry.narration': 'historico',
  'entry.narrationCode': 'cdhistorico',
  'entry.number': 'lancamento',
  'entry.offsetAccount': 'contrapartida',
} as const;

export const entryBody = z.strictObject({
  ...ignoredStamps,
  importId: readOnly,
  encerramento: readOnly,
  documentId: id,
  lancamento: optional(codeText(10).meta({ example: '1' })),
  debcre: side,
  day: dayText,
  contaId: accountId,
  contrapartida: optional(accountId.meta({ example: 2 })),
  valor: amount,
  historico: optional(text(500).meta({ example: 'Aplicação de cotista' })),
  cdhistorico: optional(text(5).meta({ example: '00010' })),
  dataFato: optional(isoDay.meta({ example: null })),
});

export function entryFromWire(body: z.output<typeof entryBody>): EntryInput {
  return {
    documentId: body.documentId,
    number: body.lancamento,
    side: body.debcre,
    dayNumber: body.day,
    accountId: body.contaId,
    offsetAccountId: body.contrapartida,
    amount: body.valor,
    narration: body.historico,
    narrationCode: body.cdhistorico,
    factDay: body.dataFato,
  };
}

export const entryAnswer = z.object({
  id,
  documentId: id,
  lancamento: z.string(),
  debcre: side,
  day: z.string().meta({ example: '05' }),
  contaId: accountId,
  contrapartida: accountId.nullable(),
  valor: moneyAnswer,
  historico: z.string().nullable(),
  cdhistorico: z.string().nullable(),
  encerramento: z.boolean(),
  dataFato: z.string().optional().meta({ example: '2025-12-20' }),
  /** What the system that sent the entry said of it; shown where one entry is read. */
  origin: z.string().optional().meta({ example: 'CARTOES' }),
  externalId: z.string().optional().meta({ example: 'C-2026-000123' }),
  metadata: z
    .record(z.string(), z.unknown())
    .optional()
    .meta({ example: { contrato: '2026-000123' } }),
  ...importStamp,
  ...stamps,
});

export function entryToWire(row: EntryRow): z.output<typeof entryAnswer> {
  return {
    id: row.id,
    documentId: row.documentId,
    lancamento: row.number,
    debcre: row.side,
    day: String(dayNumberOf(row.day)).padStart(2, '0'),
    contaId: row.accountId,
    contrapartida: row.offsetAccountId,
    valor: exactNumber(row.amount),
    historico: row.narration,
    cdhistorico: row.narrationCode,
    encerramento: row.closing,
    ...(row.factDay === null ? {} : { dataFato: row.factDay }),
    ...importStampOf(row),
    ...stampsOf(row),
  };
}

export const entrySummaryAnswer = z.object({
  batchId: id,
  totalEntries: z.number().int(),
  logicalEntryCount: z.number().int(),
  ...sums,
  balanced: z.boolean(),
});

const documentParams = z.object({ documentId: pathId });

export const postEntryRoute = route({
  operationId: 'postEntry',
  method: 'POST',
  path: '/entry',
  summary: 'Posts an entry: a line and its offset line',
  tag: 'Entries',
  access: { to: 'record', record: 'postedDocument', id: ({ documentId }) => documentId },
  body: entryBody,
  fieldNames: ENTRY_FIELDS,
  status: 201,
  answer: entryAnswer,
  idempotent: true,
  otherAnswers: { 202: approvalAnswer },
  handle: ({ body, context, tenant }) => {
    const entry = entryFromWire(body);
    return postedOrKept(context, tenant, { operation: 'postEntry', input: [entry] }, async () =>
      entryToWire(await postEntry(context, tenant, entry)),
    );
  },
});

export const getEntriesRoute = route({
  operationId: 'listEntries',
  method: 'GET',
  path: '/allentry/{documentId}',
  summary: 'All lines of a document',
  tag: 'Entries',
  access: { to: 'record', record: documentRecord, id: ({ documentId }) => documentId },
  params: documentParams,
  query: fromArchive,
  answer: z.array(entryAnswer),
  handle: ({ params, query, context, tenant }) =>
    streamJsonArray(
      query.history
        ? keysetChunks((last: EntryRow | undefined) =>
            selectArchivedLinesAfter(context.sql, tenant.companyId, params.documentId, last, PIECE),
          )
        : selectLinesInPieces(context.sql, tenant.companyId, params.documentId, PIECE),
      entryToWire,
    ),
});

export const getEntryPageRoute = route({
  operationId: 'getEntryPage',
  method: 'GET',
  path: '/allentry/{documentId}/page',
  summary: 'A page of the lines of a document, each logical entry once, where its first line falls',
  tag: 'Entries',
  access: { to: 'record', record: documentRecord, id: ({ documentId }) => documentId },
  params: documentParams,
  query: z.strictObject({ ...movementsPage, history }),
  answer: pageOf(entryAnswer).extend({ logicalEntryCount: z.number().int().optional() }),
  handle: async ({ params, query, context, tenant, config }) => {
    const slice = sliceOf(query, config);
    const { lines, entries } = await countLines(context.sql, tenant.companyId, params.documentId, storageOf(query));
    const rows = query.history
      ? await selectArchivedLinePage(context.sql, tenant.companyId, params.documentId, slice)
      : await selectLinePage(context.sql, tenant.companyId, params.documentId, slice, lines);
    const firstLines = rows.filter((row) => row.sequence === 1).map(entryToWire);
    return { ...pageToWire(firstLines, lines, slice), logicalEntryCount: entries };
  },
});

export const getEntryRoute = route({
  operationId: 'getEntry',
  method: 'GET',
  path: '/entry/{id}',
  summary: 'A line of an entry',
  tag: 'Entries',
  access: { to: 'record', record: 'entry', id: (input) => input.id },
  params: idParams,
  answer: entryAnswer,
  handle: async ({ params, context, tenant }) => {
    const [row, source] = await context.sql.pipelined((sql) =>
      Promise.all([
        selectEntry(sql, tenant.companyId, params.id),
        selectSourceOfLine(sql, tenant.companyId, params.id),
      ]),
    );
    const entry = entryToWire(row ?? reject('NOT_FOUND', recordRef('Entry', params.id)));
    const { origin, externalId, metadata } = source ?? {};
    return {
      ...entry,
      ...(origin ? { origin } : {}),
      ...(externalId ? { externalId } : {}),
      ...(metadata ? { metadata } : {}),
    };
  },
});

export const deleteEntryRoute = route({
  operationId: 'deleteEntry',
  method: 'DELETE',
  path: '/entry/{id}',
  summary: 'Removes the logical entry of a line',
  tag: 'Entries',
  access: { to: 'record', record: 'entry', id: (input) => input.id, routine: 'DELETE_MOVEMENTS' },
  params: idParams,
  answer: deleted,
  handle: async ({ params, context }) => {
    await deleteEntries(context, [params.id]);
    return { message: 'Lançamento excluído' };
  },
});

export const deleteEntriesRoute = route({
  operationId: 'deleteEntries',
  method: 'POST',
  path: '/entry/delete-multiple',
  summary: 'Removes the logical entries of several lines, all or none',
  tag: 'Entries',
  access: { to: 'record', record: 'entry', id: (input) => input.ids, routine: 'DELETE_MOVEMENTS' },
  body: deleteBody,
  answer: deleted,
  handle: async ({ body, context }) => {
    await deleteEntries(context, body.ids);
    return { message: `${body.ids.length} lançamento(s) excluído(s)` };
  },
});

export const getEntrySummaryRoute = route({
  operationId: 'getEntrySummary',
  method: 'GET',
  path: '/entrysummary/{batchId}',
  summary: 'Counts and sums of the lines of a batch',
  tag: 'Entries',
  access: { to: 'record', record: 'batch', id: ({ batchId }) => batchId },
  params: batchParams,
  answer: entrySummaryAnswer,
  handle: async ({ params, context, tenant }) => {
    const totals = await selectBatchTotals(context.sql, tenant.companyId, params.batchId);
    return {
      batchId: params.batchId,
      totalEntries: totals.lines,
      logicalEntryCount: totals.entries,
      ...sumsOf(totals),
      balanced: totals.debit === totals.credit,
    };
  },
});
