import { z } from 'zod';
import { slashOf } from '../../accounting/period.ts';
import { reject } from '../../accounting/problem.ts';
import { recordRef } from '../../accounting/record-name.ts';
import { ELEVATION } from '../../features/access/elevation-reasons.ts';
import { changeBranch, deleteBranch } from '../../features/master-data/companies/change-branch.ts';
import {
  isBranchCode,
  selectBranch,
  selectBranches,
  selectBranchesByCode,
  selectCompany,
  selectOpenMonthsOfCompany,
} from '../../features/master-data/companies/companies.read.sql.ts';
import { selectAllOptions } from '../../features/master-data/companies/company-options.read.sql.ts';
import { createBranch } from '../../features/master-data/companies/create-branch.ts';
import {
  branchCode,
  branchPathId,
  companyCode,
  companyParams,
  idParams,
  messageAnswer,
  rejectOtherId,
} from '../../http/fields.ts';
import { rejectRequest } from '../../http/request-error.ts';
import { route } from '../../http/route.ts';
import { branchAnswer, branchBody, branchFromWire, branchToWire, cnpjWarnings, warned } from './companies.ts';
import { companyOptionsAnswer, companyOptionsToWire } from './company-options.ts';

const tag = 'Branches';

export const postBranchRoute = route({
  operationId: 'createBranch',
  method: 'POST',
  path: '/branch',
  summary: 'Creates a branch',
  tag,
  access: { to: 'tenant', of: ({ company }) => ({ company }), routine: 'COMPANIES' },
  body: branchBody,
  status: 201,
  answer: branchAnswer.extend(warned).meta({ title: 'SavedBranch' }),
  handle: async ({ body, context, tenants, config }) => {
    const warnings = cnpjWarnings(body.cnpj, config);
    return { ...branchToWire(await createBranch(context, tenants[0]!, branchFromWire(body))), warnings };
  },
});

export const getCompanyBranchesRoute = route({
  operationId: 'listCompanyBranches',
  method: 'GET',
  path: '/allbranch/{company}',
  summary: 'The branches of a company that the caller sees',
  tag,
  access: { to: 'tenant', of: ({ company }) => ({ company }) },
  params: companyParams,
  answer: z.array(branchAnswer),
  handle: async ({ context, tenants }) => (await selectBranches(context.sql, tenants[0]!.companyId)).map(branchToWire),
});

export const getBranchesRoute = route({
  operationId: 'listBranches',
  method: 'GET',
  path: '/allbranch',
  summary: 'All branches that the caller sees',
  tag,
  access: { to: 'anyUser' },
  answer: z.array(branchAnswer),
  handle: async ({ context }) => (await selectBranches(context.sql)).map(branchToWire),
});

export const getBranchRoute = route({
  operationId: 'getBranch',
  method: 'GET',
  path: '/branch/{id}',
  summary: 'A branch',
  tag,
  access: { to: 'record', record: 'branch', id: (input) => input.id },
  params: z.object({ id: branchPathId }),
  answer: branchAnswer,
  handle: async ({ params, context, tenant }) =>
    branchToWire(
      (await selectBranch(context.sql, tenant.companyId, params.id)) ??
        reject('NOT_FOUND', recordRef('Branch', params.id)),
    ),
});

export const getBranchByCodeRoute = route({
  operationId: 'getBranchByCode',
  method: 'GET',
  path: '/branch/bybranch/{branch}',
  summary: 'The branch of that code; with ?company= where several companies have it',
  tag,
  access: { to: 'tenant', of: ({ branch, company }) => (company === undefined ? [] : [{ company, branch }]) },
  params: z.object({ branch: branchCode }),
  query: z.strictObject({ company: companyCode.optional() }),
  answer: branchAnswer,
  handle: async ({ params, context, tenants }) => {
    const found = await selectBranchesByCode(context.sql, params.branch, tenants[0]?.companyId);
    if (found.length > 1) rejectRequest('BRANCH_AMBIGUOUS', { branch: params.branch }, 'company');
    if (found.length === 0) {
      // Only to distinguish an unknown code from one without permission, as for every branch code.
      const known = await context.elevated(ELEVATION.unknownBranch, (system) => isBranchCode(system, params.branch));
      if (known) reject('TENANT_DENIED', { company: '*', branch: params.branch });
      reject('NOT_FOUND', recordRef('Branch', params.branch));
    }
    return branchToWire(found[0]!);
  },
});

export const getCompanyBranchDetailsRoute = route({
  operationId: 'listCompanyBranchDetails',
  method: 'GET',
  path: '/companybranch/{company}',
  summary: 'The branches of a company with its name, their options and open months',
  tag,
  access: { to: 'tenant', of: ({ company }) => ({ company }) },
  params: companyParams,
  answer: z.array(
    branchAnswer.extend({
      companyName: z.string(),
      options: companyOptionsAnswer.nullable(),
      openMonths: z.array(z.string().meta({ example: '01/2026' })),
    }),
  ),
  handle: async ({ context, tenants }) => {
    const { companyId } = tenants[0]!;
    const company = await selectCompany(context.sql, companyId);
    const branches = await selectBranches(context.sql, companyId);
    const options = new Map((await selectAllOptions(context.sql, companyId)).map((row) => [row.branchId, row]));
    const months = Map.groupBy(await selectOpenMonthsOfCompany(context.sql, companyId), (row) => row.branchId);
    return branches.map((branch) => {
      const ownOptions = options.get(branch.id);
      return {
        ...branchToWire(branch),
        companyName: company?.name ?? '',
        options: ownOptions ? companyOptionsToWire(ownOptions) : null,
        openMonths: (months.get(branch.id) ?? []).map((row) => slashOf(row.month)),
      };
    });
  },
});

export const putBranchRoute = route({
  operationId: 'replaceBranch',
  method: 'PUT',
  path: '/branch/{id}',
  summary: 'Replaces the fields of a branch',
  tag,
  access: { to: 'record', record: 'branch', id: (input) => input.id, routine: 'COMPANIES' },
  params: idParams,
  body: branchBody,
  answer: branchAnswer.extend(warned).meta({ title: 'SavedBranch' }),
  handle: async ({ params, body, context, tenant, config }) => {
    rejectOtherId(body.id, params.id);
    if (body.company !== tenant.company) {
      rejectRequest('INVALID_FIELD', { reason: { en: 'cannot change', pt: 'não pode mudar' } }, 'company');
    }
    const warnings = cnpjWarnings(body.cnpj, config);
    return { ...branchToWire(await changeBranch(context, tenant, branchFromWire(body))), warnings };
  },
});

export const deleteBranchRoute = route({
  operationId: 'deleteBranch',
  method: 'DELETE',
  path: '/branch/{id}',
  summary: 'Removes a branch without data',
  tag,
  access: { to: 'record', record: 'branch', id: (input) => input.id, routine: 'COMPANIES' },
  params: idParams,
  answer: messageAnswer,
  handle: async ({ context, tenant }) => {
    await deleteBranch(context, tenant);
    return { message: 'Filial excluída' };
  },
});
