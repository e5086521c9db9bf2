import { z } from 'zod';
import { monthNumberOf, yearOf } from '../../accounting/period.ts';
import { reject } from '../../accounting/problem.ts';
import { recordRef } from '../../accounting/record-name.ts';
import { rejectArchived } from '../../features/posting/archive/reject-archived.ts';
import {
  BATCH_ORDERS,
  type BatchRow,
  countBatches,
  NO_LINES,
  selectBatch,
  selectBatches,
  selectBatchesAfter,
  selectBranchTotals,
  selectTotalsOfBatches,
} from '../../features/posting/batches/batches.read.sql.ts';
import { createBatch } from '../../features/posting/batches/create-batch.ts';
import { deleteBatches } from '../../features/posting/batches/delete-movements.ts';
import {
  branchCode,
  codeText,
  companyCode,
  id,
  idParams,
  optional,
  pathId,
  tenantParams,
  text,
  wholeText,
} from '../fields.ts';
import { pageOf, pageToWire } from '../paging.ts';
import { route } from '../route.ts';
import { keysetChunks, PIECE, streamJsonArray } from '../stream-json-array.ts';
import {
  batchRecord,
  deleteBody,
  deleted,
  fromArchive,
  history,
  ignoredStamps,
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

export const batchBody = z.strictObject({
  ...ignoredStamps,
  lote: optional(codeText(10).meta({ example: '1' })),
  empresa: companyCode,
  filial: branchCode,
  ano: z.number().int().min(1900).max(9999).meta({ example: 2026 }),
  mes: z.number().int().min(1).max(12).meta({ example: 1 }),
  descricao: optional(text(200).meta({ example: 'Movimento diário' })),
});

export const batchAnswer = z.object({
  id,
  lote: z.string(),
  empresa: z.string(),
  filial: z.string(),
  ano: z.number().int(),
  mes: z.number().int(),
  descricao: z.string().nullable(),
  ...stamps,
});

export function batchToWire(row: BatchRow): z.output<typeof batchAnswer> {
  return {
    id: row.id,
    lote: row.number,
    empresa: row.company,
    filial: row.branch,
    ano: yearOf(row.month),
    mes: monthNumberOf(row.month),
    descricao: row.description,
    ...stampsOf(row),
  };
}

/** Fields that a page may be ordered by. */
const BATCH_SORTS = {
  lote: BATCH_ORDERS.number,
  id: BATCH_ORDERS.id,
  descricao: BATCH_ORDERS.description,
  ano: BATCH_ORDERS.year,
  mes: BATCH_ORDERS.month,
  createdAt: BATCH_ORDERS.createdAt,
};

/** Wire names of the paths of batches, documents and entries. */
export const BATCH_FIELDS = { 'batch.month': 'mes', 'batch.number': 'lote' } as const;

export const batchSummaryAnswer = z.object({
  company: z.string(),
  branch: z.string(),
  totalBatches: z.number().int(),
  totalDocuments: z.number().int(),
  totalEntries: z.number().int(),
  logicalEntryCount: z.number().int(),
  ...sums,
});

// Batches, documents and entries as both the master-data and the movements service show them, identically.

export const batchParams = z.object({ batchId: pathId });

export const postBatchRoute = route({
  operationId: 'createBatch',
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
  operationId: 'listBatches',
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
        selectBatchesAfter(context.sql, tenant.companyId, tenant.branchId, last, PIECE, storageOf(query)),
      ),
      batchToWire,
    ),
});

export const getBatchPageRoute = route({
  operationId: 'getBatchPage',
  method: 'GET',
  path: '/allbatch/{company}/{branch}/page',
  summary: 'A page of the batches of a branch',
  tag: 'Batches',
  access: { to: 'tenant', of: ({ company, branch }) => ({ company, branch }) },
  params: tenantParams,
  cost: ({ totais }: { totais?: boolean }) => (totais ? 'heavy' : 'ordinary'),
  query: z.strictObject({
    ...movementsPage,
    sort: z.string().max(100).optional(),
    history,
    ano: wholeText(1900, 9999).optional().meta({ type: 'integer', example: 2026 }),
    mes: wholeText(1, 12).optional().meta({ type: 'integer', example: 1 }),
    texto: textQuery,
    ...totalsQuery,
  }),
  answer: pageOf(
    batchAnswer
      .extend({ totalDocuments: z.number().int().optional(), ...totalsAnswer })
      .meta({ title: 'BatchWithTotals' }),
  ),
  handle: async ({ context, tenant, query, config }) => {
    const slice = sliceOf(query, config);
    const ordering = orderingOf(query.sort, BATCH_SORTS);
    const { ano: year, mes: monthNumber, texto: text } = query;
    const filter = { ...tenant, year, monthNumber, text, storage: storageOf(query) };
    const rows = await selectBatches(context.sql, filter, slice, ordering);
    const total = await countBatches(context.sql, filter);
    const ids = query.totais ? rows.map(({ id }) => id) : [];
    const totalsOf = await selectTotalsOfBatches(context.sql, tenant.companyId, ids, filter.storage);
    const content = rows.map((row) => {
      const totals = totalsOf.get(row.id) ?? (query.totais ? NO_LINES : undefined);
      return {
        ...batchToWire(row),
        ...(totals ? { totalDocuments: totals.documents } : {}),
        ...totalsToWire(totals),
      };
    });
    return pageToWire(content, total, slice);
  },
});

export const getBatchRoute = route({
  operationId: 'getBatch',
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
      (await selectBatch(context.sql, tenant.companyId, params.id, storageOf(query))) ??
        reject('NOT_FOUND', recordRef('Batch', params.id)),
    ),
});

export const deleteBatchRoute = route({
  operationId: 'deleteBatch',
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
  operationId: 'deleteBatches',
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
  operationId: 'getBatchSummary',
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
