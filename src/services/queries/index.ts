import type { Route } from '../../http/route.ts';
import { balanceInquiryRoute, chartListingRoute, generalLedgerRoute } from './balances.routes.ts';
import { leanChartRoute } from './chart.routes.ts';
import { closePreviewRoute, closingChecklistRoute, closingChecklistsRoute } from './closing-checklist.routes.ts';
import { dailyFilingRoute } from './daily-filing.routes.ts';
import { findEntriesRoute } from './entries.routes.ts';
import { getSourcedEntriesRoute } from './entry-sources.routes.ts';
import { accountLedgerLinesRoute, accountLedgerRoute } from './ledger.routes.ts';
import { legacyBalancesRoute, legacyEntriesRoute, legacyRedirectRoute } from './legacy-integration.routes.ts';
import { getMonthStatesRoute, getMonthsOfBranchRoute, getMonthsOfCompanyRoute } from './months.routes.ts';
import { reconciliationRoute } from './reconciliation.routes.ts';
import { checkpointRoute, sealConsistencyRoute, sealKeysRoute } from './seal-log.routes.ts';
import { sealProofRoute } from './seal-proof.routes.ts';
import { listSealsRoute } from './seals.routes.ts';

/** Every route of the service, in the specification's order. */
export const queriesRoutes: readonly Route[] = [
  balanceInquiryRoute,
  generalLedgerRoute,
  chartListingRoute,
  legacyBalancesRoute,
  legacyEntriesRoute,
  legacyRedirectRoute,
  findEntriesRoute,
  closingChecklistRoute,
  closingChecklistsRoute,
  closePreviewRoute,
  reconciliationRoute,
  dailyFilingRoute,
  getSourcedEntriesRoute,
  getMonthsOfCompanyRoute,
  getMonthsOfBranchRoute,
  getMonthStatesRoute,
  accountLedgerRoute,
  accountLedgerLinesRoute,
  leanChartRoute,
  listSealsRoute,
  checkpointRoute,
  sealConsistencyRoute,
  sealProofRoute,
  sealKeysRoute,
];
