import { z } from 'zod';
import { reject } from '../../accounting/problem.ts';
import { recordRef } from '../../accounting/record-name.ts';
import { selectAllOptions, selectOptions } from '../../features/master-data/companies/company-options.read.sql.ts';
import {
  changeCompanyOptions,
  createCompanyOptions,
  deleteCompanyOptions,
} from '../../features/master-data/companies/save-company-options.ts';
import { AwaitingApproval } from '../../features/operations/approvals/ask-approval.ts';
import { approvalAnswer, awaitingAnswer } from '../../http/approvals.ts';
import { idParams, messageAnswer, rejectOtherId, tenantParams } from '../../http/fields.ts';
import { rejectRequest } from '../../http/request-error.ts';
import { route } from '../../http/route.ts';
import {
  companyOptionsAnswer,
  companyOptionsBody,
  companyOptionsFromWire,
  companyOptionsToWire,
} from './company-options.ts';

const tag = 'Company options';

export const postCompanyOptionsRoute = route({
  operationId: 'createCompanyOptions',
  method: 'POST',
  path: '/company/options',
  summary: 'Sets how a branch keeps its books',
  tag,
  access: { to: 'tenant', of: ({ company, branch }) => ({ company, branch }), routine: 'SETTINGS' },
  body: companyOptionsBody,
  fieldNames: { baseMonth: 'baseYearMonth', chart: 'chartCode', referenceChartId: 'planRef_uuid' },
  status: 201,
  answer: companyOptionsAnswer,
  handle: async ({ body, context, tenant }) =>
    companyOptionsToWire(await createCompanyOptions(context, tenant, companyOptionsFromWire(body))),
});

export const getAllCompanyOptionsRoute = route({
  operationId: 'listCompanyOptions',
  method: 'GET',
  path: '/company/options/',
  summary: 'Options of all branches that the caller sees',
  tag,
  access: { to: 'anyUser' },
  answer: z.array(companyOptionsAnswer),
  handle: async ({ context }) => (await selectAllOptions(context.sql)).map(companyOptionsToWire),
});

export const getCompanyOptionsRoute = route({
  operationId: 'getCompanyOptions',
  method: 'GET',
  path: '/company/options/{id}',
  summary: 'Options of a branch',
  tag,
  access: { to: 'record', record: 'companyOptions', id: (input) => input.id },
  params: idParams,
  answer: companyOptionsAnswer,
  handle: async ({ params, context, tenant }) =>
    companyOptionsToWire(
      (await selectOptions(context.sql, tenant.companyId, tenant.branchId)) ??
        reject('NOT_FOUND', recordRef('Company options', params.id)),
    ),
});

export const putCompanyOptionsRoute = route({
  operationId: 'replaceCompanyOptions',
  method: 'PUT',
  path: '/company/options/{id}',
  summary: 'Replaces the options of a branch',
  tag,
  access: { to: 'record', record: 'companyOptions', id: (input) => input.id, routine: 'SETTINGS' },
  params: idParams,
  body: companyOptionsBody,
  fieldNames: { baseMonth: 'baseYearMonth', chart: 'chartCode', referenceChartId: 'planRef_uuid' },
  answer: companyOptionsAnswer,
  otherAnswers: { 202: approvalAnswer },
  handle: async ({ params, body, context, tenant }) => {
    rejectOtherId(body.id, params.id);
    if (body.company !== tenant.company) rejectMove('company');
    if (body.branch !== tenant.branch) rejectMove('branch');
    const changed = await changeCompanyOptions(context, tenant, companyOptionsFromWire(body));
    if (changed instanceof AwaitingApproval) return awaitingAnswer(changed, context.caller);
    return companyOptionsToWire(changed);
  },
});

export const deleteCompanyOptionsRoute = route({
  operationId: 'deleteCompanyOptions',
  method: 'DELETE',
  path: '/company/options/{id}',
  summary: 'Removes the options of a branch without books',
  tag,
  access: { to: 'record', record: 'companyOptions', id: (input) => input.id, routine: 'SETTINGS' },
  params: idParams,
  answer: messageAnswer,
  handle: async ({ context, tenant }) => {
    await deleteCompanyOptions(context, tenant);
    return { message: 'Opções excluídas' };
  },
});

export const getBranchOptionsRoute = route({
  operationId: 'getBranchOptions',
  method: 'GET',
  path: '/company/options/company/{company}/{branch}',
  summary: 'Options of a branch by its codes',
  tag,
  access: { to: 'tenant', of: ({ company, branch }) => ({ company, branch }) },
  params: tenantParams,
  answer: companyOptionsAnswer,
  handle: async ({ params, context, tenant }) =>
    companyOptionsToWire(
      (await selectOptions(context.sql, tenant.companyId, tenant.branchId)) ??
        reject('NOT_FOUND', recordRef('Company options', `${params.company}/${params.branch}`)),
    ),
});

function rejectMove(field: string): never {
  return rejectRequest('INVALID_FIELD', { reason: { en: 'cannot change', pt: 'não pode mudar' } }, field);
}
