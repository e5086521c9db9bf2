import { createClient } from 'partidas-client';
import { sessionFetch } from './session.ts';

/**
 * The operations of the six services, as `api.queries.findEntries({ path, query })`. Amounts are exact decimal text. The
 * session's cookie goes with each request; one that meets an ended session waits for the sign-in dialog and is sent
 * again as it was, under the same Idempotency-Key.
 */
export const api = createClient({
  addresses: (service) => `/api/${service}`,
  fetch: sessionFetch,
  language: 'pt-BR',
  // A person waits: the screen says soon that the service is away and offers to repeat.
  retries: { attempts: 3, firstDelay: 250, longestDelay: 2_000 },
});
