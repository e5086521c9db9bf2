import type { AccountId } from '../../../accounting/ids.ts';
import { type Centavos, decimalOf, sumOf } from '../../../accounting/money.ts';
import { type Problem, problem, reject, throwIfAny } from '../../../accounting/problem.ts';
import { recordRef } from '../../../accounting/record-name.ts';
import type { Context } from '../../../platform/context.ts';
import type { Tenant } from '../../access/access.ts';
import { recordAudit } from '../../access/audit.sql.ts';
import { type BaseBalanceRow, selectBaseBalances } from './base-balances.read.sql.ts';
import {
  type BalanceAccount,
  lockBalanceAccounts,
  lockBeforeFirstClose,
  replaceBaseBalances,
} from './base-balances.sql.ts';
import { lockBranch } from './companies.sql.ts';
import { requireBooks } from './require-books.ts';

/** An account by id or code, and its debit-positive balance at the start of the base month. */
export interface BaseBalance {
  readonly accountId?: AccountId | undefined;
  readonly code?: string | undefined;
  readonly balance: Centavos;
}

/**
 * Replaces the branch's base balances: posting accounts, each once, summing to zero, until the first month close
 * closes them. Accounts with a zero balance are left out.
 */
export async function saveBaseBalances(
  context: Context,
  tenant: Tenant,
  given: readonly BaseBalance[],
): Promise<BaseBalanceRow[]> {
  const sum = sumOf(given.map((each) => each.balance));
  if (sum !== 0n) reject('BASE_BALANCES_UNBALANCED', { sum: decimalOf(sum) }, 'balance');
  return context.transaction(async (sql) => {
    // Locks the branch against concurrent changes of its base balances and chart, and against the opening of months.
    await lockBranch(sql, tenant.companyId, tenant.branchId);
    const { chartId } = await requireBooks(sql, tenant);
    if (!(await lockBeforeFirstClose(sql, tenant.companyId, tenant.branchId))) reject('BASE_BALANCES_FROZEN');
    const accounts = await lockBalanceAccounts(
      sql,
      chartId,
      given.flatMap((each) => each.accountId ?? []),
      given.flatMap((each) => (each.accountId === undefined ? (each.code ?? []) : [])),
    );
    const found = matchAccounts(given, accounts);
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

/** Each balance with its account; throws a problem for each balance without one. */
function matchAccounts(
  given: readonly BaseBalance[],
  accounts: readonly BalanceAccount[],
): { account: BalanceAccount; balance: Centavos }[] {
  const byId = new Map(accounts.map((account) => [account.id, account]));
  const byCode = new Map(accounts.map((account) => [account.code, account]));
  const seen = new Set<AccountId>();
  const problems: Problem[] = [];
  const found = given.flatMap(({ accountId, code, balance }, at) => {
    const account = accountId === undefined ? byCode.get(code ?? '') : byId.get(accountId);
    const name = accountId ?? code ?? '';
    const path = `[${at}].${accountId === undefined ? 'accountCode' : 'accountId'}`;
    if (!account) problems.push(problem('ACCOUNT_NOT_IN_CHART', { account: name }, path));
    else if (account.type === 'S') problems.push(problem('ACCOUNT_SYNTHETIC', { account: account.code }, path));
    else if (seen.has(account.id)) {
      problems.push(problem('DUPLICATE', recordRef('Account', account.code), path));
    } else {
      seen.add(account.id);
      return [{ account, balance }];
    }
    return [];
  });
  throwIfAny(problems.slice(0, 100));
  return found;
}
