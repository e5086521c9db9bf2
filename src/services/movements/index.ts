import type { Route } from '../wire/route.ts';

/** Every route of the service, in the specification's order. */
export const movementsRoutes: readonly Route[] = [];
