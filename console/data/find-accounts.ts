import { digitsOnly } from '../../src/accounting/account-code.ts';
import { isMemorandum } from '../../src/accounting/posting.ts';
import { fold } from '../ui/format.ts';
import type { ChartAccount } from './queries.ts';

interface Indexed {
  readonly account: ChartAccount;
  readonly digits: string;
  /** Names from the top of the chart down to the account, folded. */
  readonly path: string;
  readonly name: string;
}

const indexes = new WeakMap<readonly ChartAccount[], readonly Indexed[]>();
const MOST = 12;

/**
 * The accounts that fit a text: by code with or without dots, reduced code, or words of the whole path in any order and
 * without accents. Accounts that take entries come before those above them, those that the branch uses before others,
 * memorandum and inactive accounts last.
 */
export function findAccounts(
  accounts: readonly ChartAccount[],
  text: string,
  { onlyPosting = false, most = MOST }: { onlyPosting?: boolean; most?: number } = {},
): readonly ChartAccount[] {
  const found: { account: ChartAccount; rank: number }[] = [];
  const folded = fold(text.trim());
  const digits = digitsOnly(folded);
  const isCode = folded !== '' && /^[\d.\-/ ]+$/.test(folded);
  const words = folded.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  for (const each of indexOf(accounts)) {
    if (onlyPosting && each.account.type !== 'A') continue;
    const rank = isCode ? rankOfCode(each, digits, folded) : rankOfWords(each, words);
    if (rank !== undefined) found.push({ account: each.account, rank: rank + placeOf(each) });
  }
  // Stable: equals stay in the order of the chart.
  return found
    .sort((one, other) => one.rank - other.rank)
    .slice(0, most)
    .map(({ account }) => account);
}

/** 'DISPONIBILIDADES › Caixa': the names above the account, the nearest last. */
export function pathAbove(account: ChartAccount, byId: (id: number) => ChartAccount | undefined, most = 2): string {
  const names: string[] = [];
  for (let above = parentOf(account, byId); above && names.length < most; above = parentOf(above, byId)) {
    names.unshift(above.name);
  }
  return names.join(' › ');
}

function parentOf({ parentId }: ChartAccount, byId: (id: number) => ChartAccount | undefined) {
  return parentId === null ? undefined : byId(parentId);
}

function rankOfCode({ account, digits }: Indexed, typed: string, text: string): number | undefined {
  if (account.reduced === text || digits === typed) return 0;
  if (account.code.startsWith(text)) return 1;
  if (digits.startsWith(typed)) return 2;
  return account.reduced.startsWith(text) ? 3 : undefined;
}

function rankOfWords({ name, path }: Indexed, words: readonly string[]): number | undefined {
  if (words.every((word) => name.startsWith(word))) return 0;
  if (words.every((word) => name.includes(word))) return 1;
  return words.every((word) => path.includes(word)) ? 2 : undefined;
}

const SUMMARY = 0.5;
const UNUSED = 0.25;
const LAST = 10;

function placeOf({ account }: Indexed): number {
  const isLast = isMemorandum(account) || !account.active;
  // 128 uses or more count as one step before a single one, less than the fit of the text does.
  const use = account.uses === 0 ? UNUSED : -Math.log2(account.uses) / 64;
  return (account.type === 'A' ? 0 : SUMMARY) + use + (isLast ? LAST : 0);
}

function indexOf(accounts: readonly ChartAccount[]): readonly Indexed[] {
  const known = indexes.get(accounts);
  if (known !== undefined) return known;
  const paths = new Map<number, string>();
  const index = accounts.map((account) => {
    const name = fold(account.name);
    const above = account.parentId === null ? undefined : paths.get(account.parentId);
    const path = above === undefined ? name : `${above} ${name}`;
    paths.set(account.id, path);
    return { account, digits: digitsOnly(account.code), path, name };
  });
  indexes.set(accounts, index);
  return index;
}
