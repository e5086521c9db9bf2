import type { FastifyInstance } from 'fastify';
import type { Sessions } from '../../features/access/sessions/sessions.ts';
import { addAssets, SAFETY_HEADERS } from './assets.ts';
import { addForwarding, type Doors } from './forward.ts';
import { guardApi } from './guard.ts';

/** Makes a server the console: who is signed in, what goes to the services, and the pages. Its routes are mounted after. */
export function openConsole(
  server: FastifyInstance,
  { sessions, doors, folder }: { readonly sessions: Sessions; readonly doors: Doors; readonly folder: string },
): void {
  server.addHook('onRequest', async (_request, reply) => {
    reply.headers(SAFETY_HEADERS);
  });
  guardApi(server, sessions);
  addForwarding(server, doors);
  addAssets(server, folder);
}
