import type { Route } from '../../http/route.ts';
import { beginLoginRoute, finishLoginRoute, providersRoute } from './login.routes.ts';
import {
  consoleSessionRoute,
  endOtherSessionsRoute,
  endSessionRoute,
  listSessionsRoute,
  signInToConsoleRoute,
  signOutOfConsoleRoute,
} from './session.routes.ts';

/** Every route of the console's own API; what it forwards belongs to the services. */
export const consoleRoutes: readonly Route[] = [
  signInToConsoleRoute,
  consoleSessionRoute,
  signOutOfConsoleRoute,
  listSessionsRoute,
  endOtherSessionsRoute,
  endSessionRoute,
  providersRoute,
  beginLoginRoute,
  finishLoginRoute,
];
