import { z } from 'zod';
import { countAudit, selectAudit } from '../../features/access/audit.read.sql.ts';
import { branchCode, companyCode, instant, text } from '../../http/fields.ts';
import { pageOf, pageQuery, pageToWire } from '../../http/paging.ts';
import { rejectRequest } from '../../http/request-error.ts';
import { route } from '../../http/route.ts';

/** A day (from its first to its last moment in Brazil) or an instant. */
const dayOrInstant = (end: 'from' | 'to') =>
  z
    .union([z.iso.date(), z.iso.datetime({ offset: true })], {
      message: 'must be a day YYYY-MM-DD or an instant | deve ser um dia AAAA-MM-DD ou um instante',
    })
    .transform(
      (value) =>
        new Date(value.length > 10 ? value : `${value}T${end === 'from' ? '00:00:00.000' : '23:59:59.999'}-03:00`),
    )
    .meta({ type: 'string', example: '2026-01-31' });

export const auditRoute = route({
  operationId: 'listAuditRecords',
  method: 'GET',
  path: '/api/admin/audit',
  summary: 'Trail of changes, newest first',
  tag: 'Audit',
  access: { to: 'admins' },
  addition: true,
  query: z.strictObject({
    ...pageQuery(100),
    username: text(200).optional(),
    action: text(50).optional(),
    entity: text(100).optional(),
    entityId: text(200).optional(),
    company: companyCode.optional(),
    branch: branchCode.optional(),
    from: dayOrInstant('from').optional(),
    to: dayOrInstant('to').optional(),
  }),
  answer: pageOf(
    z.object({
      id: z.number().int(),
      at: instant,
      userId: z.number().int().nullable(),
      username: z.string(),
      address: z.string().nullable(),
      action: z.string(),
      entity: z.string(),
      entityId: z.string().nullable(),
      company: z.string().nullable(),
      branch: z.string().nullable(),
      before: z.any(),
      after: z.any(),
    }),
  ),
  handle: async ({ query, context }) => {
    const { page, size, ...filter } = query;
    if (filter.from && filter.to && filter.from > filter.to) {
      rejectRequest('INVALID_DATE_RANGE', { from: 'from', to: 'to' }, 'from');
    }
    const totalElements = await countAudit(context.sql, filter);
    const rows = await selectAudit(context.sql, filter, { page, size });
    const content = rows.map((row) => ({ ...row, at: row.at.toISOString() }));
    return pageToWire(content, totalElements, { page, size });
  },
});
