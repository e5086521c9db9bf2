import { createHash } from 'node:crypto';
import type { FastifyInstance, RouteShorthandOptions } from 'fastify';

/** Routes for monitoring: not in the documents, and they support HEAD, which load balancers send. */
export const BESIDE_THE_CONTRACT = { exposeHeadRoute: true } as const;

/** Bytes that are made once, with an ETag for conditional requests. */
export interface Page {
  readonly type: string;
  readonly bytes: Buffer;
  readonly tag: string;
}

export function pageOf(type: string, content: string | Buffer): Page {
  const bytes = Buffer.from(content);
  return { type, bytes, tag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"` };
}

/** Returns the page, or 304 to a client that has it. */
export function servePage(
  app: FastifyInstance,
  path: string,
  page: () => Page,
  options: RouteShorthandOptions = {},
): void {
  app.get(path, { ...BESIDE_THE_CONTRACT, ...options }, (request, reply) => {
    const { type, bytes, tag } = page();
    reply.headers({ etag: tag, 'cache-control': 'no-cache' });
    return request.headers['if-none-match']?.includes(tag) ? reply.status(304).send() : reply.type(type).send(bytes);
  });
}

/** Made at the first call, then cached. */
export function memoize<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
