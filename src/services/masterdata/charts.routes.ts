import { z } from 'zod';
import {
  changeChart,
  copyChart,
  readChart,
  readCharts,
  type ShownChart,
} from '../../features/master-data/chart/own-chart.ts';
import { companyCode, optional, readOnly } from '../../http/fields.ts';
import { route } from '../../http/route.ts';
import { chartCode } from './company-options.ts';

const tag = 'Chart of accounts';

const chartParams = z.object({ chartCode });

const chartAnswer = z.object({
  chartCode: z.string().meta({ example: 'COSIF' }),
  owner: z
    .string()
    .nullable()
    .meta({ example: '0001', description: 'Code of the company whose the chart is, where the caller reaches it' }),
  installation: z.boolean().meta({ description: "The chart is the installation's; administrators alone change it" }),
  shared: z.boolean().meta({ description: 'Options of other companies may name it' }),
  changeable: z.boolean().meta({ description: 'Whether the caller may change it, given the routine' }),
});

export const getChartsRoute = route({
  operationId: 'listCharts',
  method: 'GET',
  path: '/chart',
  summary: 'The charts that the caller sees, and whose they are',
  tag,
  addition: true,
  access: { to: 'anyUser' },
  answer: z.array(chartAnswer),
  handle: async ({ context }) => (await readCharts(context)).map(chartToWire),
});

export const getChartRoute = route({
  operationId: 'getChart',
  method: 'GET',
  path: '/chart/{chartCode}',
  summary: 'Whose a chart is',
  tag,
  addition: true,
  access: { to: 'anyUser' },
  params: chartParams,
  fieldNames: { chart: 'chartCode' },
  answer: chartAnswer,
  handle: async ({ params, context }) => chartToWire(await readChart(context, params.chartCode)),
});

export const putChartRoute = route({
  operationId: 'updateChart',
  method: 'PUT',
  path: '/chart/{chartCode}',
  summary: 'Shares a chart with other companies, by its owner; gives it another owner, by administrators',
  tag,
  addition: true,
  access: { to: 'signedIn', routine: 'CHART_OF_ACCOUNTS' },
  params: chartParams,
  fieldNames: { chart: 'chartCode' },
  body: z.strictObject({
    chartCode: readOnly,
    owner: companyCode.nullish().meta({ example: null }),
    installation: optional(z.boolean().meta({ example: null })),
    shared: optional(z.boolean().meta({ example: true })),
    changeable: readOnly,
  }),
  answer: chartAnswer,
  handle: async ({ params, body, context }) => chartToWire(await changeChart(context, params.chartCode, body)),
});

export const copyChartRoute = route({
  operationId: 'copyChart',
  method: 'POST',
  path: '/chartOfAccounts/copy',
  summary: "Makes a chart of the company's own with all accounts of another one that the caller sees or that is shared",
  tag,
  addition: true,
  access: { to: 'tenant', of: ({ company }) => ({ company }), routine: 'CHART_OF_ACCOUNTS' },
  body: z.strictObject({
    from: chartCode.meta({ example: 'COSIF' }),
    to: chartCode.meta({ example: 'COSIF_PROPRIO' }),
    company: companyCode,
  }),
  status: 201,
  answer: z.object({ chartCode: z.string().meta({ example: 'COSIF_PROPRIO' }), accounts: z.number().int() }),
  handle: async ({ body, context, tenants, admit }) => {
    // The source may be seen through another company than the one that gets the copy.
    const seen = await admit({ to: 'anyUser' });
    return { chartCode: body.to, accounts: await copyChart(context, seen.context.sql, tenants[0]!, body) };
  },
});

function chartToWire({ code, owner, installation, shared, changeable }: ShownChart): z.output<typeof chartAnswer> {
  return { chartCode: code, owner, installation, shared, changeable };
}
