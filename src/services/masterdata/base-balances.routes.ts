import { z } from 'zod';
import { sideOf } from '../../accounting/balance.ts';
import { centavosFromSql, magnitudeOf } from '../../accounting/money.ts';
import {
  type BaseBalanceRow,
  selectBaseBalances,
} from '../../features/master-data/companies/base-balances.read.sql.ts';
import { type BaseBalance, saveBaseBalances } from '../../features/master-data/companies/save-base-balances.ts';
import {
  accountId,
  amount,
  money,
  moneyAnswer,
  optional,
  readOnly,
  side,
  tenantParams,
  text,
} from '../../http/fields.ts';
import { rejectRequest } from '../../http/request-error.ts';
import { route } from '../../http/route.ts';

const tag = 'Base balances';

/** Maximum number of base balances of a branch: wider than any chart in use. */
const MAX_BALANCES = 20_000;

const baseBalanceBody = z
  .array(
    z.strictObject({
      contaId: optional(accountId),
      cdAccounting: optional(text(40, 1)),
      description: readOnly,
      balance: amount,
      dc: optional(side),
    }),
  )
  .max(MAX_BALANCES)
  .meta({ example: [] });

const baseBalanceAnswer = z.array(
  z.object({ contaId: accountId, cdAccounting: z.string(), description: z.string(), balance: moneyAnswer, dc: side }),
);

export const getBaseBalancesRoute = route({
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
    (await saveBaseBalances(context, tenant, body.map(baseBalanceFromWire))).map(baseBalanceToWire),
});

const NEGATIVE_BESIDE_SIDE = {
  reason: { en: 'must not be negative beside dc', pt: 'não pode ser negativo quando dc é informado' },
};

/** With a side the balance is an absolute amount, without one it is debit-positive. */
function baseBalanceFromWire(item: z.output<typeof baseBalanceBody>[number], at: number): BaseBalance {
  if (item.contaId === undefined && item.cdAccounting === undefined) {
    rejectRequest(
      'INVALID_FIELD',
      { reason: { en: 'give contaId or cdAccounting', pt: 'informe contaId ou cdAccounting' } },
      `${at}.contaId`,
    );
  }
  if (item.dc !== undefined && item.balance < 0n) {
    rejectRequest('INVALID_FIELD', NEGATIVE_BESIDE_SIDE, `${at}.balance`);
  }
  return {
    accountId: item.contaId,
    code: item.cdAccounting,
    balance: item.dc === 'C' ? -item.balance : item.balance,
  };
}

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
