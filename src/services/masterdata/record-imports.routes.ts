import { z } from 'zod';
import { importNarrations } from '../../features/master-data/narrations/import-narrations.ts';
import {
  importReferenceChart,
  requireReferenceChart,
} from '../../features/master-data/reference-charts/import-reference-chart.ts';
import { mapReferenceAccounts } from '../../features/master-data/reference-charts/map-reference-accounts.ts';
import { booleanText } from '../../http/fields.ts';
import { importResult } from '../../http/import-result.ts';
import { route } from '../../http/route.ts';
import { uploadBody } from '../../http/upload.ts';
import { chartCode } from './company-options.ts';
import { importResponse } from './imports.routes.ts';

const tag = 'Imports';
const query = z.strictObject({ dryRun: booleanText.optional() });
const referenceParams = z.object({
  planRef_uuid: z.uuid().meta({ example: '00000000-0000-4000-8000-000000000000' }),
});

export const importNarrationsRoute = route({
  operationId: 'importNarrations',
  method: 'POST',
  path: '/history/import',
  cost: 'upload',
  summary: 'Adds the standard narrations of a CSV file',
  tag,
  addition: true,
  access: { to: 'signedIn', routine: 'SETTINGS' },
  query,
  accepts: ['stream'],
  body: uploadBody,
  answer: importResult,
  handle: (request) => importResponse(request, (upload) => importNarrations(request.context, upload)),
});

export const importReferenceChartRoute = route({
  operationId: 'importReferenceAccounts',
  method: 'POST',
  path: '/referenceChartOfAccounts/{planRef_uuid}/import',
  cost: 'upload',
  summary:
    'Adds the accounts of a CSV file, such as the tables of the Receita Federal, to a reference chart; confirmed=true keeps accounts whose parent is nowhere',
  tag,
  addition: true,
  access: { to: 'signedIn', routine: 'SETTINGS' },
  params: referenceParams,
  query: z.strictObject({ confirmed: booleanText.default(false), dryRun: booleanText.optional() }),
  accepts: ['stream'],
  body: uploadBody,
  answer: importResult,
  handle: async (request) => {
    await requireReferenceChart(request.context, request.params.planRef_uuid);
    return importResponse(request, (upload) =>
      importReferenceChart(request.context, request.params.planRef_uuid, { ...request.query, ...upload }),
    );
  },
});

export const mapReferenceChartRoute = route({
  operationId: 'mapReferenceChart',
  method: 'POST',
  path: '/referenceChartOfAccounts/{planRef_uuid}/map',
  cost: 'upload',
  summary: 'Maps the accounts of a chart to the reference chart where the code decides it',
  tag: 'Reference charts',
  addition: true,
  access: { to: 'signedIn', routine: 'CHART_OF_ACCOUNTS' },
  params: referenceParams,
  query: z.strictObject({ chart: chartCode }),
  answer: z.object({ mapped: z.number().int(), alreadyMapped: z.number().int(), unmapped: z.number().int() }),
  handle: ({ params, query, context }) => mapReferenceAccounts(context, params.planRef_uuid, query.chart),
});
