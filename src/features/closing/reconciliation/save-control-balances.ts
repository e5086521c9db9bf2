import { decimalOf } from '../../../accounting/money.ts';
import { type Day, monthOfDay } from '../../../accounting/period.ts';
import type { Context } from '../../../platform/context.ts';
import type { Tenant } from '../../access/access.ts';
import { recordAudit } from '../../access/audit.sql.ts';
import { type AccountBalance, lockAccountsOf } from '../../master-data/companies/account-balances.ts';
import { baselineOf } from '../balances/read-balances.ts';
import { upsertControlBalances } from './control-balances.sql.ts';

/** What a feeding system has at the end of a day. */
export interface ControlBalances {
  readonly day: Day;
  readonly origin: string;
  readonly balances: readonly AccountBalance[];
}

/**
 * Keeps the figures, in place of those that the system sent before for the same accounts and day; returns how many.
 * Posting and summary accounts of the branch's chart, each once; no day before the base month.
 */
export function saveControlBalances(context: Context, tenant: Tenant, sent: ControlBalances): Promise<number> {
  return context.transaction(async (sql) => {
    const { day, origin } = sent;
    const { chartId } = await baselineOf(sql, tenant, monthOfDay(day));
    const found = await lockAccountsOf(sql, chartId, sent.balances, 'ANY');
    await upsertControlBalances(
      sql,
      tenant,
      { day, origin, by: context.caller.username },
      found.map(({ account }) => account.id),
      found.map(({ balance }) => decimalOf(balance)),
    );
    const after = { day, origin, accounts: found.length };
    await recordAudit(sql, context, { action: 'UPDATE', entity: 'control_balance', ...tenant, after });
    return found.length;
  });
}
