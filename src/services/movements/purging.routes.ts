import { z } from 'zod';
import { slashOf } from '../../accounting/period.ts';
import { selectArchivedMonths } from '../../features/posting/archive/archive.read.sql.ts';
import { archiveMovements } from '../../features/posting/archive/archive-movements.ts';
import { branchId, slashMonth, tenantParams } from '../../http/fields.ts';
import { languageOf } from '../../http/language.ts';
import { textOf } from '../../http/problem-details.ts';
import { RouteResponse, route } from '../../http/route.ts';

export const purgingRoute = route({
  operationId: 'archiveMovements',
  method: 'POST',
  path: '/purging',
  cost: 'bulk',
  summary: 'Moves old movements to the archive, or restores them; answers what went wrong',
  tag: 'Purging',
  access: { to: 'signedIn', routine: 'PURGING' },
  body: z.strictObject({
    useRange: z.boolean(),
    alternate: z.boolean().meta({ example: true }),
    selectedBranchId: z.array(branchId).max(10_000),
    yearmonth: slashMonth,
    doSend: z.boolean().meta({ example: true }),
  }),
  answer: z.array(z.string()).meta({ example: [] }),
  otherAnswers: {
    202: z.array(z.string()).meta({ example: ['0001/0001: o pedido 1 aguarda a aprovação de uma segunda pessoa'] }),
  },
  handle: async ({ body, context, raw }) => {
    const problems = await archiveMovements(context, {
      useRange: body.useRange,
      alternate: body.alternate,
      branchIds: body.selectedBranchId,
      month: body.yearmonth,
      send: body.doSend,
    });
    const language = languageOf(raw.headers['accept-language']);
    const texts = problems.map((each) => textOf(each, language));
    return problems.some(({ code }) => code === 'PURGE_AWAITS_APPROVAL') ? new RouteResponse(202, texts) : texts;
  },
});

export const getArchivedMonthsRoute = route({
  operationId: 'listArchivedMonths',
  method: 'GET',
  path: '/purging/{company}/{branch}',
  summary: 'What is in the archive, by month; read it with history=true on batches, documents and entries',
  tag: 'Purging',
  addition: true,
  access: { to: 'tenant', of: ({ company, branch }) => ({ company, branch }) },
  params: tenantParams,
  answer: z.array(
    z.object({
      month: z.string().meta({ example: '01/2026' }),
      batches: z.number().int(),
      documents: z.number().int(),
      lines: z.number().int(),
    }),
  ),
  handle: async ({ context, tenant }) =>
    (await selectArchivedMonths(context.sql, tenant)).map((each) => ({ ...each, month: slashOf(each.month) })),
});
