import { z } from 'zod';
import { type AuditFilter, countAudit, selectAudit } from '../../features/access/audit.read.sql.ts';
import { branchCode, branchOrInstitution, companyCode, instant, text } from '../../http/fields.ts';
import { pageOf, pageQuery, pageToWire } from '../../http/paging.ts';
import { rejectRequest } from '../../http/request-error.ts';
import { route } from '../../http/route.ts';
import type { Context } from '../../platform/context.ts';
import type { PageRequest } from '../../platform/page-request.ts';

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

const tag = 'Audit';
const page = pageQuery(100);
const filters = {
  username: text(200).optional(),
  action: text(50).optional(),
  entity: text(100).optional(),
  entityId: text(200).optional(),
  from: dayOrInstant('from').optional(),
  to: dayOrInstant('to').optional(),
};

const change = z.object({
  id: z.number().int(),
  at: instant,
  userId: z.number().int().nullable(),
  username: z.string(),
  action: z.string(),
  entity: z.string(),
  entityId: z.string().nullable(),
  company: z.string().nullable(),
  branch: z.string().nullable(),
  before: z.any(),
  after: z.any(),
});

export const auditRoute = route({
  operationId: 'listAuditRecords',
  method: 'GET',
  path: '/api/admin/audit',
  summary: 'Trail of changes, newest first',
  tag,
  access: { to: 'admins' },
  addition: true,
  query: z.strictObject({ ...page, ...filters, company: companyCode.optional(), branch: branchCode.optional() }),
  answer: pageOf(change.extend({ address: z.string().nullable() })),
  handle: ({ query: { page, size, ...filter }, context }) => trail(context, filter, { page, size }),
});

export const branchAuditRoute = route({
  operationId: 'listBranchAudit',
  method: 'GET',
  path: '/audit/{company}/{branch}',
  summary:
    'Trail of changes to the books of a branch, newest first; * for the whole company and what it has beside branches',
  tag,
  access: { to: 'tenant', of: ({ company, branch }) => ({ company, branch }), institution: true },
  addition: true,
  params: z.object({ company: companyCode, branch: branchOrInstitution }),
  query: z.strictObject({ ...page, ...filters }),
  // Where colleagues were is nobody's business but the administrators'.
  answer: pageOf(change.meta({ title: 'BranchAuditRecord' })),
  handle: async ({ query: { page, size, ...filter }, context, branchOrInstitution: tenant }) => {
    const { content, ...rest } = await trail(context, { ...filter, tenant }, { page, size });
    return { ...rest, content: content.map(({ address: _, ...shown }) => shown) };
  },
});

async function trail(context: Context, filter: AuditFilter, slice: PageRequest) {
  if (filter.from && filter.to && filter.from > filter.to) {
    rejectRequest('INVALID_DATE_RANGE', { from: 'from', to: 'to' }, 'from');
  }
  const totalElements = await countAudit(context.sql, filter);
  const rows = await selectAudit(context.sql, filter, slice);
  return pageToWire(
    rows.map((row) => ({ ...row, at: row.at.toISOString() })),
    totalElements,
    slice,
  );
}
