import { z } from 'zod';
import { LOG_NAMES, MAX_LOG_LINES } from '../features/operations/logs/read-logs.ts';
import { wholeText } from './fields.ts';

/** A service that has a log. */
export const logName = z.enum(LOG_NAMES).meta({ example: 'authentication' });

export const logLines = wholeText(1, MAX_LOG_LINES).default(100).meta({ type: 'integer', example: 100 });

export const containerLogs = z.object({
  service: z.string(),
  source: z.enum(['files', 'docker']),
  lines: z.array(z.string()),
  count: z.number().int(),
});
