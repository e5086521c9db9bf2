import { createHash } from 'node:crypto';
import type { FastifyInstance, RouteShorthandOptions } from 'fastify';

/** Routes for machines that watch the service: not in its documents, and answering HEAD, which load balancers send. */
export const BESIDE_THE_CONTRACT = { schema: { hide: true }, exposeHeadRoute: true } as const;

/** Bytes that are made once and say which they are, so that whoever has them need not take them again. */
export interface Page {
  readonly type: string;
  readonly bytes: Buffer;
  readonly tag: string;
}

export function pageOf(type: string, content: string | Buffer): Page {
  const bytes = Buffer.from(content);
  return { type, bytes, tag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"` };
}

/** Answers the page, or 304 to a client that has it. */
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

/** What is made when it is first asked for, and then kept. */
export function memoize<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
