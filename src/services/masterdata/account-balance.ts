import { z } from 'zod';
import type { AccountBalance } from '../../features/master-data/companies/account-balances.ts';
import { accountId, amount, optional, readOnly, side, text } from '../../http/fields.ts';
import { rejectRequest } from '../../http/request-error.ts';

/** An account, by id or by code, with its balance. */
export const accountBalanceBody = z.strictObject({
  contaId: optional(accountId),
  cdAccounting: optional(text(40, 1)),
  description: readOnly,
  balance: amount,
  dc: optional(side),
});

const NEGATIVE_BESIDE_SIDE = {
  reason: { en: 'must not be negative beside dc', pt: 'não pode ser negativo quando dc é informado' },
};

/** With a side the balance is an absolute amount, without one it is debit-positive. */
export function accountBalanceFromWire(item: z.output<typeof accountBalanceBody>, at: string): AccountBalance {
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
