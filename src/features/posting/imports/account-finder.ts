import { digitsOnly } from '../../../accounting/account-code.ts';
import type { AccountId, ChartId } from '../../../accounting/ids.ts';
import { type Problem, problem } from '../../../accounting/problem.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { type FindableAccount, selectFindableAccounts } from './staging.sql.ts';

/** Finds accounts of one chart by exact code, else by short code, else by digits only. */
export interface AccountFinder {
  find(text: string): FindableAccount | Problem;
  byId(id: AccountId): FindableAccount | undefined;
}

export async function loadAccountFinder(sql: Sql, chartId: ChartId): Promise<AccountFinder> {
  return accountFinder(await selectFindableAccounts(sql, chartId));
}

/** Over the accounts of one chart, or over those of them that the texts to be found can mean. */
export function accountFinder(accounts: readonly FindableAccount[]): AccountFinder {
  const byCode = new Map(accounts.map((account) => [account.code, account]));
  const byId = new Map(accounts.map((account) => [account.id, account]));
  const byShortCode = new Map(accounts.map((account) => [account.shortCode, account]));
  const byDigits = new Map<string, FindableAccount[]>();
  for (const account of accounts) {
    const same = byDigits.get(account.digits);
    if (same) same.push(account);
    else byDigits.set(account.digits, [account]);
  }
  return {
    find(text) {
      const exact = byCode.get(text) ?? byShortCode.get(text);
      if (exact) return exact;
      // Other punctuation is ignored; a word with digits, or an id outside of the chart, is no account.
      const candidates = (/^[\d.\-/ ]+$/.test(text) && byDigits.get(digitsOnly(text))) || [];
      if (candidates.length === 1) return candidates[0]!;
      return candidates.length === 0
        ? problem('ACCOUNT_NOT_IN_CHART', { account: text.slice(0, 40) })
        : problem('ACCOUNT_AMBIGUOUS', {
            account: text.slice(0, 40),
            candidates: candidates
              .map((each) => each.code)
              .join(', ')
              .slice(0, 200),
          });
    },
    byId: (id) => byId.get(id),
  };
}
