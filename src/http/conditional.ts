import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { RouteResponse } from './route.ts';

/**
 * The body with its ETag, or 304 for a client that has it. Clients may keep it for themselves and ask each time: rights
 * may have changed since. `version` stands for all that the body says.
 */
export function conditionalAnswer<Body>(raw: FastifyRequest, version: unknown, body: () => Body): RouteResponse<Body> {
  const tag = `"${createHash('sha256').update(JSON.stringify(version)).digest('base64url').slice(0, 22)}"`;
  const headers = { etag: tag, 'cache-control': 'private, no-cache' };
  const isKnown = raw.headers['if-none-match']?.includes(tag) ?? false;
  return isKnown ? new RouteResponse(304, undefined as Body, headers) : new RouteResponse(200, body(), headers);
}
