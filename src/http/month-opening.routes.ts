import { z } from 'zod';
import { type Month, slashOf } from '../accounting/period.ts';
import { isRoutineGranted } from '../features/access/authorize.ts';
import { AwaitingApproval } from '../features/operations/approvals/ask-approval.ts';
import { type BranchMonths, selectBranchMonths, selectReopenings } from '../features/posting/months/months.read.sql.ts';
import { nextMonth, openMonth } from '../features/posting/months/open-month.ts';
import { approvalAnswer, awaitingAnswer } from './approvals.ts';
import { instant, optional, readOnly, slashMonth, tenantParams, text } from './fields.ts';
import { route } from './route.ts';

// Month opening as both the master-data and the movements service show it.

const monthAnswer = z.string().nullable().meta({ example: '01/2026' });

const monthOpeningAnswer = z.object({
  initialyearmonth: monthAnswer,
  endyearmonth: monthAnswer,
  newyearmonth: monthAnswer,
  firstPostingyearmonth: monthAnswer,
  lastPostingyearmonth: monthAnswer,
});

export const postMonthOpeningRoute = route({
  operationId: 'openMonth',
  method: 'POST',
  path: '/monthOpening/{company}/{branch}',
  summary: 'Opens the next month, or reopens the last closed one',
  tag: 'Months',
  access: { to: 'tenant', of: ({ company, branch }) => ({ company, branch }), routine: 'MONTH_OPENING' },
  params: tenantParams,
  body: z.strictObject({
    newyearmonth: slashMonth,
    reason: optional(text(500, 1).meta({ example: 'Lançamento de juros esquecido' })),
    confirmed: z.boolean().default(false),
    initialyearmonth: readOnly,
    endyearmonth: readOnly,
    firstPostingyearmonth: readOnly,
    lastPostingyearmonth: readOnly,
  }),
  fieldNames: { month: 'newyearmonth' },
  status: 201,
  answer: monthOpeningAnswer,
  otherAnswers: { 202: approvalAnswer },
  idempotent: true,
  handle: async ({ body, context, tenant, user }) => {
    const months = await openMonth(context, tenant, body.newyearmonth, {
      allowed: isRoutineGranted(user, 'REOPENING'),
      reason: body.reason,
      confirmed: body.confirmed,
    });
    if (months instanceof AwaitingApproval) return awaitingAnswer(months, context.caller);
    return { ...monthOpeningToWire(months), newyearmonth: slashOf(body.newyearmonth) };
  },
});

export const getMonthOpeningRoute = route({
  operationId: 'getMonthOpening',
  method: 'GET',
  path: '/monthOpening/{company}/{branch}',
  summary: 'Which months are open, and which may be opened next',
  tag: 'Months',
  access: { to: 'tenant', of: ({ company, branch }) => ({ company, branch }) },
  params: tenantParams,
  answer: monthOpeningAnswer,
  handle: async ({ context, tenant }) =>
    monthOpeningToWire(await selectBranchMonths(context.sql, tenant.companyId, tenant.branchId)),
});

export const getMonthReopeningsRoute = route({
  operationId: 'listMonthReopenings',
  method: 'GET',
  path: '/monthOpening/{company}/{branch}/reopenings',
  summary: 'Closed months that were opened again: which, why, when and by whom',
  tag: 'Months',
  addition: true,
  access: { to: 'tenant', of: ({ company, branch }) => ({ company, branch }) },
  params: tenantParams,
  answer: z.array(
    z.object({
      yearmonth: z.string().meta({ example: '01/2026' }),
      reason: z.string().meta({ example: 'Lançamento de juros esquecido' }),
      reopenedAt: instant,
      reopenedBy: z.string().meta({ example: 'ana' }),
    }),
  ),
  handle: async ({ context, tenant }) =>
    (await selectReopenings(context.sql, tenant.companyId, tenant.branchId)).map((each) => ({
      yearmonth: slashOf(each.month),
      reason: each.reason,
      reopenedAt: each.reopenedAt.toISOString(),
      reopenedBy: each.reopenedBy,
    })),
});

function monthOpeningToWire(months: BranchMonths): z.output<typeof monthOpeningAnswer> {
  const slashed = (month: Month | null | undefined) => (month ? slashOf(month) : null);
  return {
    initialyearmonth: slashed(months.baseMonth),
    endyearmonth: slashed(months.lastOpened),
    newyearmonth: slashed(nextMonth(months)),
    firstPostingyearmonth: slashed(months.firstOpen),
    lastPostingyearmonth: slashed(months.lastOpen),
  };
}
