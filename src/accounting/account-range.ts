import { type AccountMask, codeSortKey, isAccountCode, prefixMatches } from './account-code.ts';
import { type Problem, problem } from './problem.ts';

/** From the first account to the last with all below it; an absent end is open. */
export interface AccountRange {
  readonly accountFrom?: string | undefined;
  readonly accountTo?: string | undefined;
}

export function isWholeChart({ accountFrom, accountTo }: AccountRange): boolean {
  return accountFrom === undefined && accountTo === undefined;
}

/** Why a range makes no sense. */
export function rangeProblems(
  { accountFrom: from, accountTo: to }: AccountRange,
  masks: readonly AccountMask[],
): Problem[] {
  const problems = [
    ...(from !== undefined && !isAccountCode(from)
      ? [problem('INVALID_ACCOUNT_CODE', { account: from }, 'accountFrom')]
      : []),
    ...(to !== undefined && !isAccountCode(to) ? [problem('INVALID_ACCOUNT_CODE', { account: to }, 'accountTo')] : []),
  ];
  if (problems.length > 0 || from === undefined || to === undefined) return problems;
  const isReversed = codeSortKey(from, masks) > codeSortKey(to, masks) && !prefixMatches(to, from, masks);
  return isReversed ? [problem('ACCOUNT_RANGE_REVERSED', { from, to }, 'accountFrom')] : [];
}

/** The accounts of a sound range, their codes read by the masks of their chart. */
export function accountsInRange<Account extends { readonly code: string }>(
  accounts: readonly Account[],
  { accountFrom, accountTo }: AccountRange,
  masks: readonly AccountMask[],
): Account[] {
  const first = accountFrom === undefined ? '' : codeSortKey(accountFrom, masks);
  const last = accountTo === undefined ? undefined : codeSortKey(accountTo, masks);
  return accounts.filter(({ code }) => {
    const key = codeSortKey(code, masks);
    return key >= first && (last === undefined || key <= last || prefixMatches(accountTo!, code, masks));
  });
}
