import { decimalOf, sumOf } from '../../../accounting/money.ts';
import { reject } from '../../../accounting/problem.ts';
import type { Context } from '../../../platform/context.ts';
import type { Tenant } from '../../access/access.ts';
import { recordAudit } from '../../access/audit.sql.ts';
import { type AccountBalance, lockAccountsOf } from './account-balances.ts';
import { type BaseBalanceRow, selectBaseBalances } from './base-balances.read.sql.ts';
import { lockBeforeFirstClose, replaceBaseBalances } from './base-balances.sql.ts';
import { lockBranch } from './companies.sql.ts';
import { requireBooks } from './require-books.ts';

/**
 * Replaces the branch's base balances: posting accounts, each once, summing to zero, until the first month close
 * closes them. Accounts with a zero balance are left out.
 */
export async function saveBaseBalances(
  context: Context,
  tenant: Tenant,
  given: readonly AccountBalance[],
): Promise<BaseBalanceRow[]> {
  const sum = sumOf(given.map((each) => each.balance));
  if (sum !== 0n) reject('BASE_BALANCES_UNBALANCED', { sum: decimalOf(sum) }, 'balance');
  return context.transaction(async (sql) => {
    // Locks the branch against concurrent changes of its base balances and chart, and against the opening of months.
    await lockBranch(sql, tenant.companyId, tenant.branchId);
    const { chartId } = await requireBooks(sql, tenant);
    if (!(await lockBeforeFirstClose(sql, tenant.companyId, tenant.branchId))) reject('BASE_BALANCES_FROZEN');
    const found = await lockAccountsOf(sql, chartId, given, 'POSTING');
    const before = await selectBaseBalances(sql, tenant.companyId, tenant.branchId);
    const kept = found.filter((each) => each.balance !== 0n);
    await replaceBaseBalances(
      sql,
      tenant.companyId,
      tenant.branchId,
      kept.map((each) => each.account.id),
      kept.map((each) => decimalOf(each.balance)),
    );
    const after = await selectBaseBalances(sql, tenant.companyId, tenant.branchId);
    await recordAudit(sql, context, { action: 'UPDATE', entity: 'base_balance', ...tenant, before, after });
    return after;
  });
}
