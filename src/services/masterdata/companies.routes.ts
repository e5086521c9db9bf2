import { z } from 'zod';
import { reject } from '../../accounting/problem.ts';
import { recordRef } from '../../accounting/record-name.ts';
import { changeCompany, deleteCompany } from '../../features/master-data/companies/change-company.ts';
import { selectCompanies, selectCompany } from '../../features/master-data/companies/companies.read.sql.ts';
import { createCompany } from '../../features/master-data/companies/create-company.ts';
import { companyParams, companyPathId, idParams, messageAnswer, rejectOtherId } from '../../http/fields.ts';
import { route } from '../../http/route.ts';
import { cnpjWarnings, companyAnswer, companyBody, companyFromWire, companyToWire, warned } from './companies.ts';

const tag = 'Companies';

export const postCompanyRoute = route({
  operationId: 'createCompany',
  method: 'POST',
  path: '/company',
  summary: 'Creates a company; its creator gets access to it',
  tag,
  access: { to: 'anyUser', routine: 'COMPANIES' },
  body: companyBody,
  status: 201,
  answer: companyAnswer.extend(warned).meta({ title: 'SavedCompany' }),
  handle: async ({ body, context, config }) => {
    const warnings = cnpjWarnings(body.cnpj, config);
    return { ...companyToWire(await createCompany(context, config, companyFromWire(body))), warnings };
  },
});

export const getCompaniesRoute = route({
  operationId: 'listCompanies',
  method: 'GET',
  path: '/companies',
  summary: 'The companies that the caller sees',
  tag,
  access: { to: 'anyUser' },
  answer: z.array(companyAnswer),
  handle: async ({ context }) => (await selectCompanies(context.sql)).map(companyToWire),
});

export const getUserCompaniesRoute = route({
  operationId: 'listUserCompanies',
  method: 'GET',
  path: '/usercompanies',
  summary: 'The companies of the signed-in user',
  tag,
  access: { to: 'anyUser' },
  answer: z.array(companyAnswer),
  handle: async ({ context }) => (await selectCompanies(context.sql)).map(companyToWire),
});

export const getCompanyRoute = route({
  operationId: 'getCompany',
  method: 'GET',
  path: '/companies/{id}',
  summary: 'A company',
  tag,
  access: { to: 'record', record: 'company', id: (input) => input.id },
  params: z.object({ id: companyPathId }),
  answer: companyAnswer,
  handle: async ({ params, context }) =>
    companyToWire((await selectCompany(context.sql, params.id)) ?? throwAbsentCompany(params.id)),
});

export const getCompanyByCodeRoute = route({
  operationId: 'getCompanyByCode',
  method: 'GET',
  path: '/companies/bycompany/{company}',
  summary: 'A company by its code',
  tag,
  access: { to: 'tenant', of: ({ company }) => ({ company }) },
  params: companyParams,
  answer: companyAnswer,
  handle: async ({ params, context, tenants }) =>
    companyToWire((await selectCompany(context.sql, tenants[0]!.companyId)) ?? throwAbsentCompany(params.company)),
});

export const putCompanyRoute = route({
  operationId: 'replaceCompany',
  method: 'PUT',
  path: '/companies/{id}',
  summary: 'Replaces the fields of a company',
  tag,
  access: { to: 'record', record: 'company', id: (input) => input.id, routine: 'COMPANIES' },
  params: idParams,
  body: companyBody,
  answer: companyAnswer.extend(warned).meta({ title: 'SavedCompany' }),
  handle: async ({ params, body, context, tenants, config }) => {
    rejectOtherId(body.id, params.id);
    const warnings = cnpjWarnings(body.cnpj, config);
    return { ...companyToWire(await changeCompany(context, tenants[0]!, companyFromWire(body))), warnings };
  },
});

export const deleteCompanyRoute = route({
  operationId: 'deleteCompany',
  method: 'DELETE',
  path: '/companies/{id}',
  summary: 'Removes a company without branches',
  tag,
  access: { to: 'record', record: 'company', id: (input) => input.id, routine: 'COMPANIES' },
  params: idParams,
  answer: messageAnswer,
  handle: async ({ context, tenants }) => {
    await deleteCompany(context, tenants[0]!);
    return { message: 'Empresa excluída' };
  },
});

function throwAbsentCompany(key: string | number): never {
  return reject('NOT_FOUND', recordRef('Company', key));
}
