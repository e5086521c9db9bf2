import { z } from 'zod';
import { type LeanAccount, selectLeanChart } from '../../features/master-data/chart/lean-chart.read.sql.ts';
import { requireBooks } from '../../features/master-data/companies/require-books.ts';
import { accountFields } from '../../http/account-fields.ts';
import { conditionalAnswer } from '../../http/conditional.ts';
import { tenantParams } from '../../http/fields.ts';
import { longList } from '../../http/long-list.ts';
import { route } from '../../http/route.ts';

export const leanChartRoute = route({
  operationId: 'listChart',
  method: 'GET',
  path: '/chart/{company}/{branch}',
  summary: 'The chart of a branch as lists and searches need it, with how often the branch posts to each account',
  tag: 'Chart',
  addition: true,
  conditional: true,
  access: { to: 'tenant', of: ({ company, branch }) => ({ company, branch }) },
  params: tenantParams,
  answer: longList(
    z
      .object({
        ...accountFields,
        active: z.boolean(),
        uses: z.number().int().meta({
          description:
            'Lines of the last three opened months, rounded down to a power of two and at most 128, so that the list stays the same while work goes on; 1 also where there are only earlier ones',
          example: 64,
        }),
      })
      .meta({ title: 'LeanAccount' }),
  ),
  handle: async ({ context, tenant, raw }) => {
    const { chartId } = await requireBooks(context.sql, tenant);
    const accounts = (await selectLeanChart(context.sql, chartId, tenant)).map(toWire);
    return conditionalAnswer(raw, accounts, () => accounts);
  },
});

function toWire(account: LeanAccount) {
  return {
    id: account.id,
    cdAccounting: account.code,
    cdReduced: account.shortCode,
    description: account.description,
    accountType: account.type,
    nature: account.normalBalance,
    accountClass: account.accountClass,
    level: account.level,
    parentId: account.parentId,
    active: account.active,
    uses: account.lines === 0 ? 0 : 2 ** Math.floor(Math.log2(Math.abs(account.lines))),
  };
}
