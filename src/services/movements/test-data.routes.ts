import { z } from 'zod';
import { reject } from '../../accounting/problem.ts';
import { createRandomEntries } from '../../features/operations/test-data/create-random-entries.ts';
import { amount, branchCode, companyCode } from '../../http/fields.ts';
import { rejectRequest } from '../../http/request-error.ts';
import { route } from '../../http/route.ts';

const MAX_BATCHES = 1_000;
const MAX_ENTRIES = 1_000_000;

export const createEntriesRoute = route({
  operationId: 'createRandomEntries',
  method: 'POST',
  path: '/admin/create-entries',
  cost: 'bulk',
  summary: 'Creates random entries; for development and tests only',
  tag: 'Test data',
  access: { to: 'tenant', of: ({ company, branch }) => ({ company, branch }), admin: true },
  body: z.strictObject({
    company: companyCode,
    branch: branchCode,
    quantidadeLotes: z.number().int().min(1).max(MAX_BATCHES),
    quantidadeLancamentos: z.number().int().min(1).max(MAX_ENTRIES).meta({ example: 10 }),
    valorMinimo: amount.meta({ example: 1 }),
    valorMaximo: amount.meta({ example: 1000 }),
    usaTodoMes: z.boolean(),
  }),
  answer: z.object({ message: z.string(), batchesCreated: z.number().int(), entriesCreated: z.number().int() }),
  handle: async ({ body, context, tenant, config }) => {
    if (config.production && !config.allowTestData) reject('ROUTE_NOT_FOUND');
    if (body.valorMinimo <= 0n) rejectRequest('AMOUNT_NOT_POSITIVE', {}, 'valorMinimo');
    if (body.valorMaximo < body.valorMinimo) {
      rejectRequest(
        'INVALID_FIELD',
        { reason: { en: 'must not be below valorMinimo', pt: 'não pode ser menor que valorMinimo' } },
        'valorMaximo',
      );
    }
    const created = await createRandomEntries(context, tenant, {
      batches: body.quantidadeLotes,
      entries: body.quantidadeLancamentos,
      minimum: body.valorMinimo,
      maximum: body.valorMaximo,
      wholeMonth: body.usaTodoMes,
    });
    return {
      message: `${created.entries} lançamento(s) criado(s) em ${created.batches} lote(s)`,
      batchesCreated: created.batches,
      entriesCreated: created.entries,
    };
  },
});
