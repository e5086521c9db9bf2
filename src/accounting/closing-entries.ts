import { type AccountMask, compareCodes, prefixMatches } from './account-code.ts';
import { type EntryLine, otherSide, type Side } from './entry.ts';
import type { AccountId } from './ids.ts';
import { type Centavos, magnitudeOf } from './money.ts';

export interface ClosureSettings {
  /** Account code prefixes: '7', '7.1*'. */
  readonly revenueGroups: readonly string[];
  readonly expenseGroups: readonly string[];
  readonly creditResultAccountId: AccountId;
  readonly debitResultAccountId: AccountId;
  readonly profitAccountId: AccountId;
  readonly lossAccountId: AccountId;
  readonly excludeAccounts: readonly AccountId[];
}

export interface ClosingAccount {
  readonly id: AccountId;
  readonly code: string;
  readonly takesEntries: boolean;
}

export type ClosingLine = Pick<EntryLine, 'side' | 'accountId' | 'offsetAccountId' | 'amount'>;

export interface ClosingEntry {
  readonly number: string;
  readonly lines: readonly ClosingLine[];
}

/**
 * The entries that close the result: every revenue account is cleared against the credit result account, every expense
 * account against the debit result account, in the order of their codes; then one entry clears the two result accounts
 * against the profit account when their net is credit, against the loss account when it is debit.
 * `balances` are the accumulated ones before closing, debit-positive, by account id.
 */
export function closingLines(
  settings: ClosureSettings,
  balances: ReadonlyMap<AccountId, Centavos>,
  accounts: readonly ClosingAccount[],
  masks: readonly AccountMask[],
): ClosingEntry[] {
  const results = [...new Set([settings.creditResultAccountId, settings.debitResultAccountId])];
  const remaining = new Map(results.map((id) => [id, balances.get(id) ?? 0n]));
  const facts: ClosingLine[][] = [];

  for (const { id, resultAccountId } of accountsToClear(settings, accounts, masks)) {
    const balance = balances.get(id) ?? 0n;
    if (balance === 0n) continue;
    facts.push(clearingLines(id, resultAccountId, balance));
    remaining.set(resultAccountId, remaining.get(resultAccountId)! + balance);
  }
  const transfer = transferOf(remaining, settings);
  if (transfer.length > 0) facts.push(transfer);

  return facts.map((lines, at) => ({ number: String(at + 1), lines }));
}

/** Posting accounts inside the groups, with the result account that takes each. One in both groups is a revenue. */
function accountsToClear(
  settings: ClosureSettings,
  accounts: readonly ClosingAccount[],
  masks: readonly AccountMask[],
): { id: AccountId; resultAccountId: AccountId }[] {
  const leftOut = new Set([
    ...settings.excludeAccounts,
    settings.creditResultAccountId,
    settings.debitResultAccountId,
    settings.profitAccountId,
    settings.lossAccountId,
  ]);
  const inside = (prefixes: readonly string[], code: string) =>
    prefixes.some((each) => prefixMatches(each, code, masks));
  return accounts
    .filter((account) => account.takesEntries && !leftOut.has(account.id))
    .sort((a, b) => compareCodes(a.code, b.code, masks) || a.id - b.id)
    .flatMap(({ id, code }) => {
      if (inside(settings.revenueGroups, code)) return [{ id, resultAccountId: settings.creditResultAccountId }];
      if (inside(settings.expenseGroups, code)) return [{ id, resultAccountId: settings.debitResultAccountId }];
      return [];
    });
}

/** Transfers the balance from the account to the other one. */
function clearingLines(accountId: AccountId, offsetAccountId: AccountId, balance: Centavos): ClosingLine[] {
  const side = sideThatClears(balance);
  const amount = magnitudeOf(balance);
  return [
    { side, accountId, offsetAccountId, amount },
    { side: otherSide(side), accountId: offsetAccountId, offsetAccountId: accountId, amount },
  ];
}

/** One entry of up to three lines, so that equity receives the net result in a single line. */
function transferOf(results: ReadonlyMap<AccountId, Centavos>, settings: ClosureSettings): ClosingLine[] {
  // A result account that is the equity account itself needs no transfer.
  const equity = [settings.profitAccountId, settings.lossAccountId];
  const open = [...results].filter(([id, balance]) => balance !== 0n && !equity.includes(id));
  const net = open.reduce((sum, [, balance]) => sum + balance, 0n);
  const equityAccountId = net < 0n ? settings.profitAccountId : settings.lossAccountId;
  const lines: ClosingLine[] = open.map(([accountId, balance]) => ({
    side: sideThatClears(balance),
    accountId,
    // With a net of zero the two result accounts clear one another.
    offsetAccountId: net === 0n ? open.find(([id]) => id !== accountId)![0] : equityAccountId,
    amount: magnitudeOf(balance),
  }));
  if (net === 0n) return lines;
  const side = otherSide(sideThatClears(net));
  // Against two result accounts there is no single offset account.
  const offsetAccountId = open.length === 1 ? open[0]![0] : null;
  return [...lines, { side, accountId: equityAccountId, offsetAccountId, amount: magnitudeOf(net) }];
}

function sideThatClears(balance: Centavos): Side {
  return balance > 0n ? 'C' : 'D';
}
