import { z } from 'zod';
import { countRules } from '../../features/compliance/lookups.read.sql.ts';
import { instant } from '../../http/fields.ts';
import { RouteResponse, route } from '../../http/route.ts';
import { HEALTH_MS, within } from '../../platform/within.ts';

/** Version of the contract of this service, given by the specification. */
export const CONTRACT_VERSION = '0.7.07.202608112';

const service = 'compliance';

/** The legacy form of /actuator/health, with details for a person at a terminal. */
export const getHealthRoute = route({
  operationId: 'getHealth',
  method: 'GET',
  path: '/health',
  summary: 'Whether the service works',
  tag: 'Health',
  access: { to: 'anyone' },
  answer: z.object({
    status: z.literal('UP'),
    service: z.literal(service),
    version: z.literal(CONTRACT_VERSION),
    database: z.literal('UP'),
    rules: z.number().int(),
    time: instant,
  }),
  otherAnswers: {
    503: z.object({ status: z.literal('DOWN'), service: z.literal(service) }).meta({ title: 'HealthDown' }),
  },
  handle: async ({ context }) => {
    try {
      const rules = await within(HEALTH_MS, countRules(context.sql));
      return {
        status: 'UP',
        service,
        version: CONTRACT_VERSION,
        database: 'UP',
        rules,
        time: context.now().toISOString(),
      } as const;
    } catch {
      return new RouteResponse(503, { status: 'DOWN', service } as const);
    }
  },
});
