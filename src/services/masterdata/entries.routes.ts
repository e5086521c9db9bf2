import { z } from 'zod';
import { countVisibleLines, selectVisibleLines } from '../../features/posting/entries/entries.read.sql.ts';
import { entryAnswer, entryToWire } from '../../http/movements/entries.routes.ts';
import { pageQuery } from '../../http/paging.ts';
import { RouteResponse, route } from '../../http/route.ts';

export const getVisibleEntriesRoute = route({
  operationId: 'listVisibleEntries',
  method: 'GET',
  path: '/entry/all',
  summary: 'A page of the lines of every branch that the caller reaches; their number in X-Total-Count',
  tag: 'Entries',
  access: { to: 'anyUser' },
  query: z.strictObject(pageQuery(100)),
  answer: z.array(entryAnswer),
  headers: ['X-Total-Count'],
  handle: async ({ query, context }) => {
    const total = await countVisibleLines(context.sql);
    const rows = await selectVisibleLines(context.sql, query);
    return new RouteResponse(200, rows.map(entryToWire), { 'x-total-count': String(total) });
  },
});
