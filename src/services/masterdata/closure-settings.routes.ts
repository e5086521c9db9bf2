import { z } from 'zod';
import { reject } from '../../accounting/problem.ts';
import { recordRef } from '../../accounting/record-name.ts';
import {
  CLOSURE_SETTINGS,
  deleteClosureSettings,
  saveClosureSettings,
} from '../../features/closing/save-closure-settings.ts';
import { selectRecordOfBranch } from '../../features/master-data/records/records.read.sql.ts';
import { bodyFields, fieldsFromWire } from '../../http/field-schemas.ts';
import { accountId, branchCode, companyCode, idParams, readOnly, tenantParams } from '../../http/fields.ts';
import { route } from '../../http/route.ts';
import {
  ownerOf,
  type RecordRouteOptions,
  readRoutes,
  recordAnswer,
  recordToWire,
  rejectOtherKey,
  removeRoute,
} from './record-routes.ts';

/** The code of a group of accounts. */
const accountGroup = z
  .string()
  .regex(
    /^[\d.\-*]{1,40}$/,
    'must be an account code of digits, points, hyphens and * | deve ser um código de conta com algarismos, pontos, hifens e *',
  );

const bodyStructures = {
  closingMonths: z
    .array(z.number().int().min(1).max(12))
    .min(1)
    .max(12)
    .meta({ example: [6, 12] }),
  revenueGroups: z
    .array(accountGroup)
    .min(1)
    .max(100)
    .meta({ example: ['7'] }),
  expenseGroups: z
    .array(accountGroup)
    .min(1)
    .max(100)
    .meta({ example: ['8'] }),
  excludedAccounts: z.array(accountId).max(10_000),
};

const NAMES = {
  batchNumber: 'lote',
  excludedAccounts: 'excludeAccounts',
  narration: 'historico',
  narrationCode: 'cdhistorico',
} as const;

/** The specification spells the list with a double s in the middle. */
const options: RecordRouteOptions = {
  definition: CLOSURE_SETTINGS,
  names: NAMES,
  tag: 'Closing',
  paths: { create: '/closuresettings', list: '/closuressetting/all', item: '/closuresettings/{id}' },
  changedBy: 'SETTINGS',
  structures: {
    body: bodyStructures,
    answer: {
      closingMonths: z.array(z.number().int()),
      revenueGroups: z.array(z.string()),
      expenseGroups: z.array(z.string()),
      excludedAccounts: z.array(accountId),
    },
  },
};

const answer = recordAnswer(options);

const body = z.strictObject({
  id: readOnly,
  company: companyCode,
  branch: branchCode,
  ...bodyFields(CLOSURE_SETTINGS.fields, bodyStructures, NAMES),
  createdAt: readOnly,
  updatedAt: readOnly,
});

const access = {
  to: 'tenant',
  of: ({ company, branch }: { company: string; branch: string }) => ({ company, branch }),
  routine: 'SETTINGS',
} as const;

export const { list: getAllClosureSettingsRoute, get: getClosureSettingsRoute } = readRoutes(options);

export const deleteClosureSettingsRoute = removeRoute(options, (context, key) =>
  deleteClosureSettings(context, key as number),
);

export const postClosureSettingsRoute = route({
  operationId: 'createClosureSettings',
  method: 'POST',
  path: '/closuresettings',
  summary: 'Creates the closing settings of a branch',
  tag: 'Closing',
  access,
  fieldNames: NAMES,
  body,
  status: 201,
  answer,
  handle: async ({ body, context, tenant }) =>
    recordToWire(CLOSURE_SETTINGS, await saveClosureSettings(context, tenant, inputOf(body)), NAMES),
});

export const putClosureSettingsRoute = route({
  operationId: 'replaceClosureSettings',
  method: 'PUT',
  path: '/closuresettings/{id}',
  summary: 'Replaces closing settings',
  tag: 'Closing',
  access,
  fieldNames: NAMES,
  params: idParams,
  body,
  answer,
  handle: async ({ params, body, context, tenant }) => {
    rejectOtherKey(params.id, body);
    return recordToWire(CLOSURE_SETTINGS, await saveClosureSettings(context, tenant, inputOf(body), params.id), NAMES);
  },
});

export const getBranchClosureSettingsRoute = route({
  operationId: 'getBranchClosureSettings',
  method: 'GET',
  path: '/closuressettings/company-and-branch/{company}/{branch}',
  summary: 'The closing settings of a branch',
  tag: 'Closing',
  access: { to: 'tenant', of: ({ company, branch }) => ({ company, branch }) },
  params: tenantParams,
  answer,
  handle: async ({ context, tenants }) => {
    const found = await selectRecordOfBranch(context.sql, CLOSURE_SETTINGS, ownerOf(tenants));
    return recordToWire(CLOSURE_SETTINGS, found ?? reject('NOT_FOUND', recordRef('Closure settings')), NAMES);
  },
});

function inputOf(sent: z.output<typeof body>) {
  return fieldsFromWire(CLOSURE_SETTINGS.fields, sent, NAMES);
}
