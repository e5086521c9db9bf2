import { getConsolidationEventsRoute, getConsolidationRoute } from '../../http/consolidation.routes.ts';
import {
  getMonthOpeningRoute,
  getMonthReopeningsRoute,
  postMonthOpeningRoute,
} from '../../http/month-opening.routes.ts';
import {
  deleteBatchesRoute,
  deleteBatchRoute,
  getBatchesRoute,
  getBatchPageRoute,
  getBatchRoute,
  getBatchSummaryRoute,
  postBatchRoute,
} from '../../http/movements/batches.routes.ts';
import { postBulkRoute } from '../../http/movements/bulk.routes.ts';
import {
  deleteDocumentRoute,
  deleteDocumentsRoute,
  getDocumentPageRoute,
  getDocumentRoute,
  getDocumentSummaryRoute,
  getDocumentsRoute,
  postDocumentRoute,
} from '../../http/movements/documents.routes.ts';
import {
  deleteEntriesRoute,
  deleteEntryRoute,
  getEntriesRoute,
  getEntryPageRoute,
  getEntryRoute,
  getEntrySummaryRoute,
  postEntryRoute,
} from '../../http/movements/entries.routes.ts';
import type { Route } from '../../http/route.ts';
import {
  approveRoute,
  getApprovalRoute,
  getApprovalsRoute,
  rejectApprovalRoute,
  withdrawApprovalRoute,
} from './approvals.routes.ts';
import { getConsolidationsRoute, runConsolidationRoute } from './consolidation.routes.ts';
import { getReversalRoute, putEntryRoute, reverseEntryRoute } from './corrections.routes.ts';
import { getEcdImportEventsRoute, getEcdImportRoute, importEcdRoute } from './ecd-import.routes.ts';
import { getEventsRoute } from './events.routes.ts';
import {
  deleteImportRoute,
  downloadImportRoute,
  getImportedRowRoute,
  getImportRoute,
  getImportRowsRoute,
  getImportsRoute,
} from './import-records.routes.ts';
import { importCsvRoute, importIplRoute, importJsonRoute } from './imports.routes.ts';
import { closeDayRoute, postCloseDayRoute } from './months.routes.ts';
import { getArchivedMonthsRoute, purgingRoute } from './purging.routes.ts';
import { postTaxQuotaRoute, previewQuotaRoute, taxQuotaRoute } from './quotas.routes.ts';
import { createEntriesRoute } from './test-data.routes.ts';
import {
  deleteWebhookRoute,
  getWebhookDeliveriesRoute,
  getWebhookRoute,
  getWebhooksRoute,
  postWebhookRoute,
  postWebhookSecretRoute,
  putWebhookRoute,
  replayDeadRoute,
  replayDeliveryRoute,
} from './webhooks.routes.ts';
import { getWholeEntriesRoute, postWholeEntryRoute, putWholeEntryRoute } from './whole-entries.routes.ts';

/** Every route of the service, in the specification's order. */
export const movementsRoutes: readonly Route[] = [
  postBatchRoute,
  getBatchPageRoute,
  getBatchesRoute,
  getBatchRoute,
  deleteBatchRoute,
  deleteBatchesRoute,
  getBatchSummaryRoute,
  postDocumentRoute,
  getDocumentPageRoute,
  getDocumentsRoute,
  getDocumentRoute,
  deleteDocumentRoute,
  deleteDocumentsRoute,
  getDocumentSummaryRoute,
  postEntryRoute,
  getEntryPageRoute,
  getEntriesRoute,
  getEntryRoute,
  deleteEntryRoute,
  deleteEntriesRoute,
  getEntrySummaryRoute,
  importCsvRoute,
  importIplRoute,
  importJsonRoute,
  importEcdRoute,
  getEcdImportRoute,
  getEcdImportEventsRoute,
  deleteImportRoute,
  runConsolidationRoute,
  postMonthOpeningRoute,
  getMonthOpeningRoute,
  getMonthReopeningsRoute,
  closeDayRoute,
  taxQuotaRoute,
  purgingRoute,
  createEntriesRoute,
  getImportsRoute,
  getImportRoute,
  getImportRowsRoute,
  downloadImportRoute,
  getImportedRowRoute,
  getConsolidationRoute,
  getConsolidationEventsRoute,
  getWholeEntriesRoute,
  postWholeEntryRoute,
  putWholeEntryRoute,
  putEntryRoute,
  reverseEntryRoute,
  getReversalRoute,
  getArchivedMonthsRoute,
  getApprovalsRoute,
  getApprovalRoute,
  approveRoute,
  rejectApprovalRoute,
  withdrawApprovalRoute,
  getEventsRoute,
  postBulkRoute,
  postWebhookRoute,
  getWebhooksRoute,
  getWebhookRoute,
  putWebhookRoute,
  deleteWebhookRoute,
  postWebhookSecretRoute,
  getWebhookDeliveriesRoute,
  replayDeliveryRoute,
  replayDeadRoute,
  getConsolidationsRoute,
  postCloseDayRoute,
  previewQuotaRoute,
  postTaxQuotaRoute,
];
