import { z } from 'zod';
import { firstDay, lastDay, todayInSaoPaulo } from '../../accounting/period.ts';
import { reconcile } from '../../features/closing/reconciliation/reconcile.ts';
import { accountId, isoDay, isoMonth, money, moneyAnswer, tenantParams, text } from '../../http/fields.ts';
import { rejectRequest } from '../../http/request-error.ts';
import { route } from '../../http/route.ts';

const DATE_OR_MONTH = {
  reason: { en: 'give date or month, not both', pt: 'informe date ou month, não os dois' },
};

export const reconciliationRoute = route({
  operationId: 'getReconciliation',
  method: 'GET',
  path: '/reconciliation/{company}/{branch}',
  cost: 'heavy',
  summary:
    'Differences between the balances that feeding systems sent and those of the books, of a day (today where none is named) or of a month',
  tag: 'Reconciliation',
  addition: true,
  access: { to: 'tenant', of: ({ company, branch }) => ({ company, branch }) },
  params: tenantParams,
  query: z.strictObject({
    date: isoDay.optional(),
    month: isoMonth.optional(),
    origin: text(40, 1).optional().meta({ example: 'CREDITO' }),
  }),
  answer: z.object({
    compared: z.number().int(),
    differing: z.number().int(),
    differences: z.array(
      z.object({
        date: z.string().meta({ example: '2026-01-31' }),
        contaId: accountId,
        cdAccounting: z.string(),
        description: z.string(),
        origin: z.string(),
        sent: moneyAnswer,
        books: moneyAnswer,
        difference: moneyAnswer,
        since: z.string().meta({ example: '2026-01-28' }),
        days: z.number().int().meta({ example: 3 }),
      }),
    ),
  }),
  handle: async ({ query, context, tenant }) => {
    const { date, month, origin } = query;
    if (date !== undefined && month !== undefined) rejectRequest('INVALID_FIELD', DATE_OR_MONTH, 'month');
    const day = date ?? todayInSaoPaulo(context.now());
    const days = month === undefined ? { from: day, to: day } : { from: firstDay(month), to: lastDay(month) };
    const { compared, differences } = await reconcile(context, tenant, { ...days, origin });
    return {
      compared,
      differing: differences.length,
      differences: differences.map(({ figure, difference, since, days }) => ({
        date: figure.day,
        contaId: figure.accountId,
        cdAccounting: figure.code,
        description: figure.description,
        origin: figure.origin,
        sent: money(figure.sent),
        books: money(figure.books),
        difference: money(difference),
        since,
        days,
      })),
    };
  },
});
