import { z } from 'zod';
import { OFFICIAL_LISTS, officialCodes } from '../../features/master-data/regulatory/official-codes.ts';
import type { RegulatoryProfile } from '../../features/master-data/regulatory/regulatory-profile.read.sql.ts';
import { readProfile, saveProfile } from '../../features/master-data/regulatory/regulatory-profile.ts';
import {
  cnpjOrCpf,
  codeText,
  companyParams,
  id,
  instant,
  nameText,
  optional,
  readOnly,
  text,
} from '../../http/fields.ts';
import { route } from '../../http/route.ts';

const tag = 'Regulatory files';

const bookkeeping = z.enum(['CENTRALIZED', 'BY_BRANCH']).meta({
  example: 'CENTRALIZED',
  description: 'CENTRALIZED one bookkeeping file for all branches, BY_BRANCH one for each',
});
const ecdBook = z.enum(['G', 'B']).meta({
  example: 'B',
  description: 'G the journal with every entry, B daily trial balances and balance sheets',
});
const statementId = id.meta({ example: null });

/** Maximum number of authorities that a company is registered with: one of each. */
const MAX_REGISTRATIONS = 50;

const profileBody = z.strictObject({
  company: readOnly,
  audited: optional(z.boolean().meta({ example: true })),
  bookkeeping: optional(bookkeeping),
  branchAsCostCentre: optional(z.boolean().meta({ example: false })),
  ecdBook: optional(ecdBook),
  balanceSheetId: optional(statementId),
  incomeStatementId: optional(statementId),
  equityStatementId: optional(statementId),
  auditor: optional(
    z.strictObject({
      document: cnpjOrCpf,
      name: nameText(200).meta({ example: 'Auditores Exemplo S/S' }),
      cvmCode: optional(text(20).meta({ example: '12345' })),
    }),
  ),
  registrations: optional(
    z
      .array(
        z.strictObject({
          entity: codeText(2).meta({ example: '01' }),
          code: optional(text(40).meta({ example: '999' })),
        }),
      )
      .max(MAX_REGISTRATIONS),
  ),
  updatedAt: readOnly,
});

const profileAnswer = z
  .object({
    company: z.string().meta({ example: '0001' }),
    audited: z.boolean(),
    bookkeeping,
    branchAsCostCentre: z.boolean(),
    ecdBook,
    balanceSheetId: statementId.nullable(),
    incomeStatementId: statementId.nullable(),
    equityStatementId: statementId.nullable(),
    auditor: z
      .object({ document: z.string(), name: z.string(), cvmCode: z.string().nullable().meta({ example: null }) })
      .nullable(),
    registrations: z.array(
      z.object({ entity: z.string().meta({ example: '01' }), code: z.string().nullable().meta({ example: '999' }) }),
    ),
    updatedAt: instant.nullable().meta({ description: 'null: nothing was saved, and the kind of institution decides' }),
  })
  .meta({ title: 'RegulatoryProfile' });

export const getRegulatoryProfileRoute = route({
  operationId: 'getRegulatoryProfile',
  method: 'GET',
  path: '/regulatory/profile/{company}',
  addition: true,
  summary: 'How a company writes its bookkeeping file (ECD)',
  tag,
  access: { to: 'tenant', of: ({ company }) => ({ company }) },
  params: companyParams,
  answer: profileAnswer,
  handle: async ({ params, context, tenants }) =>
    profileToWire(params.company, await readProfile(context.sql, tenants[0]!)),
});

export const putRegulatoryProfileRoute = route({
  operationId: 'replaceRegulatoryProfile',
  method: 'PUT',
  path: '/regulatory/profile/{company}',
  addition: true,
  summary:
    'Replaces how a company writes its bookkeeping file (ECD); what is left out is as its kind of institution has it',
  tag,
  access: { to: 'tenant', of: ({ company }) => ({ company }), routine: 'COMPANIES' },
  params: companyParams,
  body: profileBody,
  fieldNames: { 'registrations[].entity': 'registrations.[].entity' },
  answer: profileAnswer,
  handle: async ({ params, body, context, tenants }) => {
    const registrations = body.registrations?.map(({ entity, code }) => ({ entity, code: code || null }));
    return profileToWire(params.company, await saveProfile(context, tenants[0]!, { ...body, registrations }));
  },
});

export const getOfficialCodesRoute = route({
  operationId: 'listOfficialCodes',
  method: 'GET',
  path: '/regulatory/codes/{list}',
  addition: true,
  summary: 'The codes of a list of the federal revenue service, in the order of its manual',
  tag,
  access: { to: 'signedIn' },
  params: z.object({ list: z.enum(OFFICIAL_LISTS).meta({ example: 'COD_ASSIN' }) }),
  answer: z.array(
    z.object({
      code: z.string().meta({ example: '900' }),
      description: z.string().meta({ example: 'Contador/Contabilista' }),
    }),
  ),
  handle: async ({ params }) => [...(await officialCodes(params.list))],
});

function profileToWire(
  company: string,
  { auditor, updatedAt, registrations, ...profile }: RegulatoryProfile & { readonly updatedAt: Date | null },
): z.output<typeof profileAnswer> {
  return {
    company,
    ...profile,
    auditor: auditor && { ...auditor, cvmCode: auditor.cvmCode ?? null },
    registrations: registrations.map(({ entity, code }) => ({ entity, code })),
    updatedAt: updatedAt?.toISOString() ?? null,
  };
}
