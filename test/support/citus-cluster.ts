import { readFile } from 'node:fs/promises';
import type { TestProject } from 'vitest/node';
import { withOwnerConnection } from '../../src/platform/database/connections.ts';
import { migrate } from '../../src/platform/database/migrate.ts';
import { databaseUrl, TEMPLATE } from './database-server.ts';

// Tests on a cluster of Citus (npm run citus): the template is spread over its nodes, and a database of a test is copied on each.

/** What spreads the tables. */
export const DISTRIBUTE = new URL('../../deploy/citus/distribute.sql', import.meta.url);

/** The cluster that CITUS_URL names: a database of the coordinator that knows its workers. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const coordinator = process.env.CITUS_URL!;
  const workers = await workersOf(coordinator);
  const nodes = [coordinator, ...workers];
  const dropTemplate = () => onEach(nodes, `DROP DATABASE IF EXISTS ${TEMPLATE} WITH (FORCE)`);
  await dropTemplate();
  await onEach(nodes, `CREATE DATABASE ${TEMPLATE}`);
  const template = databaseUrl(coordinator, TEMPLATE);
  await onEach(
    nodes.map((node) => databaseUrl(node, TEMPLATE)),
    'CREATE EXTENSION citus',
  );
  await withOwnerConnection(template, async (client) => {
    const [main, ...others] = nodes.map((node) => new URL(node));
    await client.query('SELECT citus_set_coordinator_host($1, $2)', [main!.hostname, Number(main!.port)]);
    for (const node of others) await client.query('SELECT citus_add_node($1, $2)', [node.hostname, Number(node.port)]);
  });
  await migrate(template);
  const distribute = await readFile(DISTRIBUTE, 'utf8');
  await withOwnerConnection(template, async (client) => {
    await client.query(distribute);
  });
  project.provide('serverUrl', coordinator);
  project.provide('workerUrls', workers);
  return dropTemplate;
}

/** The addresses of the other nodes, with the owner's name and password. */
async function workersOf(coordinator: string): Promise<string[]> {
  const { rows } = await withOwnerConnection(coordinator, (client) =>
    client.query<{ nodename: string; nodeport: number }>(
      'SELECT nodename, nodeport FROM pg_dist_node WHERE groupid > 0 ORDER BY groupid',
    ),
  );
  return rows.map(({ nodename, nodeport }) => {
    const url = new URL(coordinator);
    url.hostname = nodename;
    url.port = String(nodeport);
    return url.href;
  });
}

async function onEach(urls: readonly string[], statement: string): Promise<void> {
  await Promise.all(urls.map((url) => withOwnerConnection(url, (client) => client.query(statement))));
}
