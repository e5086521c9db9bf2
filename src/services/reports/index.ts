import type { Route } from '../../http/route.ts';
import { accountCodesRoute } from './account-codes.routes.ts';
import { downloadBookRoute, getBooksRoute, getNextBooksRoute } from './books.routes.ts';
import { combinedReportRoute } from './combined-report.routes.ts';
import { getFinancialStatementRoute } from './financial-statement.routes.ts';
import {
  equityBalancesRoute,
  planBalanceOfDayRoute,
  planBalanceRoute,
  postedLinesRoute,
} from './plan-balances.routes.ts';
import { getPreferencesRoute, postPreferencesRoute } from './preferences.routes.ts';
import { checkRegulatoryFileRoute } from './regulatory-check.routes.ts';
import { getDeliveriesRoute, putDeliveryRoute } from './regulatory-deliveries.routes.ts';
import { downloadFilingRoute, getFilingJobRoute, writeCosifRoute, writeEcdRoute } from './regulatory-files.routes.ts';
import { precheckRoute } from './regulatory-precheck.routes.ts';
import {
  downloadReportRoute,
  getReportJobEventsRoute,
  getReportJobRoute,
  getReportJobsRoute,
} from './report-jobs.routes.ts';
import { reportRoutes } from './reports.routes.ts';

/** Every route of the service, in the specification's order. */
export const reportsRoutes: readonly Route[] = [
  ...reportRoutes,
  combinedReportRoute,
  accountCodesRoute,
  planBalanceRoute,
  planBalanceOfDayRoute,
  equityBalancesRoute,
  postedLinesRoute,
  getPreferencesRoute,
  postPreferencesRoute,
  getReportJobsRoute,
  getReportJobRoute,
  getReportJobEventsRoute,
  downloadReportRoute,
  getBooksRoute,
  getNextBooksRoute,
  downloadBookRoute,
  getFinancialStatementRoute,
  checkRegulatoryFileRoute,
  writeEcdRoute,
  writeCosifRoute,
  getFilingJobRoute,
  downloadFilingRoute,
  getDeliveriesRoute,
  putDeliveryRoute,
  precheckRoute,
];
