import { z } from 'zod';
import { importHolidays } from '../../features/master-data/calendar/import-holidays.ts';
import { importChart, requireChartToImport } from '../../features/master-data/chart/import-chart.ts';
import { importBaseBalances } from '../../features/master-data/companies/import-base-balances.ts';
import { importCompanies } from '../../features/master-data/companies/import-companies.ts';
import type { TableOutcome } from '../../features/master-data/table-imports/import-table.ts';
import { MAX_TABLE_BYTES } from '../../features/master-data/table-imports/read-table.ts';
import { booleanText, tenantParams } from '../../http/fields.ts';
import { importResult, resultToWire } from '../../http/import-result.ts';
import { languageOf } from '../../http/language.ts';
import { type Request, route } from '../../http/route.ts';
import { type Upload, uploadBody, uploadOf } from '../../http/upload.ts';
import { chartCode } from './company-options.ts';

// Master data from CSV files; each file is one transaction.

const tag = 'Imports';
const dryRun = booleanText.optional();

export const importCompaniesRoute = route({
  operationId: 'importCompanies',
  method: 'POST',
  path: '/company/import',
  cost: 'upload',
  summary: 'Creates companies with their branches from a CSV file: a row a branch',
  tag,
  addition: true,
  access: { to: 'anyUser', routine: 'COMPANIES' },
  query: z.strictObject({ dryRun }),
  accepts: ['stream'],
  body: uploadBody,
  answer: importResult,
  handle: (request) => importResponse(request, (upload) => importCompanies(request.context, request.config, upload)),
});

export const importChartRoute = route({
  operationId: 'importAccounts',
  method: 'POST',
  path: '/chartOfAccounts/import',
  cost: 'upload',
  summary: 'Adds the accounts of a CSV file to a chart; confirmed=true keeps wrong check digits',
  tag,
  addition: true,
  access: { to: 'signedIn', routine: 'CHART_OF_ACCOUNTS' },
  query: z.strictObject({ chart: chartCode, confirmed: booleanText.default(false), dryRun }),
  accepts: ['stream'],
  body: uploadBody,
  answer: importResult,
  handle: async (request) => {
    await requireChartToImport(request.context, request.query.chart);
    return importResponse(request, (upload) => importChart(request.context, { ...request.query, ...upload }));
  },
});

export const importHolidaysRoute = route({
  operationId: 'importHolidays',
  method: 'POST',
  path: '/calendar/{company}/{branch}/import',
  cost: 'upload',
  summary: 'Writes the holidays of a CSV file into the calendar of the branch',
  tag,
  addition: true,
  access: { to: 'tenant', of: ({ company, branch }) => ({ company, branch }) },
  params: tenantParams,
  query: z.strictObject({ dryRun }),
  accepts: ['stream'],
  body: uploadBody,
  answer: importResult,
  handle: (request) => importResponse(request, (upload) => importHolidays(request.context, request.tenant, upload)),
});

export const importBaseBalancesRoute = route({
  operationId: 'importBaseBalances',
  method: 'POST',
  path: '/baseBalance/{company}/{branch}/import',
  cost: 'upload',
  summary: 'Replaces the base balances of the branch by those of a CSV file',
  tag,
  addition: true,
  access: { to: 'tenant', of: ({ company, branch }) => ({ company, branch }), routine: 'SETTINGS' },
  params: tenantParams,
  query: z.strictObject({ dryRun }),
  accepts: ['stream'],
  body: uploadBody,
  answer: importResult,
  handle: (request) => importResponse(request, (upload) => importBaseBalances(request.context, request.tenant, upload)),
});

/** Passes the file of the request to the use case and returns the outcome of its rows. */
export async function importResponse(
  {
    raw,
    query,
    config,
  }: Pick<Request<undefined, undefined, undefined>, 'raw' | 'config'> & {
    readonly query: { readonly dryRun?: boolean | undefined };
  },
  work: (upload: Upload) => Promise<TableOutcome>,
): Promise<z.output<typeof importResult>> {
  const upload = await uploadOf(raw, query, Math.min(config.uploadLimit, MAX_TABLE_BYTES));
  try {
    return resultToWire(await work(upload), upload.dryRun, languageOf(raw.headers['accept-language']));
  } finally {
    await upload.file.remove();
  }
}
