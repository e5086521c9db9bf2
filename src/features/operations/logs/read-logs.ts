import { reject } from '../../../accounting/problem.ts';
import { type Config, DOOR_NAMES } from '../../../platform/config.ts';
import type { Context } from '../../../platform/context.ts';
import { redactLine } from '../../../platform/redact.ts';
import { recordAudit } from '../../access/audit.sql.ts';
import { containerServices, tailOfContainers } from './docker-logs.ts';
import { tailOfFiles } from './file-logs.ts';

/** The services with a log; other names are rejected, so that no name ever becomes a path. */
export const LOG_NAMES = [...DOOR_NAMES, 'jobs'] as const;
export type LogName = (typeof LOG_NAMES)[number];

export const MAX_LOG_LINES = 10_000;

export interface ServiceLog {
  readonly service: LogName;
  readonly source: 'files' | 'docker';
  readonly lines: readonly string[];
  readonly count: number;
}

/** The last lines of a service, oldest first, without secrets; that they were read is audited. */
export async function readLogs(context: Context, config: Config, service: LogName, lines: number): Promise<ServiceLog> {
  if (lines < 1 || lines > MAX_LOG_LINES)
    reject('INVALID_FIELD', { reason: 'LINES_OUT_OF_RANGE', maximum: MAX_LOG_LINES }, 'lines');
  await context.transaction((sql) =>
    recordAudit(sql, context, { action: 'READ_LOGS', entity: 'log', entityId: service, after: { lines } }),
  );
  const tail =
    config.logSource === 'docker'
      ? await tailOfContainers(config.dockerSocket, service, lines)
      : await tailOfFiles(config.dataDir, service, lines);
  const shown = tail.map(redactLine);
  return { service, source: config.logSource, lines: shown, count: shown.length };
}

export interface LoggedService {
  readonly name: LogName;
  readonly source: 'files' | 'docker';
}

/** The services whose logs can be read here; with docker, those that a container on this machine is labelled with. */
export async function loggedServices(config: Config): Promise<LoggedService[]> {
  if (config.logSource === 'files') return LOG_NAMES.map((name) => ({ name, source: 'files' }));
  const labelled = await containerServices(config.dockerSocket);
  return LOG_NAMES.filter((name) => labelled.includes(name)).map((name) => ({ name, source: 'docker' }));
}
