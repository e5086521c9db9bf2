import {
  deleteReferenceAccount,
  REFERENCE_ACCOUNT,
  saveReferenceAccount,
} from '../../features/master-data/reference-charts/save-reference-account.ts';
import {
  deleteReferenceChart,
  REFERENCE_CHART,
  saveReferenceChart,
} from '../../features/master-data/reference-charts/save-reference-chart.ts';
import { resourceRoutes } from './record-routes.ts';

const tag = 'Reference charts';

export const referenceChartRoutes = resourceRoutes(
  {
    definition: REFERENCE_CHART,
    names: { id: 'planRef_uuid' },
    tag,
    paths: {
      create: '/referenceChartOfAccounts',
      list: '/referenceChartOfAccounts/all',
      item: '/referenceChartOfAccounts/{planRef_uuid}',
    },
    changedBy: 'SETTINGS',
  },
  {
    create: (context, input) => saveReferenceChart(context, input),
    change: (context, key, input) => saveReferenceChart(context, input, key as string),
    remove: (context, key) => deleteReferenceChart(context, key as string),
  },
);

export const referenceAccountRoutes = resourceRoutes(
  {
    definition: REFERENCE_ACCOUNT,
    names: { id: 'accountRef_uuid', chartId: 'planRef_uuid' },
    tag,
    paths: {
      create: '/referenceChartOfAccountsDetails',
      list: '/referenceChartOfAccountsDetails/all',
      item: '/referenceChartOfAccountsDetails/{accountRef_uuid}',
    },
    changedBy: 'SETTINGS',
  },
  {
    create: (context, input) => saveReferenceAccount(context, input),
    change: (context, key, input) => saveReferenceAccount(context, input, key as string),
    remove: (context, key) => deleteReferenceAccount(context, key as string),
  },
);
