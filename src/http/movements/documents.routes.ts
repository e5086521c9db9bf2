import { z } from 'zod';
import { reject } from '../../accounting/problem.ts';
import { recordRef } from '../../accounting/record-name.ts';
import {
  countDocuments,
  DOCUMENT_ORDERS,
  type DocumentRow,
  selectBatchTotals,
  selectDocument,
  selectDocuments,
  selectDocumentsAfter,
  selectTotalsOfDocuments,
} from '../../features/posting/batches/batches.read.sql.ts';
import { createDocument } from '../../features/posting/batches/create-document.ts';
import { deleteDocumentsById } from '../../features/posting/batches/delete-movements.ts';
import { codeText, id, idParams, optional, readOnly, text } from '../fields.ts';
import { pageOf, pageToWire } from '../paging.ts';
import { route } from '../route.ts';
import { keysetChunks, PIECE, streamJsonArray } from '../stream-json-array.ts';
import { batchParams } from './batches.routes.ts';
import {
  batchRecord,
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
  orderingOf,
  sliceOf,
  stamps,
  stampsOf,
  storageOf,
  sums,
  sumsOf,
  textQuery,
  totalsAnswer,
  totalsQuery,
  totalsToWire,
} from './shared.ts';

export const DOCUMENT_FIELDS = {
  'document.batch': 'batchId',
  'document.day': 'diaref',
  'document.narrationCode': 'cdpadronizado',
  'document.number': 'documento',
} as const;

export const documentBody = z.strictObject({
  ...ignoredStamps,
  importId: readOnly,
  batchId: id,
  documento: optional(codeText(20).meta({ example: '100' })),
  diaref: optional(dayText),
  texto: optional(text(500).meta({ example: 'Aporte de cotistas' })),
  cdpadronizado: optional(text(5).meta({ example: '00010' })),
});

export const documentAnswer = z.object({
  id,
  batchId: id,
  documento: z.string(),
  diaref: z.string().nullable(),
  texto: z.string().nullable(),
  cdpadronizado: z.string().nullable(),
  ...importStamp,
  ...stamps,
});

export function documentToWire(row: DocumentRow): z.output<typeof documentAnswer> {
  return {
    id: row.id,
    batchId: row.batchId,
    documento: row.number,
    diaref: row.referenceDay === null ? null : String(row.referenceDay).padStart(2, '0'),
    texto: row.text,
    cdpadronizado: row.standardNarration,
    ...importStampOf(row),
    ...stampsOf(row),
  };
}

/** Fields that a page may be ordered by. */
const DOCUMENT_SORTS = {
  documento: DOCUMENT_ORDERS.number,
  id: DOCUMENT_ORDERS.id,
  diaref: DOCUMENT_ORDERS.referenceDay,
  texto: DOCUMENT_ORDERS.text,
  createdAt: DOCUMENT_ORDERS.createdAt,
};

export const documentSummaryAnswer = z.object({ batchId: id, totalDocuments: z.number().int(), ...sums });

export const postDocumentRoute = route({
  operationId: 'createDocument',
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
  operationId: 'listDocuments',
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
        selectDocumentsAfter(context.sql, tenant.companyId, params.batchId, last, PIECE, storageOf(query)),
      ),
      documentToWire,
    ),
});

export const getDocumentPageRoute = route({
  operationId: 'getDocumentPage',
  method: 'GET',
  path: '/alldocument/{batchId}/page',
  summary: 'A page of the documents of a batch',
  tag: 'Documents',
  access: { to: 'record', record: batchRecord, id: ({ batchId }) => batchId },
  params: batchParams,
  cost: ({ totais }: { totais?: boolean }) => (totais ? 'heavy' : 'ordinary'),
  query: z.strictObject({
    ...movementsPage,
    sort: z.string().max(100).optional(),
    history,
    texto: textQuery,
    ...totalsQuery,
  }),
  answer: pageOf(documentAnswer.extend(totalsAnswer).meta({ title: 'DocumentWithTotals' })),
  handle: async ({ params, query, context, tenant, config }) => {
    const slice = sliceOf(query, config);
    const ordering = orderingOf(query.sort, DOCUMENT_SORTS);
    const { companyId } = tenant;
    const filter = { companyId, batchId: params.batchId, text: query.texto, storage: storageOf(query) };
    const rows = await selectDocuments(context.sql, filter, slice, ordering);
    const total = await countDocuments(context.sql, filter);
    const ids = query.totais ? rows.map(({ id }) => id) : [];
    const totalsOf = await selectTotalsOfDocuments(context.sql, companyId, ids, filter.storage);
    const content = rows.map((row) => ({ ...documentToWire(row), ...totalsToWire(totalsOf.get(row.id)) }));
    return pageToWire(content, total, slice);
  },
});

export const getDocumentRoute = route({
  operationId: 'getDocument',
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
      (await selectDocument(context.sql, tenant.companyId, params.id, storageOf(query))) ??
        reject('NOT_FOUND', recordRef('Document', params.id)),
    ),
});

export const deleteDocumentRoute = route({
  operationId: 'deleteDocument',
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
  operationId: 'deleteDocuments',
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
  operationId: 'getDocumentSummary',
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
