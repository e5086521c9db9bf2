import SwaggerParser from '@apidevtools/swagger-parser';
import type { ServiceName } from '../../src/platform/config.ts';
import type { Client } from './platform.ts';

/** The document of a running service, each reference replaced by what it refers to. */
export async function readDocument<Document>(client: Client, service: ServiceName): Promise<Document> {
  const { body } = await client.get(service, '/v3/api-docs');
  return (await SwaggerParser.dereference(body)) as Document;
}
