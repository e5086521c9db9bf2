import { z } from 'zod';
import { saveControlBalances } from '../../features/closing/reconciliation/save-control-balances.ts';
import { branchCode, companyCode, isoDay, nameText } from '../../http/fields.ts';
import { route } from '../../http/route.ts';
import { accountBalanceBody, accountBalanceFromWire } from './account-balance.ts';

/** Most figures of one request: wider than any chart in use. */
const MAX_BALANCES = 20_000;

export const controlBalanceRoute = route({
  operationId: 'sendControlBalances',
  method: 'POST',
  path: '/controlBalance',
  cost: 'bulk',
  summary: 'Keeps the balances that a feeding system has at the end of a day, to be compared with the books',
  tag: 'Reconciliation',
  addition: true,
  access: { to: 'tenant', of: ({ company, branch }) => ({ company, branch }), routine: 'IMPORT' },
  body: z.strictObject({
    company: companyCode,
    branch: branchCode,
    date: isoDay,
    origin: nameText(40).meta({ example: 'CREDITO' }),
    balances: z
      .array(accountBalanceBody)
      .min(1)
      .max(MAX_BALANCES)
      .meta({ example: [{ cdAccounting: '1.1.1', balance: 1234.56, dc: 'D' }] }),
  }),
  fieldNames: {
    '[].accountCode': 'balances.[].cdAccounting',
    '[].accountId': 'balances.[].contaId',
  },
  answer: z.object({ message: z.string(), balances: z.number().int() }),
  handle: async ({ body, context, tenant }) => {
    const saved = await saveControlBalances(context, tenant, {
      day: body.date,
      origin: body.origin,
      balances: body.balances.map((item, at) => accountBalanceFromWire(item, `balances.${at}`)),
    });
    return { message: `${saved} saldo(s) de controle gravado(s)`, balances: saved };
  },
});
