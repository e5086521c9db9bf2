import { z } from 'zod';
import { changeRoutine } from '../../features/access/change-routine.ts';
import {
  changeNarration,
  createNarration,
  deleteNarration,
} from '../../features/master-data/narrations/save-narration.ts';
import {
  FUND_SETTINGS,
  FUND_TYPE,
  HISTORY,
  REFERENCE_ACCOUNT,
  REFERENCE_CHART,
  ROUTINE,
  ROUTINE_ACCESS,
} from '../../features/master-data/records/definitions.ts';
import { selectRecords } from '../../features/master-data/records/records.read.sql.ts';
import { getOrThrow } from '../../features/master-data/records/save-record.ts';
import {
  deleteReferenceAccount,
  saveReferenceAccount,
} from '../../features/master-data/reference-charts/save-reference-account.ts';
import {
  cnpj,
  cnpjOrCpf,
  codeText,
  id,
  isoDay,
  moneyAnswer,
  nameText,
  optional,
  pathId,
  side,
  text,
} from '../../http/fields.ts';
import { rejectRequest } from '../../http/request-error.ts';
import { route } from '../../http/route.ts';
import { recordRoutes, recordToWire } from './record-routes.ts';

const flag = z
  .boolean()
  .nullish()
  .transform((value) => value ?? undefined);
const shownText = z.string().nullable();
const shownDay = z.string().nullable().meta({ example: '2026-01-01' });

export const narrationRoutes = recordRoutes({
  definition: HISTORY,
  tag: 'Histories',
  fields: {
    cdHistory: codeText(5).meta({ example: '00010' }),
    description: text(500, 1).meta({ example: 'Aplicação de cotista {0}' }),
    requiresComplement: flag,
    debcre: optional(side),
    active: flag.meta({ example: true }),
  },
  shown: {
    cdHistory: z.string(),
    description: z.string(),
    requiresComplement: z.boolean(),
    debcre: side.nullable(),
    active: z.boolean(),
  },
  paths: { create: '/history', item: '/history/{id}' },
  changedBy: 'SETTINGS',
  useCases: {
    create: createNarration,
    replace: (context, key, owner, values) => changeNarration(context, key as number, owner, values),
    remove: (context, key) => deleteNarration(context, key as number),
  },
});

export const fundTypeRoutes = recordRoutes({
  definition: FUND_TYPE,
  tag: 'Funds',
  fields: {
    code: codeText(20).meta({ example: 'PREV' }),
    description: text(200, 1).meta({ example: 'Fundo previdenciário' }),
    regulatoryPlan: z.enum(['COFI', 'COSIF']),
    taxationTerm: optional(text(20)),
    comeCotas: flag,
    quotaType: optional(text(20)),
    active: flag,
  },
  shown: {
    code: z.string(),
    description: z.string(),
    regulatoryPlan: z.enum(['COFI', 'COSIF']),
    taxationTerm: shownText,
    comeCotas: z.boolean(),
    quotaType: shownText,
    active: z.boolean(),
  },
  paths: { create: '/fundType', item: '/fundType/{id}' },
  changedBy: 'SETTINGS',
});

const provider = optional(z.strictObject({ cnpj, name: nameText(200) }));
const manager = optional(z.strictObject({ document: cnpjOrCpf, name: nameText(200) }));
const fee = optional(
  z
    .number()
    .min(0)
    .max(100)
    .transform((value) => value.toFixed(6))
    .meta({ example: 1.5 }),
);
/** A day of any year, DD/MM, such as the end of a fund's year. */
const dayAndMonth = z
  .string()
  .regex(/^(0[1-9]|[12]\d|3[01])\/(0[1-9]|1[0-2])$/, 'must be a day and month DD/MM | deve ser dia e mês DD/MM');
const shownProvider = z.object({ cnpj: z.string(), name: z.string() }).nullable();

export const fundSettingsRoutes = recordRoutes({
  definition: FUND_SETTINGS,
  tag: 'Funds',
  fields: {
    fundTypeId: id,
    cnpj,
    name: nameText(200).meta({ example: 'Fundo Exemplo FIF' }),
    cvmCode: optional(text(20)),
    registrationDate: optional(isoDay),
    startDate: optional(isoDay),
    fiscalYearStart: optional(dayAndMonth.meta({ example: '01/01' })),
    fiscalYearEnd: optional(dayAndMonth.meta({ example: '31/12' })),
    condominium: optional(z.enum(['A', 'F'])),
    administrator: provider,
    manager,
    custodian: provider,
    auditor: provider,
    administrationFee: fee,
    performanceFee: fee,
    quotaDecimals: optional(z.number().int().min(0).max(12).meta({ example: 8 })),
    active: flag,
  },
  shown: {
    fundTypeId: id,
    cnpj: z.string(),
    name: z.string(),
    cvmCode: shownText,
    registrationDate: shownDay,
    startDate: shownDay,
    fiscalYearStart: shownText,
    fiscalYearEnd: shownText,
    condominium: z.enum(['A', 'F']).nullable(),
    administrator: shownProvider,
    manager: z.object({ document: z.string(), name: z.string() }).nullable(),
    custodian: shownProvider,
    auditor: shownProvider,
    administrationFee: moneyAnswer.nullable(),
    performanceFee: moneyAnswer.nullable(),
    quotaDecimals: z.number().int().nullable(),
    active: z.boolean(),
  },
  paths: { create: '/fund/settings', item: '/fund/settings/{id}' },
  changedBy: 'SETTINGS',
});

export const routineRoutes = recordRoutes({
  definition: ROUTINE,
  tag: 'Routines',
  fields: {
    code: codeText(40).meta({ example: 'AUDITORIA' }),
    name: nameText(200).meta({ example: 'Auditoria' }),
    description: optional(text(500)),
    module: optional(text(40)),
    restricted: flag,
    active: flag,
  },
  shown: {
    code: z.string(),
    name: z.string(),
    description: shownText,
    module: shownText,
    restricted: z.boolean(),
    active: z.boolean(),
  },
  paths: { create: '/routine', item: '/routine/{id}' },
  changedBy: 'admins',
  useCases: { replace: (context, key, _owner, values) => changeRoutine(context, key as number, values) },
});

export const routineAccessRoutes = recordRoutes({
  definition: ROUTINE_ACCESS,
  tag: 'Routines',
  fields: {
    routineId: id,
    userId: optional(id),
    groupId: optional(id.meta({ example: null })),
    canRead: flag,
    canWrite: flag,
    canExecute: flag,
    validFrom: optional(isoDay),
    validTo: optional(isoDay),
    active: flag,
  },
  shown: {
    routineId: id,
    userId: id.nullable(),
    groupId: id.nullable(),
    canRead: z.boolean(),
    canWrite: z.boolean(),
    canExecute: z.boolean(),
    validFrom: shownDay,
    validTo: shownDay,
    active: z.boolean(),
  },
  paths: { create: '/access', item: '/access/{id}' },
  changedBy: 'admins',
  check: ({ userId, groupId, validFrom, validTo }) => {
    if ((userId === undefined) === (groupId === undefined)) {
      rejectRequest(
        'INVALID_FIELD',
        { reason: { en: 'give userId or groupId, one of them', pt: 'informe userId ou groupId, um só' } },
        'userId',
      );
    }
    rejectReversed(validFrom, validTo);
  },
});

export const getAccessOfRoutineRoute = route({
  method: 'GET',
  // The routine's id. One path of a document has one name for a parameter: the others are of an access.
  path: '/access/{id}',
  summary: 'Who passes a routine (id is the routine’s)',
  tag: 'Routines',
  access: { to: 'signedIn' },
  params: z.object({ id: pathId }),
  answer: z.array(routineAccessRoutes.get.answer!),
  handle: async ({ params, context }) => {
    await getOrThrow(context.sql, ROUTINE, params.id);
    return (await selectRecords(context.sql, ROUTINE_ACCESS))
      .filter((row) => row.routineId === params.id)
      .map((row) => recordToWire(ROUTINE_ACCESS, row));
  },
});

export const referenceChartRoutes = recordRoutes({
  definition: REFERENCE_CHART,
  tag: 'Reference charts',
  fields: {
    code: codeText(40).meta({ example: 'RFB-10' }),
    name: nameText(200).meta({ example: 'Plano referencial de instituições financeiras' }),
    institution: optional(z.enum(['RFB', 'BCB', 'CVM', 'OUTRO'])),
    version: optional(text(40)),
    validFrom: optional(isoDay),
    validTo: optional(isoDay),
    active: flag,
  },
  shown: {
    code: z.string(),
    name: z.string(),
    institution: z.enum(['RFB', 'BCB', 'CVM', 'OUTRO']).nullable(),
    version: shownText,
    validFrom: shownDay,
    validTo: shownDay,
    active: z.boolean(),
  },
  paths: {
    create: '/referenceChartOfAccounts',
    list: '/referenceChartOfAccounts/all',
    item: '/referenceChartOfAccounts/{planRef_uuid}',
  },
  changedBy: 'SETTINGS',
  check: ({ validFrom, validTo }) => rejectReversed(validFrom, validTo),
});

export const referenceAccountRoutes = recordRoutes({
  definition: REFERENCE_ACCOUNT,
  tag: 'Reference charts',
  fields: {
    planRef_uuid: z.uuid().meta({ example: '00000000-0000-4000-8000-000000000000' }),
    code: codeText(40).meta({ example: '1.01' }),
    description: text(500, 1).meta({ example: 'Ativo circulante' }),
    validFrom: isoDay,
    validTo: optional(isoDay),
    orderNumber: optional(z.number().int().min(0).max(1_000_000)),
    type: z.enum(['S', 'A']),
    parentCode: optional(text(40).meta({ example: null })),
    level: z.number().int().min(1).max(20),
    nature: text(2, 1).meta({ example: '01' }),
    active: flag,
  },
  shown: {
    planRef_uuid: z.string(),
    code: z.string(),
    description: z.string(),
    validFrom: z.string(),
    validTo: shownDay,
    orderNumber: z.number().int().nullable(),
    type: z.enum(['S', 'A']),
    parentCode: shownText,
    level: z.number().int(),
    nature: z.string(),
    active: z.boolean(),
  },
  paths: {
    create: '/referenceChartOfAccountsDetails',
    list: '/referenceChartOfAccountsDetails/all',
    item: '/referenceChartOfAccountsDetails/{accountRef_uuid}',
  },
  changedBy: 'SETTINGS',
  check: ({ validFrom, validTo }) => rejectReversed(validFrom, validTo),
  useCases: {
    create: (context, _owner, values) => saveReferenceAccount(context, values),
    replace: (context, key, _owner, values) => saveReferenceAccount(context, values, key as string),
    remove: (context, key) => deleteReferenceAccount(context, key as string),
  },
});

function rejectReversed(from: unknown, to: unknown): void {
  if (typeof from === 'string' && typeof to === 'string' && from > to) {
    rejectRequest('INVALID_DATE_RANGE', { from, to }, 'validTo');
  }
}
