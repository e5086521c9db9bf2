import { z } from 'zod';
import { decimalOf } from '../../accounting/money.ts';
import { dayIn, dayNumberOf, monthNumberOf, monthOf, monthOfDay, yearOf } from '../../accounting/period.ts';
import { reject } from '../../accounting/problem.ts';
import { recordRef } from '../../accounting/record-name.ts';
import {
  applyTemplate,
  changeTemplateUse,
  deleteTemplateUse,
  type GivenUse,
} from '../../features/posting/templates/apply-template.ts';
import { knownAmount, missingAmounts } from '../../features/posting/templates/entries-of-template.ts';
import {
  type PendingUse,
  selectLastTemplateUse,
  selectPendingUses,
  selectTemplateUses,
  type TemplateUseRow,
} from '../../features/posting/templates/templates.read.sql.ts';
import { approvalAnswer, postedOrKept } from '../../http/approvals.ts';
import {
  amount,
  branchCode,
  codeText,
  companyCode,
  exactNumber,
  id,
  idParams,
  instant,
  isoDay,
  messageAnswer,
  moneyAnswer,
  optional,
  readOnly,
  rejectOtherId,
  side,
  tenantParams,
  text,
  wholeText,
} from '../../http/fields.ts';
import { BATCH_FIELDS } from '../../http/movements/batches.routes.ts';
import { rejectRequest } from '../../http/request-error.ts';
import { route } from '../../http/route.ts';
import { wireWords } from '../../http/wire-words.ts';
import { byCodes, rejectOtherTenant, releaseCode, valueTypes } from './releases.ts';

const statuses = wireWords({ PENDING: 'PENDENTE', POSTED: 'LANCADO' });
const origins = wireWords({ MANUAL: 'MANUAL', SCHEDULED: 'AGENDADO', REVERSAL: 'ESTORNO' });

const dataBody = z.strictObject({
  id: readOnly,
  company: companyCode,
  branch: branchCode,
  code: releaseCode,
  year: z.number().int().min(1900).max(9999).meta({ example: 2026 }),
  month: z.number().int().min(1).max(12),
  day: z.number().int().min(1).max(31),
  lote: optional(codeText(10)),
  documento: optional(codeText(20)),
  valores: z
    .array(
      z.strictObject({ sequence: z.number().int().min(0).max(10_000), valor: amount, historico: optional(text(500)) }),
    )
    .max(1_000)
    .default([]),
  dataFato: optional(isoDay.meta({ example: null })),
  status: statuses.inputOr('PENDING'),
  batchId: readOnly,
  documentId: readOnly,
  origin: readOnly,
  reversedUseId: readOnly,
  createdAt: readOnly,
  updatedAt: readOnly,
});

const dataAnswer = z.object({
  id,
  company: z.string(),
  branch: z.string(),
  code: z.string(),
  year: z.number().int(),
  month: z.number().int(),
  day: z.number().int(),
  lote: z.string().nullable(),
  documento: z.string().nullable(),
  valores: z.array(z.object({ sequence: z.number().int(), valor: moneyAnswer, historico: z.string().nullable() })),
  dataFato: z.string().optional().meta({ example: '2025-12-20' }),
  status: statuses.answer,
  batchId: id.nullable(),
  documentId: id.nullable(),
  origin: origins.answer,
  reversedUseId: id.nullable(),
  createdAt: instant,
  updatedAt: instant,
});

const DATA_FIELDS = {
  ...BATCH_FIELDS,
  amounts: 'valores',
  'amounts[]': 'valores.[]',
  'document.number': 'documento',
  // Accounts are the template's.
  'entry.account': 'contaId',
  'entry.amount': 'valores',
  'entry.day': 'day',
  'entry.factDay': 'dataFato',
  'entry.month': 'month',
  'entry.narration': 'historico',
  'entry.narrationCode': 'cdhistorico',
  'entry.offsetAccount': 'contrapartida',
  'template.code': 'code',
} as const;

const pendingAnswer = dataAnswer.extend({
  description: z.string().meta({ example: 'Aluguel da sede' }),
  lines: z.array(
    z.object({
      sequence: z.number().int(),
      debcre: side,
      contaId: id,
      contrapartida: id.nullable(),
      valueType: valueTypes.answer,
      valor: moneyAnswer
        .nullable()
        .describe('Known already: fixed, or given; percentages and balances when it is posted'),
      percentual: moneyAnswer.nullable(),
    }),
  ),
  missing: z.array(z.number().int()).describe('Sequences whose amount is to be given; 0 is the base of percentages'),
});

export const getReleaseDataListRoute = route({
  operationId: 'listTemplateUses',
  method: 'GET',
  path: '/releasedata/{company}/{branch}',
  summary: 'Uses of the entry templates of a branch',
  tag: 'Releases',
  access: byCodes,
  params: tenantParams,
  answer: z.array(dataAnswer),
  handle: async ({ context, tenant }) => (await selectTemplateUses(context.sql, tenant)).map(dataToWire),
});

export const getPendingReleaseDataRoute = route({
  operationId: 'listPendingTemplateUses',
  method: 'GET',
  path: '/releasedata/pending/{company}/{branch}/{year}/{month}',
  summary:
    'Uses of a month that are still to be posted: their lines with the amounts that are known, and what is missing',
  tag: 'Releases',
  addition: true,
  access: byCodes,
  params: tenantParams.extend({
    year: wholeText(1900, 9999).meta({ type: 'integer', example: 2026 }),
    month: wholeText(1, 12).meta({ type: 'integer', example: 1 }),
  }),
  answer: z.array(pendingAnswer),
  handle: async ({ params, context, tenant }) =>
    (await selectPendingUses(context.sql, tenant, monthOf(params.year, params.month)!)).map(pendingToWire),
});

export const getReleaseDataRoute = route({
  operationId: 'getLastTemplateUse',
  method: 'GET',
  path: '/releasedata/{company}/{branch}/{code}',
  summary: 'The last use of an entry template',
  tag: 'Releases',
  access: byCodes,
  params: tenantParams.extend({ code: releaseCode }),
  answer: dataAnswer,
  handle: async ({ params, context, tenant }) => {
    const last = await selectLastTemplateUse(context.sql, tenant, { code: params.code });
    return dataToWire(last ?? reject('NOT_FOUND', recordRef('Template use', params.code)));
  },
});

export const postReleaseDataRoute = route({
  operationId: 'createTemplateUse',
  method: 'POST',
  path: '/releasedata/',
  summary: 'Gives amounts to an entry template; with status LANCADO posts its document and entries',
  tag: 'Releases',
  access: byCodes,
  fieldNames: DATA_FIELDS,
  body: dataBody,
  status: 201,
  answer: dataAnswer,
  idempotent: true,
  otherAnswers: { 202: approvalAnswer },
  handle: ({ body, context, tenant }) => {
    const given = dataFromWire(body);
    return postedOrKept(context, tenant, { operation: 'applyTemplate', input: [given] }, async () =>
      dataToWire(await applyTemplate(context, tenant, given)),
    );
  },
});

export const putReleaseDataRoute = route({
  operationId: 'replaceTemplateUse',
  method: 'PUT',
  path: '/releasedata/{id}',
  summary: 'Fills in a pending use; with status LANCADO posts it',
  tag: 'Releases',
  addition: true,
  access: { to: 'record', record: 'templateUse', id: (input) => input.id as number },
  fieldNames: DATA_FIELDS,
  params: idParams,
  body: dataBody,
  answer: dataAnswer,
  otherAnswers: { 202: approvalAnswer },
  handle: async ({ params, body, context, tenant }) => {
    rejectOtherId(body.id, params.id);
    rejectOtherTenant(tenant, body);
    const given = dataFromWire(body);
    return postedOrKept(context, tenant, { operation: 'changeTemplateUse', input: [params.id, given] }, async () =>
      dataToWire(await changeTemplateUse(context, tenant, params.id, given)),
    );
  },
});

export const deleteReleaseDataRoute = route({
  operationId: 'deleteTemplateUse',
  method: 'DELETE',
  path: '/releasedata/{id}',
  summary: 'Removes a use that has posted nothing',
  tag: 'Releases',
  access: { to: 'record', record: 'templateUse', id: (input) => input.id },
  params: idParams,
  answer: messageAnswer,
  handle: async ({ params, context, tenant }) => {
    await deleteTemplateUse(context, tenant, params.id);
    return { message: 'Registro excluído' };
  },
});

function dataToWire(row: TemplateUseRow): z.output<typeof dataAnswer> {
  const month = monthOfDay(row.day);
  return {
    id: row.id,
    company: row.company,
    branch: row.branch,
    code: row.code,
    year: yearOf(month),
    month: monthNumberOf(month),
    day: dayNumberOf(row.day),
    lote: row.batchNumber,
    documento: row.documentNumber,
    valores: row.amounts.map((each) => ({
      sequence: each.sequence,
      valor: exactNumber(each.amount),
      historico: each.narration,
    })),
    ...(row.factDay === null ? {} : { dataFato: row.factDay }),
    status: statuses.toWire(row.status),
    batchId: row.batchId,
    documentId: row.documentId,
    origin: origins.toWire(row.origin),
    reversedUseId: row.reversedUseId,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function dataFromWire(body: z.output<typeof dataBody>): GivenUse {
  const month = monthOf(body.year, body.month)!;
  const day = dayIn(month, body.day) ?? rejectRequest('DAY_NOT_IN_MONTH', { day: body.day, month }, 'day');
  const amounts = body.valores.map((each) => ({
    sequence: each.sequence,
    amount: decimalOf(each.valor),
    narration: each.historico ?? null,
  }));
  return {
    code: body.code,
    day,
    batchNumber: body.lote,
    documentNumber: body.documento,
    amounts,
    factDay: body.dataFato,
    status: body.status,
  };
}

function pendingToWire(use: PendingUse): z.output<typeof pendingAnswer> {
  const decimal = (value: string | null | undefined) => (value ? exactNumber(value) : null);
  // A reversal has the lines of what it reverses, not the template's.
  const lines = use.origin === 'REVERSAL' ? [] : use.lines;
  return {
    ...dataToWire(use),
    description: use.description,
    lines: lines.map((line) => ({
      sequence: line.sequence,
      debcre: line.side,
      contaId: line.accountId,
      contrapartida: line.offsetAccountId,
      valueType: valueTypes.toWire(line.valueType),
      valor: decimal(knownAmount(line, use.amounts)),
      percentual: decimal(line.percentage),
    })),
    missing: missingAmounts(lines, use.amounts),
  };
}
