import { z } from 'zod';
import { INSTITUTION } from '../../features/access/access.ts';
import { type DeliveryRow, selectDeliveries } from '../../features/reporting/filings/deliveries/deliveries.read.sql.ts';
import {
  DELIVERY_STATUSES,
  FILING_KINDS,
  nextStatuses,
  REMITTANCES,
} from '../../features/reporting/filings/deliveries/delivery.ts';
import { recordDelivery } from '../../features/reporting/filings/deliveries/record-delivery.ts';
import { companyCode, id, idParams, instant, optional, rejectOtherId, text, wholeText } from '../../http/fields.ts';
import { route } from '../../http/route.ts';
import { ecdBook } from './regulatory-files.routes.ts';

const TAG = 'Regulatory files';
const day = z.string().meta({ format: 'date', example: '2025-06-30' });
const status = z.enum(DELIVERY_STATUSES).meta({ example: 'ACCEPTED' });

const deliveryAnswer = z
  .object({
    id,
    arquivo: z.enum(FILING_KINDS).meta({ example: 'ECD' }),
    dataInicio: day,
    dataFim: day,
    livro: ecdBook.nullable(),
    numeroLivro: z.number().int().nullable().meta({ example: 7 }),
    remessa: z.enum(REMITTANCES).nullable().meta({ example: null }),
    sha256: z.string().meta({ example: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855' }),
    bytes: z.number().int().meta({ example: 9120 }),
    linhas: z.number().int().meta({ example: 143 }),
    erros: z.number().int().meta({ example: 0 }),
    avisos: z.number().int().meta({ example: 0 }),
    status,
    proximos: z.array(status).meta({ example: [], description: 'what may be recorded of it next' }),
    hashLivro: z
      .string()
      .nullable()
      .meta({ example: null, description: 'of the ECD: the hash of the official program' }),
    recibo: z.string().nullable().meta({ example: null }),
    substitui: id.nullable().meta({ description: 'the delivery whose place it takes' }),
    job: id.nullable(),
    download: z
      .string()
      .nullable()
      .meta({ example: '/regulatory/jobs/1/download', description: 'null: the file is no longer kept' }),
    geradaEm: instant,
    geradaPor: z.string().meta({ example: 'ana' }),
    atualizadaEm: instant,
  })
  .meta({ title: 'RegulatoryDelivery' });

export const getDeliveriesRoute = route({
  operationId: 'listRegulatoryDeliveries',
  method: 'GET',
  path: '/regulatory/deliveries',
  summary: 'The files that were written for regulators of a year, newest first, and what became of them',
  tag: TAG,
  addition: true,
  access: {
    to: 'tenant',
    of: ({ empresa }) => ({ company: empresa, branch: INSTITUTION }),
    institution: true,
  },
  query: z.strictObject({ empresa: companyCode, ano: wholeText(1900, 9999).meta({ type: 'integer', example: 2025 }) }),
  answer: z.array(deliveryAnswer),
  handle: async ({ query, context, tenants }) =>
    (await selectDeliveries(context.sql, tenants[0]!.companyId, query.ano)).map(deliveryToWire),
});

const BOOK_HASH = 'must have 40 hexadecimal digits | deve ter 40 algarismos hexadecimais';

export const putDeliveryRoute = route({
  operationId: 'recordRegulatoryDelivery',
  method: 'PUT',
  path: '/regulatory/deliveries/{id}',
  summary: 'Records what became of a file: its state, the hash of the book and the receipt; what is left out stays',
  tag: TAG,
  addition: true,
  access: {
    to: 'record',
    record: 'regulatoryDelivery',
    id: (input) => input.id,
    routine: 'REGULATORY_FILES',
  },
  params: idParams,
  body: z.strictObject({
    id: optional(id),
    status: optional(status),
    hashLivro: optional(
      z
        .string()
        .regex(/^[0-9a-fA-F]{40}$/, BOOK_HASH)
        .transform((hash) => hash.toUpperCase())
        .meta({ example: '8E3F0A1B2C3D4E5F60718293A4B5C6D7E8F90A1B' }),
    ),
    recibo: optional(text(200, 1)).meta({ example: '8E3F0A1B2C3D4E5F' }),
  }),
  fieldNames: { bookHash: 'hashLivro' },
  answer: deliveryAnswer,
  handle: async ({ params, body, context, tenants }) => {
    rejectOtherId(body.id, params.id);
    const change = { status: body.status, bookHash: body.hashLivro, receipt: body.recibo };
    return deliveryToWire(await recordDelivery(context, tenants[0]!.companyId, params.id, change));
  },
});

function deliveryToWire(row: DeliveryRow): z.input<typeof deliveryAnswer> {
  const { kind, from, to, book, orderNumber, remittance, sha256, bytes, lines, errors, warnings, jobId } = row;
  return {
    ...{ id: row.id, arquivo: kind, dataInicio: from, dataFim: to, livro: book, numeroLivro: orderNumber },
    ...{ remessa: remittance, sha256, bytes, linhas: lines, erros: errors, avisos: warnings, status: row.status },
    proximos: [...nextStatuses(row.status)],
    ...{ hashLivro: row.bookHash, recibo: row.receipt, substitui: row.replacesId, job: jobId },
    download: row.hasFile ? `/regulatory/jobs/${jobId}/download` : null,
    geradaEm: row.generatedAt.toISOString(),
    geradaPor: row.generatedBy,
    atualizadaEm: row.updatedAt.toISOString(),
  };
}
