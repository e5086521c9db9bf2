import type { Route } from '../wire/route.ts';
import { keySetRoute, signInRoute } from './signin.routes.ts';

/** Every route of the service, in the specification's order. */
export const authenticationRoutes: readonly Route[] = [signInRoute, keySetRoute];
