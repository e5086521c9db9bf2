import { z } from 'zod';
import { decimalOf } from '../../accounting/money.ts';
import { slashOf } from '../../accounting/period.ts';
import { reject } from '../../accounting/problem.ts';
import { recordRef } from '../../accounting/record-name.ts';
import { requireRecord, selectRecords } from '../../features/master-data/records/records.read.sql.ts';
import type { TemplateLine } from '../../features/posting/templates/entries-of-template.ts';
import {
  deleteTemplate,
  ENTRY_TEMPLATE,
  saveTemplate,
  type TemplateInput,
  type TemplateRecord,
} from '../../features/posting/templates/save-template.ts';
import { selectTemplateId } from '../../features/posting/templates/templates.read.sql.ts';
import { bodyFields, fieldsFromWire } from '../../http/field-schemas.ts';
import {
  accountId,
  amount,
  branchCode,
  companyCode,
  exactNumber,
  idParams,
  messageAnswer,
  moneyAnswer,
  optional,
  readOnly,
  side,
  slashMonth,
  tenantParams,
  text,
} from '../../http/fields.ts';
import { rejectRequest } from '../../http/request-error.ts';
import { route } from '../../http/route.ts';
import { wireWords } from '../../http/wire-words.ts';
import { recordAnswer, recordToWire, rejectOtherKey } from './record-routes.ts';
import { byCodes, rejectOtherTenant, releaseCode, valueTypes } from './releases.ts';

const lineBody = z.strictObject({
  sequence: z.number().int().min(1).max(10_000),
  debcre: side,
  contaId: accountId,
  contrapartida: optional(accountId.meta({ example: 2 })),
  valueType: valueTypes.input,
  valor: optional(amount),
  percentual: optional(amount.meta({ example: 100 })),
  cdhistorico: optional(text(5).meta({ example: '00010' })),
  historico: optional(text(500)),
});

const dayRules = wireWords(
  { DAY_OF_MONTH: 'DIA', FIRST_BUSINESS_DAY: 'PRIMEIRO_DIA_UTIL', LAST_BUSINESS_DAY: 'ULTIMO_DIA_UTIL' },
  'DAY_OF_MONTH',
);

const scheduleShape = {
  dayRule: dayRules.input,
  firstMonth: slashMonth,
  active: z.boolean().default(true),
};

const scheduleBody = z.strictObject({
  ...scheduleShape,
  dayOfMonth: optional(
    z
      .number()
      .int()
      .min(1)
      .max(31)
      .meta({ example: 31 })
      .describe('Of the rule DIA: the day, or the last of a shorter month'),
  ),
  lastMonth: optional(slashMonth.meta({ example: '12/2026' })),
});

const TEMPLATE_NAMES = { documentNumber: 'documento', narrationCode: 'cdhistorico' } as const;

const TEMPLATE_FIELDS = {
  ...TEMPLATE_NAMES,
  'lines[].account': 'lines.[].contaId',
  'lines[].amount': 'lines.[].valor',
  'lines[].narrationCode': 'lines.[].cdhistorico',
  'lines[].offsetAccount': 'lines.[].contrapartida',
  'lines[].percentage': 'lines.[].percentual',
  'schedule.dayOfMonth': 'schedule.dayOfMonth',
  'schedule.lastMonth': 'schedule.lastMonth',
} as const;

const TEMPLATE_BODY = { lines: z.array(lineBody).min(1).max(1_000), schedule: scheduleBody };

const releaseBody = z.strictObject({
  id: readOnly,
  company: optional(companyCode),
  branch: optional(branchCode),
  ...bodyFields(ENTRY_TEMPLATE.fields, TEMPLATE_BODY, TEMPLATE_NAMES),
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
          valueType: valueTypes.answer,
          valor: moneyAnswer.nullable(),
          percentual: moneyAnswer.nullable(),
          cdhistorico: z.string().nullable(),
          historico: z.string().nullable(),
        }),
      ),
      schedule: z.object({
        dayRule: dayRules.answer,
        dayOfMonth: z.number().int().nullable(),
        firstMonth: z.string().meta({ example: '01/2026' }),
        lastMonth: z.string().nullable().meta({ example: '12/2026' }),
        active: z.boolean(),
      }),
    },
  },
});

export const getReleasesRoute = route({
  operationId: 'listEntryTemplates',
  method: 'GET',
  path: '/release/all',
  summary: 'Entry templates of the branches that the caller reaches',
  tag: 'Releases',
  access: { to: 'anyUser' },
  answer: z.array(releaseAnswer),
  handle: async ({ context }) => (await selectRecords(context.sql, ENTRY_TEMPLATE)).map(releaseToWire),
});

export const postReleaseRoute = route({
  operationId: 'createEntryTemplate',
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
  operationId: 'getEntryTemplate',
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
  operationId: 'replaceEntryTemplate',
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
  operationId: 'deleteEntryTemplate',
  method: 'DELETE',
  path: '/release/{id}',
  summary: 'Removes an entry template that was never used',
  tag: 'Releases',
  access: { to: 'record', record: 'entryTemplate', id: (input) => input.id, routine: 'SETTINGS' },
  params: idParams,
  answer: messageAnswer,
  handle: async ({ params, context }) => {
    await deleteTemplate(context, params.id);
    return { message: 'Lançamento padrão excluído' };
  },
});

/** The path names the tenant; codes in the body may only repeat it. */
function pathTenant({ company, branch }: { company?: string | undefined; branch?: string | undefined }) {
  return { company: company ?? '', branch: branch ?? '' };
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
  const planned = body.schedule as unknown as z.output<typeof scheduleBody> | undefined;
  const schedule = planned && {
    ...planned,
    dayOfMonth: planned.dayOfMonth ?? null,
    lastMonth: planned.lastMonth ?? null,
  };
  return { ...fieldsFromWire(ENTRY_TEMPLATE.fields, body, TEMPLATE_NAMES), lines, schedule };
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
      valueType: valueTypes.toWire(line.valueType),
      valor: decimal(line.amount),
      percentual: decimal(line.percentage),
      cdhistorico: line.narrationCode,
      historico: line.narration,
    })),
    schedule: row.schedule && {
      ...row.schedule,
      dayRule: dayRules.toWire(row.schedule.dayRule),
      firstMonth: slashOf(row.schedule.firstMonth),
      lastMonth: row.schedule.lastMonth && slashOf(row.schedule.lastMonth),
    },
  };
}
