import { z } from 'zod';
import { brazilianDate } from '../../accounting/period.ts';
import { closeCurrentDay } from '../../features/posting/months/close-day.ts';
import { tenantParams } from '../../http/fields.ts';
import { route } from '../../http/route.ts';

export const closeDayRoute = route({
  operationId: 'closeDay',
  method: 'GET',
  path: '/calendar/closeday/{company}/{branch}',
  summary: 'Closes the current day of the branch',
  tag: 'Months',
  access: { to: 'tenant', of: ({ company, branch }) => ({ company, branch }), routine: 'CALENDAR_CLOSE' },
  params: tenantParams,
  answer: z.object({ msg: z.string() }),
  handle: async ({ context, tenant }) => ({
    msg: `Dia ${brazilianDate(await closeCurrentDay(context, tenant))} fechado`,
  }),
});
