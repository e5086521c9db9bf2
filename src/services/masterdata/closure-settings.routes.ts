import { z } from 'zod';
import { reject } from '../../accounting/problem.ts';
import { recordRef } from '../../accounting/record-name.ts';
import { saveClosureSettings } from '../../features/closing/save-closure-settings.ts';
import { CLOSURE_SETTINGS } from '../../features/master-data/records/definitions.ts';
import { selectRecordOfBranch } from '../../features/master-data/records/records.read.sql.ts';
import {
  branchCode,
  codeText,
  companyCode,
  id,
  idParams,
  instant,
  optional,
  readOnly,
  tenantParams,
  text,
} from '../../http/fields.ts';
import { route } from '../../http/route.ts';
import { asRecordAnswer, ownerOf, recordRoutes, recordToWire, rejectOtherKey } from './record-routes.ts';

/** The code of a group of accounts. */
const accountGroup = z
  .string()
  .regex(
    /^[\d.\-*]{1,40}$/,
    'must be an account code of digits, points, hyphens and * | deve ser um código de conta com algarismos, pontos, hifens e *',
  );

const fields = {
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
  creditResultAccountId: id,
  debitResultAccountId: id,
  profitAccountId: id,
  lossAccountId: id,
  lote: optional(codeText(10).meta({ example: 'ENC' })),
  cdhistorico: optional(text(5).meta({ example: '00010' })),
  historico: optional(text(500).meta({ example: 'Apuração do resultado' })),
  excludeAccounts: optional(z.array(id).max(10_000)),
  active: z
    .boolean()
    .nullish()
    .transform((value) => value ?? undefined),
};

const CLOSURE_FIELDS = { narrationCode: 'cdhistorico' } as const;

const body = z.strictObject({
  id: readOnly,
  company: companyCode,
  branch: branchCode,
  ...fields,
  createdAt: readOnly,
  updatedAt: readOnly,
});

const shown = {
  closingMonths: z.array(z.number().int()),
  revenueGroups: z.array(z.string()),
  expenseGroups: z.array(z.string()),
  creditResultAccountId: id,
  debitResultAccountId: id,
  profitAccountId: id,
  lossAccountId: id,
  lote: z.string(),
  cdhistorico: z.string().nullable(),
  historico: z.string().nullable(),
  excludeAccounts: z.array(id),
  active: z.boolean(),
};

const answer = z.object({
  id,
  company: z.string(),
  branch: z.string(),
  ...shown,
  createdAt: instant,
  updatedAt: instant,
});

const access = {
  to: 'tenant',
  of: ({ company, branch }: { company: string; branch: string }) => ({ company, branch }),
  routine: 'SETTINGS',
} as const;

/** Reading and removing are as for any record; the specification spells the list with a double s in the middle. */
const plain = recordRoutes({
  definition: CLOSURE_SETTINGS,
  tag: 'Closing',
  fields,
  shown,
  paths: { create: '/closuresettings', list: '/closuressetting/all', item: '/closuresettings/{id}' },
  changedBy: 'SETTINGS',
});

export const getAllClosureSettingsRoute = plain.list;
export const getClosureSettingsRoute = plain.get;
export const deleteClosureSettingsRoute = plain.remove;

export const postClosureSettingsRoute = route({
  method: 'POST',
  path: '/closuresettings',
  summary: 'Creates the closing settings of a branch',
  tag: 'Closing',
  access,
  body,
  fieldNames: CLOSURE_FIELDS,
  status: 201,
  answer: asRecordAnswer(answer),
  handle: async ({ body, context, tenant }) =>
    recordToWire(CLOSURE_SETTINGS, await saveClosureSettings(context, tenant, body)),
});

export const putClosureSettingsRoute = route({
  method: 'PUT',
  path: '/closuresettings/{id}',
  summary: 'Replaces closing settings',
  tag: 'Closing',
  access,
  params: idParams,
  body,
  fieldNames: CLOSURE_FIELDS,
  answer: asRecordAnswer(answer),
  handle: async ({ params, body, context, tenant }) => {
    rejectOtherKey(CLOSURE_SETTINGS, params.id, body);
    return recordToWire(CLOSURE_SETTINGS, await saveClosureSettings(context, tenant, body, params.id));
  },
});

export const getBranchClosureSettingsRoute = route({
  method: 'GET',
  path: '/closuressettings/company-and-branch/{company}/{branch}',
  summary: 'The closing settings of a branch',
  tag: 'Closing',
  access: { to: 'tenant', of: ({ company, branch }) => ({ company, branch }) },
  params: tenantParams,
  answer: asRecordAnswer(answer),
  handle: async ({ context, tenants }) => {
    const found = await selectRecordOfBranch(context.sql, CLOSURE_SETTINGS, ownerOf(tenants));
    return recordToWire(CLOSURE_SETTINGS, found ?? reject('NOT_FOUND', recordRef('Closure settings')));
  },
});
