import { z } from 'zod';
import {
  selectBusinessSystems,
  selectRegulatoryDocuments,
  selectSeverities,
} from '../../features/compliance/lookups.read.sql.ts';
import {
  type BranchRow,
  type CompanyRow,
  selectBranches,
  selectCompanies,
} from '../../features/master-data/companies/companies.read.sql.ts';
import { companyPathId, id, text } from '../../http/fields.ts';
import { route } from '../../http/route.ts';

const tag = 'Lookups';

const lookupAnswer = z.array(z.object({ id, code: z.string(), name: z.string() }));

export const getSeveritiesRoute = route({
  operationId: 'listSeverities',
  method: 'GET',
  path: '/api/compliance/cluetype/list',
  summary: 'Severities',
  tag,
  access: { to: 'signedIn' },
  answer: lookupAnswer.meta({ example: [{ id: 2, code: 'WARNING', name: 'Aviso' }] }),
  handle: ({ context }) => selectSeverities(context.sql),
});

export const getBusinessSystemsRoute = route({
  operationId: 'listBusinessSystems',
  method: 'GET',
  path: '/api/compliance/businesssystem/list',
  summary: 'Business systems',
  tag,
  access: { to: 'signedIn' },
  answer: lookupAnswer.meta({ example: [{ id: 2, code: 'TESOURARIA', name: 'Tesouraria' }] }),
  handle: ({ context }) => selectBusinessSystems(context.sql),
});

export const getDocumentsRoute = route({
  operationId: 'listRegulatoryDocuments',
  method: 'GET',
  path: '/api/compliance/document/list',
  summary: 'Accounting documents that rules may check',
  tag,
  access: { to: 'signedIn' },
  answer: lookupAnswer.meta({ example: [{ id: 1, code: '4010', name: 'Balancete Patrimonial Analítico' }] }),
  handle: ({ context }) => selectRegulatoryDocuments(context.sql),
});

const companyAnswer = z.object({
  id,
  company: z.string().meta({ example: '0001' }),
  name: z.string().meta({ example: 'Banco Exemplo' }),
  cnpj: z.string().meta({ example: '11222333000181' }),
});

export const getCompaniesRoute = route({
  operationId: 'listCompanies',
  method: 'GET',
  path: '/api/compliance/company/list',
  summary: 'The companies that the caller sees',
  tag,
  access: { to: 'anyUser' },
  answer: z.array(companyAnswer),
  handle: async ({ context }) => (await selectCompanies(context.sql)).map(companyToWire),
});

const SHORTEST_FILTER = 3;

export const getCompaniesByNameRoute = route({
  operationId: 'findCompanies',
  method: 'GET',
  path: '/api/compliance/company/list/{name}',
  summary: 'The companies whose name holds the text, in any case and with or without accents',
  tag,
  access: { to: 'anyUser' },
  params: z.object({
    name: text(200)
      .refine(
        (name) => [...name].length >= SHORTEST_FILTER,
        `must have at least ${SHORTEST_FILTER} characters | deve ter ao menos ${SHORTEST_FILTER} caracteres`,
      )
      .meta({ example: 'Banco', minLength: SHORTEST_FILTER }),
  }),
  answer: z.array(companyAnswer),
  handle: async ({ params, context }) => {
    const wanted = foldName(params.name);
    return (await selectCompanies(context.sql))
      .filter(({ name }) => foldName(name).includes(wanted))
      .map(companyToWire);
  },
});

const branchAnswer = z.object({
  id,
  companyid: id,
  company: z.string().meta({ example: '0001' }),
  branch: z.string().meta({ example: '0001' }),
  name: z.string().meta({ example: 'Matriz' }),
});

export const getBranchesRoute = route({
  operationId: 'listBranches',
  method: 'GET',
  path: '/api/compliance/branch/list',
  summary: 'The branches that the caller sees',
  tag,
  access: { to: 'anyUser' },
  answer: z.array(branchAnswer),
  handle: async ({ context }) => (await selectBranches(context.sql)).map(branchToWire),
});

export const getBranchesOfCompanyRoute = route({
  operationId: 'listCompanyBranches',
  method: 'GET',
  path: '/api/compliance/branch/list/{company_id}',
  summary: 'The branches of a company that the caller sees',
  tag,
  access: { to: 'record', record: 'company', id: ({ company_id }) => company_id },
  params: z.object({ company_id: companyPathId }),
  answer: z.array(branchAnswer),
  handle: async ({ params, context }) => (await selectBranches(context.sql, params.company_id)).map(branchToWire),
});

function companyToWire({ id: companyId, code, name, cnpj }: CompanyRow): z.output<typeof companyAnswer> {
  return { id: companyId, company: code, name, cnpj };
}

function branchToWire(row: BranchRow): z.output<typeof branchAnswer> {
  return { id: row.id, companyid: row.companyId, company: row.company, branch: row.code, name: row.name };
}

function foldName(name: string): string {
  return name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
