import { z } from 'zod';
import { reject } from '../accounting/problem.ts';
import { recordRef } from '../accounting/record-name.ts';
import { rejectArchived } from '../features/posting/archive/reject-archived.ts';
import {
  BATCH_ORDERS,
  type BatchRow,
  countBatches,
  countDocuments,
  DOCUMENT_ORDERS,
  type DocumentRow,
  type Ordering,
  type Shelf,
  selectBatch,
  selectBatches,
  selectBatchesAfter,
  selectBatchTotals,
  selectBranchTotals,
  selectDocument,
  selectDocuments,
  selectDocumentsAfter,
} from '../features/posting/batches/batches.read.sql.ts';
import { createBatch } from '../features/posting/batches/create-batch.ts';
import { createDocument } from '../features/posting/batches/create-document.ts';
import { deleteBatches, deleteDocumentsById, deleteEntries } from '../features/posting/batches/delete-movements.ts';
import {
  countLines,
  type EntryRow,
  selectArchivedLinePage,
  selectArchivedLinesAfter,
  selectEntry,
  selectLinePage,
  selectLinesInPieces,
} from '../features/posting/entries/entries.read.sql.ts';
import { postEntry } from '../features/posting/entries/post-entry.ts';
import type { Config } from '../platform/config.ts';
import type { PageRequest } from '../platform/page-request.ts';
import { booleanText, id, idParams, pathId, tenantParams, wholeText } from './fields.ts';
import {
  BATCH_FIELDS,
  batchAnswer,
  batchBody,
  batchSummaryAnswer,
  batchToWire,
  DOCUMENT_FIELDS,
  documentAnswer,
  documentBody,
  documentSummaryAnswer,
  documentToWire,
  ENTRY_FIELDS,
  entryAnswer,
  entryBody,
  entryFromWire,
  entrySummaryAnswer,
  entryToWire,
  sumsOf,
} from './movements.ts';
import { pageOf, pageQuery, pageToWire } from './paging.ts';
import { rejectRequest } from './request-error.ts';
import { route } from './route.ts';
import { keysetChunks, PIECE, streamJsonArray } from './stream-json-array.ts';

// Batches, documents and entries as both the master-data and the movements service show them, letter for letter.

const batchParams = z.object({ batchId: pathId });
const documentParams = z.object({ documentId: pathId });
const movementsPage = {
  page: pageQuery(1).page,
  size: wholeText(1, 1_000).optional().meta({ type: 'integer', description: 'When absent: MOVEMENTS_PAGE_SIZE (100)' }),
};

const history = booleanText.optional().meta({ description: 'true: reads what archiving has moved to the archive' });
const fromArchive = z.strictObject({ history });
const deleted = z.object({ message: z.string() });
/** Most records that one request deletes. */
const MAX_DELETED = 1_000;
const idList = z.array(id).min(1).max(MAX_DELETED);
const deleteBody = z.union([z.strictObject({ ids: idList }), idList]).transform((body) => ({
  ids: [...new Set(Array.isArray(body) ? body : body.ids)],
}));

export const postBatchRoute = route({
  method: 'POST',
  path: '/batch',
  summary: 'Creates a batch in an open month',
  tag: 'Batches',
  access: { to: 'tenant', of: ({ empresa, filial }) => ({ company: empresa, branch: filial }) },
  body: batchBody,
  fieldNames: BATCH_FIELDS,
  status: 201,
  answer: batchAnswer,
  idempotent: true,
  handle: async ({ body, context, tenant }) =>
    batchToWire(
      await createBatch(context, tenant, {
        year: body.ano,
        month: body.mes,
        number: body.lote,
        description: body.descricao,
      }),
    ),
});

export const getBatchesRoute = route({
  method: 'GET',
  path: '/allbatch/{company}/{branch}',
  summary: 'All batches of a branch',
  tag: 'Batches',
  access: { to: 'tenant', of: ({ company, branch }) => ({ company, branch }) },
  params: tenantParams,
  query: fromArchive,
  answer: z.array(batchAnswer),
  handle: ({ query, context, tenant }) =>
    streamJsonArray(
      keysetChunks((last: BatchRow | undefined) =>
        selectBatchesAfter(context.sql, tenant.companyId, tenant.branchId, last, PIECE, shelfOf(query)),
      ),
      batchToWire,
    ),
});

export const getBatchPageRoute = route({
  method: 'GET',
  path: '/allbatch/{company}/{branch}/page',
  summary: 'A page of the batches of a branch',
  tag: 'Batches',
  access: { to: 'tenant', of: ({ company, branch }) => ({ company, branch }) },
  params: tenantParams,
  query: z.strictObject({ ...movementsPage, sort: z.string().max(100).optional(), history }),
  answer: pageOf(batchAnswer),
  handle: async ({ context, tenant, query, config }) => {
    const slice = sliceOf(query, config);
    const ordering = orderingOf(query.sort, BATCH_ORDERS);
    const shelf = shelfOf(query);
    const rows = await selectBatches(context.sql, tenant.companyId, tenant.branchId, slice, ordering, shelf);
    const total = await countBatches(context.sql, tenant.companyId, tenant.branchId, shelf);
    return pageToWire(rows.map(batchToWire), total, slice);
  },
});

export const getBatchRoute = route({
  method: 'GET',
  path: '/batch/{id}',
  summary: 'A batch',
  tag: 'Batches',
  access: { to: 'record', record: batchRecord, id: (input) => input.id },
  params: idParams,
  query: fromArchive,
  answer: batchAnswer,
  handle: async ({ params, query, context, tenant }) =>
    batchToWire(
      (await selectBatch(context.sql, tenant.companyId, params.id, shelfOf(query))) ??
        reject('NOT_FOUND', recordRef('Batch', params.id)),
    ),
});

export const deleteBatchRoute = route({
  method: 'DELETE',
  path: '/batch/{id}',
  cost: 'bulk',
  summary: 'Removes a batch with its documents and entries',
  tag: 'Batches',
  access: { to: 'record', record: 'batch', id: (input) => input.id, routine: 'DELETE_MOVEMENTS' },
  params: idParams,
  answer: deleted,
  handle: async ({ params, context }) => {
    await deleteBatches(context, [params.id]);
    return { message: 'Lote excluído' };
  },
});

export const deleteBatchesRoute = route({
  method: 'POST',
  path: '/batch/delete-multiple',
  cost: 'bulk',
  summary: 'Removes several batches, all or none',
  tag: 'Batches',
  access: { to: 'record', record: 'batch', id: (input) => input.ids, routine: 'DELETE_MOVEMENTS' },
  body: deleteBody,
  answer: deleted,
  handle: async ({ body, context }) => {
    await deleteBatches(context, body.ids);
    return { message: `${body.ids.length} lote(s) excluído(s)` };
  },
});

export const getBatchSummaryRoute = route({
  method: 'GET',
  path: '/batchsummary/{company}/{branch}',
  summary: 'Counts and sums of a branch',
  tag: 'Batches',
  access: { to: 'tenant', of: ({ company, branch }) => ({ company, branch }) },
  params: tenantParams,
  query: fromArchive,
  answer: batchSummaryAnswer,
  handle: async ({ query, context, tenant }) => {
    const totals = await selectBranchTotals(context.sql, tenant.companyId, tenant.branchId, query.history ?? false);
    if (!query.history) await rejectArchived(context.sql, [tenant]);
    return {
      company: tenant.company,
      branch: tenant.branch,
      totalBatches: totals.batches,
      totalDocuments: totals.documents,
      totalEntries: totals.lines,
      logicalEntryCount: totals.entries,
      ...sumsOf(totals),
    };
  },
});

export const postDocumentRoute = route({
  method: 'POST',
  path: '/document',
  summary: 'Creates a document in a batch',
  tag: 'Documents',
  access: { to: 'record', record: 'batch', id: ({ batchId }) => batchId },
  body: documentBody,
  fieldNames: DOCUMENT_FIELDS,
  status: 201,
  answer: documentAnswer,
  idempotent: true,
  handle: async ({ body, context, tenant }) =>
    documentToWire(
      await createDocument(context, tenant, {
        batchId: body.batchId,
        number: body.documento,
        referenceDay: body.diaref,
        text: body.texto,
        standardNarration: body.cdpadronizado,
      }),
    ),
});

export const getDocumentsRoute = route({
  method: 'GET',
  path: '/alldocument/{batchId}',
  summary: 'All documents of a batch',
  tag: 'Documents',
  access: { to: 'record', record: batchRecord, id: ({ batchId }) => batchId },
  params: batchParams,
  query: fromArchive,
  answer: z.array(documentAnswer),
  handle: ({ params, query, context, tenant }) =>
    streamJsonArray(
      keysetChunks((last: DocumentRow | undefined) =>
        selectDocumentsAfter(context.sql, tenant.companyId, params.batchId, last, PIECE, shelfOf(query)),
      ),
      documentToWire,
    ),
});

export const getDocumentPageRoute = route({
  method: 'GET',
  path: '/alldocument/{batchId}/page',
  summary: 'A page of the documents of a batch',
  tag: 'Documents',
  access: { to: 'record', record: batchRecord, id: ({ batchId }) => batchId },
  params: batchParams,
  query: z.strictObject({ ...movementsPage, sort: z.string().max(100).optional(), history }),
  answer: pageOf(documentAnswer),
  handle: async ({ params, query, context, tenant, config }) => {
    const slice = sliceOf(query, config);
    const ordering = orderingOf(query.sort, DOCUMENT_ORDERS);
    const shelf = shelfOf(query);
    const rows = await selectDocuments(context.sql, tenant.companyId, params.batchId, slice, ordering, shelf);
    const total = await countDocuments(context.sql, tenant.companyId, params.batchId, shelf);
    return pageToWire(rows.map(documentToWire), total, slice);
  },
});

export const getDocumentRoute = route({
  method: 'GET',
  path: '/document/{id}',
  summary: 'A document',
  tag: 'Documents',
  access: { to: 'record', record: documentRecord, id: (input) => input.id },
  params: idParams,
  query: fromArchive,
  answer: documentAnswer,
  handle: async ({ params, query, context, tenant }) =>
    documentToWire(
      (await selectDocument(context.sql, tenant.companyId, params.id, shelfOf(query))) ??
        reject('NOT_FOUND', recordRef('Document', params.id)),
    ),
});

export const deleteDocumentRoute = route({
  method: 'DELETE',
  path: '/document/{id}',
  cost: 'bulk',
  summary: 'Removes a document with its entries',
  tag: 'Documents',
  access: { to: 'record', record: 'document', id: (input) => input.id, routine: 'DELETE_MOVEMENTS' },
  params: idParams,
  answer: deleted,
  handle: async ({ params, context }) => {
    await deleteDocumentsById(context, [params.id]);
    return { message: 'Documento excluído' };
  },
});

export const deleteDocumentsRoute = route({
  method: 'POST',
  path: '/document/delete-multiple',
  cost: 'bulk',
  summary: 'Removes several documents, all or none',
  tag: 'Documents',
  access: { to: 'record', record: 'document', id: (input) => input.ids, routine: 'DELETE_MOVEMENTS' },
  body: deleteBody,
  answer: deleted,
  handle: async ({ body, context }) => {
    await deleteDocumentsById(context, body.ids);
    return { message: `${body.ids.length} documento(s) excluído(s)` };
  },
});

export const getDocumentSummaryRoute = route({
  method: 'GET',
  path: '/documentsummary/{batchId}',
  summary: 'Counts and sums of the documents of a batch',
  tag: 'Documents',
  access: { to: 'record', record: 'batch', id: ({ batchId }) => batchId },
  params: batchParams,
  answer: documentSummaryAnswer,
  handle: async ({ params, context, tenant }) => {
    const totals = await selectBatchTotals(context.sql, tenant.companyId, params.batchId);
    return { batchId: params.batchId, totalDocuments: totals.documents, ...sumsOf(totals) };
  },
});

export const postEntryRoute = route({
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
  handle: async ({ body, context, tenant }) => {
    const [line] = await postEntry(context, tenant, entryFromWire(body));
    return entryToWire(line!);
  },
});

export const getEntriesRoute = route({
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
    const { lines, entries } = await countLines(context.sql, tenant.companyId, params.documentId, shelfOf(query));
    const rows = query.history
      ? await selectArchivedLinePage(context.sql, tenant.companyId, params.documentId, slice)
      : await selectLinePage(context.sql, tenant.companyId, params.documentId, slice, lines);
    const firstLines = rows.filter((row) => row.sequence === 1).map(entryToWire);
    return { ...pageToWire(firstLines, lines, slice), logicalEntryCount: entries };
  },
});

export const getEntryRoute = route({
  method: 'GET',
  path: '/entry/{id}',
  summary: 'A line of an entry',
  tag: 'Entries',
  access: { to: 'record', record: 'entry', id: (input) => input.id },
  params: idParams,
  answer: entryAnswer,
  handle: async ({ params, context, tenant }) =>
    entryToWire(
      (await selectEntry(context.sql, tenant.companyId, params.id)) ??
        reject('NOT_FOUND', recordRef('Entry', params.id)),
    ),
});

export const deleteEntryRoute = route({
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

/** `narration=true` reads what archiving has moved away. */
function batchRecord({ history }: { history?: boolean | undefined }) {
  return history ? 'archivedBatch' : 'batch';
}

function documentRecord({ history }: { history?: boolean | undefined }) {
  return history ? 'archivedDocument' : 'document';
}

function shelfOf({ history }: { history?: boolean | undefined }): Shelf {
  return history ? 'HISTORY' : 'BOOKS';
}

/** 'field,asc' over a closed list of fields. */
function orderingOf(sort: string | undefined, orders: Readonly<Record<string, Ordering['by']>>): Ordering | undefined {
  if (sort === undefined) return undefined;
  const [field = '', direction = 'asc', ...more] = sort.split(',').map((each) => each.trim());
  const by = Object.hasOwn(orders, field) ? orders[field] : undefined;
  const upper = direction.toUpperCase();
  if (by === undefined || (upper !== 'ASC' && upper !== 'DESC') || more.length > 0) {
    const names = Object.keys(orders).join(', ');
    const reason = { reason: { en: `use ${names} with asc or desc`, pt: `use ${names} com asc ou desc` } };
    return rejectRequest('INVALID_FIELD', reason, 'sort');
  }
  return { by, direction: upper };
}

function sliceOf({ page, size }: { page: number; size?: number | undefined }, config: Config): PageRequest {
  return { page, size: size ?? config.movementsPageSize };
}
