import { z } from 'zod';
import { loggedServices, readLogs } from '../../features/operations/logs/read-logs.ts';
import { containerLogs, logLines, logName } from '../../http/container-logs.ts';
import { route } from '../../http/route.ts';

export const containerLogsRoute = route({
  operationId: 'getContainerLogs',
  method: 'GET',
  path: '/admin/container-logs',
  summary: 'Last log lines of a service',
  tag: 'Container logs',
  access: { to: 'admins' },
  query: z.strictObject({ service: logName, lines: logLines }),
  answer: containerLogs,
  handle: async ({ query, context, config }) => readLogs(context, config, query.service, query.lines),
});

export const loggedServicesRoute = route({
  operationId: 'listLoggedServices',
  method: 'GET',
  path: '/admin/container-logs/services',
  summary: 'Services whose logs can be read',
  tag: 'Container logs',
  access: { to: 'admins' },
  answer: z.object({ services: z.array(z.object({ name: z.string(), source: z.enum(['files', 'docker']) })) }),
  handle: async ({ config }) => ({ services: await loggedServices(config) }),
});
