import { z } from 'zod';
import { sideOf } from '../../accounting/balance.ts';
import { centavosFromSql, magnitudeOf } from '../../accounting/money.ts';
import {
  type BaseBalanceRow,
  selectBaseBalances,
} from '../../features/master-data/companies/base-balances.read.sql.ts';
import { saveBaseBalances } from '../../features/master-data/companies/save-base-balances.ts';
import { accountId, money, moneyAnswer, side, tenantParams } from '../../http/fields.ts';
import { route } from '../../http/route.ts';
import { accountBalanceBody, accountBalanceFromWire } from './account-balance.ts';

const tag = 'Base balances';

/** Maximum number of base balances of a branch: wider than any chart in use. */
const MAX_BALANCES = 20_000;

const baseBalanceBody = z.array(accountBalanceBody).max(MAX_BALANCES).meta({ example: [] });

const baseBalanceAnswer = z.array(
  z.object({ contaId: accountId, cdAccounting: z.string(), description: z.string(), balance: moneyAnswer, dc: side }),
);

export const getBaseBalancesRoute = route({
  operationId: 'getBaseBalances',
  method: 'GET',
  path: '/baseBalance/{company}/{branch}',
  summary: 'Balances of the branch at the start of its base month',
  tag,
  access: { to: 'tenant', of: ({ company, branch }) => ({ company, branch }) },
  addition: true,
  params: tenantParams,
  answer: baseBalanceAnswer,
  handle: async ({ context, tenant }) =>
    (await selectBaseBalances(context.sql, tenant.companyId, tenant.branchId)).map(baseBalanceToWire),
});

export const putBaseBalancesRoute = route({
  operationId: 'replaceBaseBalances',
  method: 'PUT',
  path: '/baseBalance/{company}/{branch}',
  summary: 'Replaces the base balances of the branch; they sum to zero and close with the first month close',
  tag,
  access: { to: 'tenant', of: ({ company, branch }) => ({ company, branch }), routine: 'SETTINGS' },
  addition: true,
  params: tenantParams,
  body: baseBalanceBody,
  fieldNames: { '[].accountCode': '[].cdAccounting', '[].accountId': '[].contaId', balance: 'balance' },
  answer: baseBalanceAnswer,
  handle: async ({ body, context, tenant }) =>
    (
      await saveBaseBalances(
        context,
        tenant,
        body.map((item, at) => accountBalanceFromWire(item, String(at))),
      )
    ).map(baseBalanceToWire),
});

function baseBalanceToWire(row: BaseBalanceRow): z.output<typeof baseBalanceAnswer>[number] {
  const balance = centavosFromSql(row.balance);
  return {
    contaId: row.accountId,
    cdAccounting: row.code,
    description: row.description,
    balance: money(magnitudeOf(balance)),
    dc: sideOf(balance),
  };
}
