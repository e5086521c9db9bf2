import type { AccountId } from '../../../accounting/ids.ts';
import type { Day, Month } from '../../../accounting/period.ts';
import { type MonthState, narrationProblem, type PostingFacts } from '../../../accounting/posting.ts';
import type { Problem } from '../../../accounting/problem.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import type { Tenant } from '../../access/access.ts';
import { rejectNoBooks } from '../../master-data/companies/require-books.ts';
import { lockPostingAccounts, selectPostingNarrations, selectPostingRules } from './entries.sql.ts';

/** The fields of a line that need a look-up in the books. */
interface AskedLine {
  readonly day: Day;
  readonly accountId: AccountId;
  readonly offsetAccountId: AccountId | null;
  readonly narrationCode: string | null;
}

/**
 * The state of the books for these lines; their accounts are locked unless `accountsOf` only reads them. The caller has
 * locked the month.
 */
export async function readPostingFacts(
  sql: Sql,
  tenant: Tenant,
  { month, state }: { month: Month; state: MonthState },
  lines: readonly AskedLine[],
  accountsOf: typeof lockPostingAccounts = lockPostingAccounts,
): Promise<PostingFacts> {
  const { companyId, branchId } = tenant;
  const days = [...new Set(lines.map((line) => line.day))];
  const rules = (await selectPostingRules(sql, companyId, branchId, days)) ?? rejectNoBooks(tenant);
  const ids = new Set(lines.flatMap((line) => [line.accountId, line.offsetAccountId ?? line.accountId]));
  const accounts = new Map((await accountsOf(sql, rules.chartId, [...ids])).map((account) => [account.id, account]));
  const codes = new Set(lines.flatMap((line) => line.narrationCode || []));
  const narrations = await selectPostingNarrations(sql, companyId, branchId, [...codes]);
  return {
    month,
    monthState: state,
    narrationRequired: rules.narrationRequired,
    mixesMemorandum: rules.mixesMemorandum,
    isDayClosed: (day) => rules.closedDays.includes(day),
    account: (id) => accounts.get(id),
    narration: (code) => narrations.get(code),
  };
}

/** Why records may not name these narrations; an absent code is allowed. */
export async function narrationProblems(
  sql: Sql,
  { companyId, branchId }: Tenant,
  given: readonly { code: string | null | undefined; path: string }[],
): Promise<Problem[]> {
  const codes = given.flatMap(({ code }) => code || []);
  const narrations = await selectPostingNarrations(sql, companyId, branchId, codes);
  return given.flatMap(({ code, path }) => (code && narrationProblem(code, narrations.get(code), path)) || []);
}
