import type { Route } from '../wire/route.ts';

/** Every route of the service, in the specification's order. */
export const reportsRoutes: readonly Route[] = [];
