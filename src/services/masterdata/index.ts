import { getConsolidationEventsRoute, getConsolidationRoute } from '../../http/consolidation.routes.ts';
import {
  getMonthOpeningRoute,
  getMonthReopeningsRoute,
  postMonthOpeningRoute,
} from '../../http/month-opening.routes.ts';
import {
  deleteBatchRoute,
  getBatchesRoute,
  getBatchRoute,
  getBatchSummaryRoute,
  postBatchRoute,
} from '../../http/movements/batches.routes.ts';
import {
  deleteDocumentRoute,
  getDocumentRoute,
  getDocumentSummaryRoute,
  getDocumentsRoute,
  postDocumentRoute,
} from '../../http/movements/documents.routes.ts';
import {
  deleteEntryRoute,
  getEntriesRoute,
  getEntryRoute,
  getEntrySummaryRoute,
  postEntryRoute,
} from '../../http/movements/entries.routes.ts';
import type { Route } from '../../http/route.ts';
import { getBaseBalancesRoute, putBaseBalancesRoute } from './base-balances.routes.ts';
import {
  deleteBranchRoute,
  getBranchByCodeRoute,
  getBranchesRoute,
  getBranchRoute,
  getCompanyBranchDetailsRoute,
  getCompanyBranchesRoute,
  postBranchRoute,
  putBranchRoute,
} from './branches.routes.ts';
import {
  getCalendarMonthRoute,
  getClosedDaysRoute,
  getDayAvailableRoute,
  getHasEntriesRoute,
  getMonthClosedRoute,
  postCalendarRoute,
} from './calendar.routes.ts';
import {
  deleteAccountRoute,
  getAccountDetailsRoute,
  getAccountRoute,
  getAccountsRoute,
  getBranchAccountsRoute,
  getNumberOfChildrenRoute,
  postAccountRoute,
  putAccountRoute,
} from './chart-of-accounts.routes.ts';
import { copyChartRoute, getChartRoute, getChartsRoute, putChartRoute } from './charts.routes.ts';
import {
  deleteClosureSettingsRoute,
  getAllClosureSettingsRoute,
  getBranchClosureSettingsRoute,
  getClosureSettingsRoute,
  postClosureSettingsRoute,
  putClosureSettingsRoute,
} from './closure-settings.routes.ts';
import {
  deleteCompanyRoute,
  getCompaniesRoute,
  getCompanyByCodeRoute,
  getCompanyRoute,
  getUserCompaniesRoute,
  postCompanyRoute,
  putCompanyRoute,
} from './companies.routes.ts';
import {
  deleteCompanyOptionsRoute,
  getAllCompanyOptionsRoute,
  getBranchOptionsRoute,
  getCompanyOptionsRoute,
  postCompanyOptionsRoute,
  putCompanyOptionsRoute,
} from './company-options.routes.ts';
import { runConsolidationRoute } from './consolidation.routes.ts';
import { containerLogsRoute, loggedServicesRoute } from './container-logs.routes.ts';
import { controlBalanceRoute } from './control-balances.routes.ts';
import { calculateQuotasRoute, listDailyQuotasRoute, reprocessQuotasRoute } from './daily-quotas.routes.ts';
import { getVisibleEntriesRoute } from './entries.routes.ts';
import { listFeesRoute, postFeesRoute, previewFeesRoute, reverseFeesRoute } from './fee-accruals.routes.ts';
import {
  deleteFundFeeRoute,
  getFundFeeRoute,
  getFundFeesRoute,
  postFundFeeRoute,
  putFundFeeRoute,
} from './fund-fees.routes.ts';
import { fundSettingsRoutes, fundTypeRoutes } from './funds.routes.ts';
import { deleteGroupRoute, getGroupRoute, getGroupsRoute, postGroupRoute, putGroupRoute } from './groups.routes.ts';
import {
  importBaseBalancesRoute,
  importChartRoute,
  importCompaniesRoute,
  importHolidaysRoute,
} from './imports.routes.ts';
import { getAddressByZipCodeRoute, getCompanyByCnpjRoute } from './lookups.routes.ts';
import { getNarrationsRoute, narrationRoutes } from './narrations.routes.ts';
import { importMovementsRoute, listMovementsOfBranchRoute, quotaMovementRoutes } from './quota-movements.routes.ts';
import { getQuotaRunRoute, startQuotaRunsRoute } from './quota-runs.routes.ts';
import {
  getQuotaConfigurationRoute,
  getQuotaConfigurationsRoute,
  getTaxQuotaRoute,
  getTaxQuotasRoute,
  postQuotaConfigurationRoute,
} from './quotas.routes.ts';
import { importNarrationsRoute, importReferenceChartRoute, mapReferenceChartRoute } from './record-imports.routes.ts';
import { referenceAccountRoutes, referenceChartRoutes } from './reference-charts.routes.ts';
import { getOfficialCodesRoute, getRegulatoryProfileRoute, putRegulatoryProfileRoute } from './regulatory.routes.ts';
import {
  deleteReleaseDataRoute,
  getPendingReleaseDataRoute,
  getReleaseDataListRoute,
  getReleaseDataRoute,
  postReleaseDataRoute,
  putReleaseDataRoute,
} from './release-data.routes.ts';
import {
  deleteReleaseRoute,
  getReleaseRoute,
  getReleasesRoute,
  postReleaseRoute,
  putReleaseRoute,
} from './releases.routes.ts';
import { getAccessOfRoutineRoute, routineAccessRoutes, routineRoutes } from './routines.routes.ts';
import {
  deleteStatementRoute,
  getStatementFactsRoute,
  getStatementGapsRoute,
  getStatementLinesRoute,
  getStatementRoute,
  getStatementsRoute,
  postDefaultStatementsRoute,
  postStatementRoute,
  putStatementFactsRoute,
  putStatementLinesRoute,
  putStatementRoute,
} from './statements.routes.ts';

/** Every route of the service, in the specification's order. */
// biome-ignore format: a line a resource
export const masterdataRoutes: readonly Route[] = [
  postCompanyRoute, getCompaniesRoute, getUserCompaniesRoute, getCompanyRoute, getCompanyByCodeRoute, putCompanyRoute, deleteCompanyRoute, getCompanyByCnpjRoute, getAddressByZipCodeRoute,
  postBranchRoute, getCompanyBranchesRoute, getBranchesRoute, getBranchRoute, getBranchByCodeRoute, getCompanyBranchDetailsRoute, putBranchRoute, deleteBranchRoute,
  postAccountRoute, getAccountsRoute, getAccountDetailsRoute, getNumberOfChildrenRoute, getBranchAccountsRoute, getAccountRoute, putAccountRoute, deleteAccountRoute,
  postCalendarRoute, getCalendarMonthRoute, getMonthClosedRoute, getDayAvailableRoute, getClosedDaysRoute, getHasEntriesRoute,
  postDocumentRoute, getDocumentsRoute, getDocumentRoute, deleteDocumentRoute, getDocumentSummaryRoute,
  postEntryRoute, getEntriesRoute, getEntryRoute, getVisibleEntriesRoute, getEntrySummaryRoute, deleteEntryRoute,
  postBatchRoute, getBatchesRoute, getBatchRoute, getBatchSummaryRoute, deleteBatchRoute,
  narrationRoutes.create, getNarrationsRoute, narrationRoutes.get, narrationRoutes.replace, narrationRoutes.remove,
  postGroupRoute, getGroupsRoute, getGroupRoute, deleteGroupRoute,
  runConsolidationRoute,
  postCompanyOptionsRoute, getAllCompanyOptionsRoute, getCompanyOptionsRoute, putCompanyOptionsRoute, deleteCompanyOptionsRoute, getBranchOptionsRoute,
  postClosureSettingsRoute, getAllClosureSettingsRoute, getClosureSettingsRoute, putClosureSettingsRoute, deleteClosureSettingsRoute, getBranchClosureSettingsRoute,
  fundSettingsRoutes.create, fundSettingsRoutes.list, fundSettingsRoutes.get, fundSettingsRoutes.replace, fundSettingsRoutes.remove,
  postFundFeeRoute, getFundFeesRoute, getFundFeeRoute, putFundFeeRoute, deleteFundFeeRoute,
  previewFeesRoute, listFeesRoute, postFeesRoute, reverseFeesRoute,
  fundTypeRoutes.create, fundTypeRoutes.list, fundTypeRoutes.get, fundTypeRoutes.replace, fundTypeRoutes.remove,
  routineRoutes.create, routineRoutes.list, routineRoutes.replace, routineRoutes.remove,
  routineAccessRoutes.create, getAccessOfRoutineRoute, routineAccessRoutes.replace, routineAccessRoutes.remove,
  postMonthOpeningRoute, getMonthOpeningRoute, getMonthReopeningsRoute,
  postQuotaConfigurationRoute, getQuotaConfigurationRoute, getQuotaConfigurationsRoute, getTaxQuotaRoute,
  getTaxQuotasRoute,
  calculateQuotasRoute, listDailyQuotasRoute, reprocessQuotasRoute, startQuotaRunsRoute, getQuotaRunRoute,
  ...quotaMovementRoutes,
  listMovementsOfBranchRoute, importMovementsRoute,
  referenceChartRoutes.create, referenceChartRoutes.list, referenceChartRoutes.get, referenceChartRoutes.replace, referenceChartRoutes.remove,
  getRegulatoryProfileRoute, putRegulatoryProfileRoute, getOfficialCodesRoute,
  referenceAccountRoutes.create, referenceAccountRoutes.list, referenceAccountRoutes.get, referenceAccountRoutes.replace, referenceAccountRoutes.remove,
  getReleasesRoute, postReleaseRoute, getReleaseRoute, putReleaseRoute, deleteReleaseRoute,
  getReleaseDataListRoute, getReleaseDataRoute, postReleaseDataRoute, deleteReleaseDataRoute,
  putReleaseDataRoute, getPendingReleaseDataRoute,
  containerLogsRoute, loggedServicesRoute,
  // Additions of the platform
  getBaseBalancesRoute, putBaseBalancesRoute, controlBalanceRoute, putGroupRoute, getChartsRoute, getChartRoute, putChartRoute, copyChartRoute,
  importCompaniesRoute, importChartRoute, importHolidaysRoute, importBaseBalancesRoute, importNarrationsRoute, importReferenceChartRoute, mapReferenceChartRoute, getConsolidationRoute, getConsolidationEventsRoute,
  postDefaultStatementsRoute, postStatementRoute, getStatementsRoute, getStatementRoute, putStatementRoute, deleteStatementRoute, getStatementLinesRoute, putStatementLinesRoute, getStatementGapsRoute, getStatementFactsRoute, putStatementFactsRoute,
];
