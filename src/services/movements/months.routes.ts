import { z } from 'zod';
import { brazilianDate } from '../../accounting/period.ts';
import { closeCurrentDay } from '../../features/posting/months/close-day.ts';
import { isoDay, optional, tenantParams } from '../../http/fields.ts';
import { route } from '../../http/route.ts';

const CLOSE_DAY = {
  path: '/calendar/closeday/{company}/{branch}',
  tag: 'Months',
  access: {
    to: 'tenant',
    of: ({ company, branch }: z.output<typeof tenantParams>) => ({ company, branch }),
    routine: 'CALENDAR_CLOSE',
  },
  params: tenantParams,
} as const;

export const closeDayRoute = route({
  ...CLOSE_DAY,
  operationId: 'closeDay',
  method: 'GET',
  summary: 'Closes the current day of the branch',
  answer: z.object({ msg: z.string() }),
  handle: async ({ context, tenant }) => ({
    msg: `Dia ${brazilianDate(await closeCurrentDay(context, tenant))} fechado`,
  }),
});

export const postCloseDayRoute = route({
  ...CLOSE_DAY,
  operationId: 'closeCurrentDay',
  method: 'POST',
  summary: 'The same with a method that may change books, and only the day that the caller means',
  addition: true,
  body: z.strictObject({
    day: optional(isoDay).meta({
      example: '2026-01-02',
      description: 'refused unless it is the current day; left out: whichever that is',
    }),
  }),
  answer: z.object({ day: z.string().meta({ example: '2026-01-05' }), msg: z.string() }),
  idempotent: true,
  handle: async ({ body, context, tenant }) => {
    const day = await closeCurrentDay(context, tenant, body.day);
    return { day, msg: `Dia ${brazilianDate(day)} fechado` };
  },
});
