import type { Route } from '../../http/route.ts';
import { getHealthRoute } from './health.routes.ts';
import { checkRoute, languageRoute } from './language.routes.ts';
import {
  getBranchesOfCompanyRoute,
  getBranchesRoute,
  getBusinessSystemsRoute,
  getCompaniesByNameRoute,
  getCompaniesRoute,
  getDocumentsRoute,
  getSeveritiesRoute,
} from './lookup.routes.ts';
import {
  getProcessesOfCompanyRoute,
  getProcessesRoute,
  getProcessesSinceRoute,
  getProcessRoute,
} from './process.routes.ts';
import { getRulesRoute, getScriptVersionsRoute, postRuleRoute, updateRuleRoute } from './rule.routes.ts';
import { getRunEventsRoute, getRunJobRoute, runRoute, testRoute } from './run.routes.ts';

/** Every route of the service, in the specification's order, then the additions. */
export const complianceRoutes: readonly Route[] = [
  getRulesRoute,
  postRuleRoute,
  updateRuleRoute,
  runRoute,
  testRoute,
  getSeveritiesRoute,
  getBusinessSystemsRoute,
  getDocumentsRoute,
  getCompaniesRoute,
  getCompaniesByNameRoute,
  getBranchesRoute,
  getBranchesOfCompanyRoute,
  getProcessesRoute,
  getProcessesSinceRoute,
  getProcessesOfCompanyRoute,
  getProcessRoute,
  getHealthRoute,
  getRunJobRoute,
  getRunEventsRoute,
  getScriptVersionsRoute,
  checkRoute,
  languageRoute,
];
