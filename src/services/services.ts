import type { Described } from '../http/openapi/document.ts';
import type { Route } from '../http/route.ts';
import type { DoorName } from '../platform/config.ts';
import { VERSION } from '../version.ts';
import { authenticationRoutes } from './authentication/index.ts';
import { CONTRACT_VERSION } from './compliance/health.routes.ts';
import { complianceRoutes } from './compliance/index.ts';
import { consoleRoutes } from './console/index.ts';
import { masterdataRoutes } from './masterdata/index.ts';
import { movementsRoutes } from './movements/index.ts';
import { queriesRoutes } from './queries/index.ts';
import { reportsRoutes } from './reports/index.ts';

/** The seven services. The compliance service's contract version is the specification's. */
export const SERVICES: Readonly<Record<DoorName, { title: string; version?: string; routes: readonly Route[] }>> = {
  authentication: { title: 'Partidas: authentication', routes: authenticationRoutes },
  masterdata: { title: 'Partidas: master data', routes: masterdataRoutes },
  movements: { title: 'Partidas: movements', routes: movementsRoutes },
  queries: { title: 'Partidas: queries', routes: queriesRoutes },
  reports: { title: 'Partidas: reports', routes: reportsRoutes },
  compliance: { title: 'Partidas: compliance', version: CONTRACT_VERSION, routes: complianceRoutes },
  console: { title: 'Partidas: console', routes: consoleRoutes },
};

/** A service as its document says it. */
export function describedService(service: DoorName): Described {
  const { title, version = VERSION, routes } = SERVICES[service];
  return { title, version, routes };
}
