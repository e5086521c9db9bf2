import { SERVICE_NAMES, type ServiceName } from '../../src/platform/config.ts';
import type { Operation } from './foreign-requests.ts';
import { readDocument } from './openapi.ts';
import type { Client } from './platform.ts';

export interface PublishedOperation {
  readonly service: ServiceName;
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** Whether a refusal of the operation may be of that media type: OAuth 2.0 has errors of its own (RFC 6749, 5.2). */
export function isRefusalType({ path }: Pick<PublishedOperation, 'path'>, type: string): boolean {
  const isToken = path === '/api/auth/token' && type.startsWith('application/json');
  return isToken || type.startsWith('application/problem+json');
}

/** Every operation that the running services publish in their documents. */
export async function publishedOperations(client: Client): Promise<PublishedOperation[]> {
  const operations: PublishedOperation[] = [];
  for (const service of SERVICE_NAMES) {
    const { paths } = await readDocument<{ paths: Record<string, Record<string, Operation>> }>(client, service);
    for (const [path, methods] of Object.entries(paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        operations.push({ service, method: method.toUpperCase(), path, operation });
      }
    }
  }
  return operations;
}

export async function inParallel<T>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = [...items];
  const worker = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: width }, worker));
}
