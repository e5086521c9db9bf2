import type { Route } from '../route.ts';
import type { HeaderName } from './headers.ts';

/** Headers of the answer with the status, which is not that of a rejection. */
export function successHeaders(
  { headers = [], deprecation, idempotent, conditional }: Route,
  status: number,
): HeaderName[] {
  const isElsewhere = status === 202 || status === 301 || status === 303;
  return [
    'X-Request-Id',
    ...(idempotent ? (['Idempotency-Replayed'] as const) : []),
    ...(conditional ? (['ETag'] as const) : []),
    ...(deprecation ? (['Deprecation', 'Link'] as const) : []),
    ...headers.filter((name) => name !== 'Location' || isElsewhere),
  ];
}

/** Headers of the table that the document of the route declares, in small letters. */
export function sentHeaders(route: Route): string[] {
  const always: readonly HeaderName[] = ['WWW-Authenticate', 'Retry-After'];
  return [...always, ...successHeaders(route, route.status), ...(route.headers ?? [])].map((name) =>
    name.toLowerCase(),
  );
}
