import { z } from 'zod';
import { matchesNarration } from '../../features/master-data/narrations/narrations.read.sql.ts';
import {
  changeNarration,
  createNarration,
  deleteNarration,
  STANDARD_NARRATION,
} from '../../features/master-data/narrations/narrations.ts';
import { selectRecordPage, selectRecords } from '../../features/master-data/records/records.read.sql.ts';
import { branchCode, companyCode, text, wholeText } from '../../http/fields.ts';
import { pageQuery } from '../../http/paging.ts';
import { rejectRequest } from '../../http/request-error.ts';
import { RouteResponse, route } from '../../http/route.ts';
import { recordAnswer, recordToWire, resourceRoutes } from './record-routes.ts';

const OPTIONS = {
  definition: STANDARD_NARRATION,
  names: { code: 'cdHistory', side: 'debcre' },
  tag: 'Histories',
  paths: { create: '/history', item: '/history/{id}' },
  changedBy: 'SETTINGS',
} as const;

export const narrationRoutes = resourceRoutes(OPTIONS, {
  create: (context, input, owner, company) => createNarration(context, owner, input, company),
  change: (context, key, input, owner, company) => changeNarration(context, key as number, owner, input, company),
  remove: (context, key) => deleteNarration(context, key as number),
});

export const getNarrationsRoute = route({
  operationId: 'listNarrations',
  method: 'GET',
  path: '/history',
  summary: 'Every narration that the caller reaches, or a page of them; their number in X-Total-Count',
  tag: 'Histories',
  access: { to: 'signedIn' },
  query: z.strictObject({
    texto: text(100, 1)
      .optional()
      .meta({ example: 'cotista', description: 'Part of code or text, in any case, with or without accents' }),
    company: companyCode
      .optional()
      .meta({ description: 'Those that entries of this company may name, shared ones included' }),
    branch: branchCode.optional().meta({ description: 'The same of a branch of it' }),
    page: wholeText(0, 100_000_000).optional().meta({ type: 'integer', example: 0, description: 'Without it: all' }),
    size: pageQuery(100).size,
  }),
  answer: z.array(recordAnswer(OPTIONS)),
  headers: ['X-Total-Count'],
  handle: async ({ query, context }) => {
    const { texto, company, branch, page, size } = query;
    if (branch !== undefined && company === undefined) {
      rejectRequest('INVALID_FIELD', { reason: { en: 'branch needs company', pt: 'branch exige company' } }, 'branch');
    }
    const condition = matchesNarration({ text: texto, company, branch });
    const found =
      page === undefined
        ? await selectRecords(context.sql, STANDARD_NARRATION, condition)
        : await selectRecordPage(context.sql, STANDARD_NARRATION, condition, { page, size });
    const { rows, total } = Array.isArray(found) ? { rows: found, total: found.length } : found;
    const body = rows.map((row) => recordToWire(STANDARD_NARRATION, row, OPTIONS.names));
    return new RouteResponse(200, body, { 'x-total-count': String(total) });
  },
});
