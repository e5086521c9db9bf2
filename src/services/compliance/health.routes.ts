import { z } from 'zod';
import { countRules } from '../../features/compliance/lookups.read.sql.ts';
import { instant } from '../wire/fields.ts';
import { route } from '../wire/route.ts';

/** The legacy form of /actuator/health, with what a person at a terminal asks next. */
export const getHealthRoute = route({
  method: 'GET',
  path: '/health',
  summary: 'Whether the service works',
  tag: 'Health',
  access: { to: 'anyone' },
  answer: z.object({
    status: z.literal('UP'),
    service: z.literal('compliance'),
    database: z.literal('UP'),
    rules: z.number().int(),
    time: instant,
  }),
  handle: async ({ context }) => ({
    status: 'UP',
    service: 'compliance',
    database: 'UP',
    rules: await countRules(context.sql),
    time: context.now().toISOString(),
  }),
});
