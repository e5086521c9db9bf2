import { z } from 'zod';
import { decimalOf } from '../../accounting/money.ts';
import { dayIn, dayNumberOf, monthNumberOf, monthOf, monthOfDay, yearOf } from '../../accounting/period.ts';
import { reject } from '../../accounting/problem.ts';
import { recordRef } from '../../accounting/record-name.ts';
import { requireRecord, selectRecords } from '../../features/master-data/records/records.read.sql.ts';
import { applyTemplate, deleteTemplateUse } from '../../features/posting/templates/apply-template.ts';
import type { TemplateLine } from '../../features/posting/templates/entries-of-template.ts';
import {
  deleteTemplate,
  ENTRY_TEMPLATE,
  saveTemplate,
  type TemplateInput,
  type TemplateRecord,
} from '../../features/posting/templates/save-template.ts';
import {
  selectLastTemplateUse,
  selectTemplateId,
  selectTemplateUses,
  type TemplateUseRow,
} from '../../features/posting/templates/templates.read.sql.ts';
import { bodyFields, fieldsFromWire } from '../../http/field-schemas.ts';
import {
  accountId,
  amount,
  branchCode,
  codeText,
  companyCode,
  exactNumber,
  id,
  idParams,
  instant,
  moneyAnswer,
  optional,
  readOnly,
  side,
  tenantParams,
  text,
} from '../../http/fields.ts';
import { BATCH_FIELDS } from '../../http/movements/batches.routes.ts';
import { rejectRequest } from '../../http/request-error.ts';
import { route } from '../../http/route.ts';
import { recordAnswer, recordToWire, rejectOtherKey } from './record-routes.ts';

const releaseCode = codeText(20).meta({ example: 'ALUGUEL' });
const VALUE_TYPES = ['FIXO', 'INFORMADO', 'PERCENTUAL', 'SALDO_CONTA'] as const;

const lineBody = z.strictObject({
  sequence: z.number().int().min(1).max(10_000),
  debcre: side,
  contaId: accountId,
  contrapartida: optional(accountId.meta({ example: 2 })),
  valueType: z.enum(VALUE_TYPES),
  valor: optional(amount),
  percentual: optional(amount.meta({ example: 100 })),
  cdhistorico: optional(text(5).meta({ example: '00010' })),
  historico: optional(text(500)),
});

const TEMPLATE_NAMES = { documentNumber: 'documento', narrationCode: 'cdhistorico' } as const;

const TEMPLATE_FIELDS = {
  ...TEMPLATE_NAMES,
  'lines[].account': 'lines.[].contaId',
  'lines[].amount': 'lines.[].valor',
  'lines[].narrationCode': 'lines.[].cdhistorico',
  'lines[].offsetAccount': 'lines.[].contrapartida',
  'lines[].percentage': 'lines.[].percentual',
} as const;

const releaseBody = z.strictObject({
  id: readOnly,
  company: optional(companyCode),
  branch: optional(branchCode),
  ...bodyFields(ENTRY_TEMPLATE.fields, { lines: z.array(lineBody).min(1).max(1_000) }, TEMPLATE_NAMES),
  createdAt: readOnly,
  updatedAt: readOnly,
});

const releaseAnswer = recordAnswer({
  definition: ENTRY_TEMPLATE,
  names: TEMPLATE_NAMES,
  structures: {
    body: {},
    answer: {
      lines: z.array(
        z.object({
          sequence: z.number().int(),
          debcre: side,
          contaId: accountId,
          contrapartida: accountId.nullable(),
          valueType: z.enum(VALUE_TYPES),
          valor: moneyAnswer.nullable(),
          percentual: moneyAnswer.nullable(),
          cdhistorico: z.string().nullable(),
          historico: z.string().nullable(),
        }),
      ),
    },
  },
});

const byCodes = {
  to: 'tenant',
  of: ({ company, branch }: { company: string; branch: string }) => ({ company, branch }),
} as const;

export const getReleasesRoute = route({
  method: 'GET',
  path: '/release/all',
  summary: 'Entry templates of the branches that the caller reaches',
  tag: 'Releases',
  access: { to: 'anyUser' },
  answer: z.array(releaseAnswer),
  handle: async ({ context }) => (await selectRecords(context.sql, ENTRY_TEMPLATE)).map(releaseToWire),
});

export const postReleaseRoute = route({
  method: 'POST',
  path: '/release/{company}/{branch}',
  summary: 'Creates an entry template',
  tag: 'Releases',
  access: { to: 'tenant', of: pathTenant, routine: 'SETTINGS' },
  fieldNames: TEMPLATE_FIELDS,
  params: tenantParams,
  body: releaseBody,
  status: 201,
  answer: releaseAnswer,
  handle: async ({ params, body, context, tenant }) => {
    rejectOtherTenant(params, body);
    return releaseToWire(await saveTemplate(context, tenant, releaseFromWire(body)));
  },
});

export const getReleaseRoute = route({
  method: 'GET',
  path: '/release/{company}/{branch}/{code}',
  summary: 'An entry template by code',
  tag: 'Releases',
  access: byCodes,
  params: tenantParams.extend({ code: releaseCode }),
  answer: releaseAnswer,
  handle: async ({ params, context, tenant }) => {
    const key =
      (await selectTemplateId(context.sql, tenant, params.code)) ??
      reject('NOT_FOUND', recordRef('Entry template', params.code));
    return releaseToWire(await requireRecord(context.sql, ENTRY_TEMPLATE, key));
  },
});

export const putReleaseRoute = route({
  method: 'PUT',
  path: '/release/{company}/{branch}',
  summary: 'Replaces an entry template, identified by its code',
  tag: 'Releases',
  access: { to: 'tenant', of: pathTenant, routine: 'SETTINGS' },
  fieldNames: TEMPLATE_FIELDS,
  params: tenantParams,
  body: releaseBody,
  answer: releaseAnswer,
  handle: async ({ params, body, context, tenant }) => {
    rejectOtherTenant(params, body);
    const key =
      (await selectTemplateId(context.sql, tenant, body.code)) ??
      rejectRequest('NOT_FOUND', recordRef('Entry template', body.code), 'code');
    rejectOtherKey(key, body);
    return releaseToWire(await saveTemplate(context, tenant, releaseFromWire(body), key));
  },
});

export const deleteReleaseRoute = route({
  method: 'DELETE',
  path: '/release/{id}',
  summary: 'Removes an entry template that was never used',
  tag: 'Releases',
  access: { to: 'record', record: 'entryTemplate', id: (input) => input.id, routine: 'SETTINGS' },
  params: idParams,
  answer: z.object({ message: z.string() }),
  handle: async ({ params, context }) => {
    await deleteTemplate(context, params.id);
    return { message: 'Lançamento padrão excluído' };
  },
});

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
  status: z.enum(['PENDENTE', 'LANCADO']).default('PENDENTE'),
  batchId: readOnly,
  documentId: readOnly,
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
  status: z.enum(['PENDENTE', 'LANCADO']),
  batchId: id.nullable(),
  documentId: id.nullable(),
  createdAt: instant,
  updatedAt: instant,
});

export const getReleaseDataListRoute = route({
  method: 'GET',
  path: '/releasedata/{company}/{branch}',
  summary: 'Uses of the entry templates of a branch',
  tag: 'Releases',
  access: byCodes,
  params: tenantParams,
  answer: z.array(dataAnswer),
  handle: async ({ context, tenant }) => (await selectTemplateUses(context.sql, tenant)).map(dataToWire),
});

export const getReleaseDataRoute = route({
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
  method: 'POST',
  path: '/releasedata/',
  summary: 'Gives amounts to an entry template; with status LANCADO posts its document and entries',
  tag: 'Releases',
  access: byCodes,
  fieldNames: {
    ...BATCH_FIELDS,
    amounts: 'valores',
    'amounts[]': 'valores.[]',
    'document.number': 'documento',
    // Accounts are the template's.
    'entry.account': 'contaId',
    'entry.amount': 'valores',
    'entry.day': 'day',
    'entry.month': 'month',
    'entry.narration': 'historico',
    'entry.narrationCode': 'cdhistorico',
    'entry.offsetAccount': 'contrapartida',
    'template.code': 'code',
  },
  body: dataBody,
  status: 201,
  answer: dataAnswer,
  idempotent: true,
  handle: async ({ body, context, tenant }) => {
    const month = monthOf(body.year, body.month)!;
    const day = dayIn(month, body.day) ?? rejectRequest('DAY_NOT_IN_MONTH', { day: body.day, month }, 'day');
    const amounts = body.valores.map((each) => ({
      sequence: each.sequence,
      amount: decimalOf(each.valor),
      narration: each.historico ?? null,
    }));
    const { code, status, lote: batchNumber, documento: documentNumber } = body;
    return dataToWire(
      await applyTemplate(context, tenant, { code, day, batchNumber, documentNumber, amounts, status }),
    );
  },
});

export const deleteReleaseDataRoute = route({
  method: 'DELETE',
  path: '/releasedata/{id}',
  summary: 'Removes a use that has posted nothing',
  tag: 'Releases',
  access: { to: 'record', record: 'templateUse', id: (input) => input.id },
  params: idParams,
  answer: z.object({ message: z.string() }),
  handle: async ({ params, context, tenant }) => {
    await deleteTemplateUse(context, tenant, params.id);
    return { message: 'Registro excluído' };
  },
});

/** The path names the tenant; codes in the body may only repeat it. */
function pathTenant({ company, branch }: { company?: string | undefined; branch?: string | undefined }) {
  return { company: company ?? '', branch: branch ?? '' };
}

function rejectOtherTenant(
  path: { company: string; branch: string },
  body: { company?: string | undefined; branch?: string | undefined },
): void {
  for (const field of ['company', 'branch'] as const) {
    if (body[field] !== undefined && body[field] !== path[field]) rejectRequest('ID_MISMATCH', {}, field);
  }
}

function releaseFromWire(body: z.output<typeof releaseBody>): TemplateInput {
  const sent = body.lines as unknown as readonly z.output<typeof lineBody>[];
  const lines = sent.map(
    (line): TemplateLine => ({
      sequence: line.sequence,
      side: line.debcre,
      accountId: line.contaId,
      offsetAccountId: line.contrapartida ?? null,
      valueType: line.valueType,
      amount: line.valor === undefined ? null : decimalOf(line.valor),
      percentage: line.percentual === undefined ? null : decimalOf(line.percentual),
      narrationCode: line.cdhistorico ?? null,
      narration: line.historico ?? null,
    }),
  );
  return { ...fieldsFromWire(ENTRY_TEMPLATE.fields, body, TEMPLATE_NAMES), lines };
}

function releaseToWire(row: TemplateRecord) {
  const decimal = (value: string | null) => (value === null ? null : exactNumber(value));
  return {
    ...recordToWire(ENTRY_TEMPLATE, row, TEMPLATE_NAMES),
    lines: row.lines.map((line) => ({
      sequence: line.sequence,
      debcre: line.side,
      contaId: line.accountId,
      contrapartida: line.offsetAccountId,
      valueType: line.valueType,
      valor: decimal(line.amount),
      percentual: decimal(line.percentage),
      cdhistorico: line.narrationCode,
      historico: line.narration,
    })),
  };
}

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
    status: row.status,
    batchId: row.batchId,
    documentId: row.documentId,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
