import type { AccountId, ChartId } from '../../../accounting/ids.ts';
import type { Centavos } from '../../../accounting/money.ts';
import { type Problem, problem, throwIfAny } from '../../../accounting/problem.ts';
import { recordRef } from '../../../accounting/record-name.ts';
import type { Transaction } from '../../../platform/database/sql.ts';
import { type BalanceAccount, lockBalanceAccounts } from './base-balances.sql.ts';

/** An account by id or code, and its debit-positive balance. */
export interface AccountBalance {
  readonly accountId?: AccountId | undefined;
  readonly code?: string | undefined;
  readonly balance: Centavos;
}

export interface MatchedBalance {
  readonly account: BalanceAccount;
  readonly balance: Centavos;
}

/** The balances with their accounts of the chart, locked; rejects an account that is absent or twice. */
export async function lockAccountsOf(
  sql: Transaction,
  chartId: ChartId,
  given: readonly AccountBalance[],
  which: 'POSTING' | 'ANY',
): Promise<MatchedBalance[]> {
  const accounts = await lockBalanceAccounts(
    sql,
    chartId,
    given.flatMap((each) => each.accountId ?? []),
    given.flatMap((each) => (each.accountId === undefined ? (each.code ?? []) : [])),
  );
  return matchAccounts(given, accounts, which);
}

/** Each balance with its account, each account once; throws a problem for each balance without one. */
function matchAccounts(
  given: readonly AccountBalance[],
  accounts: readonly BalanceAccount[],
  which: 'POSTING' | 'ANY',
): MatchedBalance[] {
  const byId = new Map(accounts.map((account) => [account.id, account]));
  const byCode = new Map(accounts.map((account) => [account.code, account]));
  const seen = new Set<AccountId>();
  const problems: Problem[] = [];
  const found = given.flatMap(({ accountId, code, balance }, at) => {
    const account = accountId === undefined ? byCode.get(code ?? '') : byId.get(accountId);
    const name = accountId ?? code ?? '';
    const path = `[${at}].${accountId === undefined ? 'accountCode' : 'accountId'}`;
    if (!account) problems.push(problem('ACCOUNT_NOT_IN_CHART', { account: name }, path));
    else if (which === 'POSTING' && account.type === 'S')
      problems.push(problem('ACCOUNT_SYNTHETIC', { account: account.code }, path));
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
