import { z } from 'zod';
import { readLogs } from '../../features/operations/logs/read-logs.ts';
import { containerLogs, logLines, logName } from '../../http/container-logs.ts';
import { route } from '../../http/route.ts';

export const containerLogsRoute = route({
  operationId: 'getContainerLogs',
  method: 'GET',
  path: '/api/admin/container-logs',
  summary: 'Last log lines of a service, by default of this one',
  tag: 'Container logs',
  access: { to: 'admins' },
  query: z.strictObject({ service: logName.default('authentication'), lines: logLines }),
  answer: containerLogs,
  handle: async ({ query, context, config }) => readLogs(context, config, query.service, query.lines),
});
