import { decimalOf } from '../../src/accounting/money.ts';
import { findAccounts } from '../data/find-accounts.ts';
import type { Destination, Place } from '../data/place.ts';
import type { ChartAccount } from '../data/queries.ts';
import type { ScreenEntry } from '../routes.tsx';
import { amountFromTyped, amountText, fold, monthTitle } from '../ui/format.ts';
import type { IconName } from '../ui/icon.tsx';
import { monthFromTyped } from '../ui/typed-field.tsx';

/** Something that the search leads to. */
export interface Finding {
  readonly key: string;
  readonly group: 'Telas' | 'Meses' | 'Contas' | 'Lançamentos';
  readonly icon: IconName;
  /** Before the name, in figures of one width: the code of an account. */
  readonly code?: string;
  readonly text: string;
  /** Where it leads, in a word. */
  readonly hint: string;
  readonly to: Destination;
}

interface Sources {
  readonly place: Place;
  readonly screens: readonly ScreenEntry[];
  readonly accounts: readonly ChartAccount[];
}

/**
 * What a text may mean, likeliest first: screens by their first letters, a month, accounts by code or words, an amount,
 * and words of a narration.
 */
export function find(text: string, sources: Sources): readonly Finding[] {
  const asked = text.trim();
  if (asked === '') return sources.screens.map((screen) => screenFinding(screen));
  return [
    ...screensOf(asked, sources),
    ...monthsOf(asked, sources),
    ...accountsOf(asked, sources),
    ...entriesOf(asked, sources),
  ];
}

function screensOf(text: string, { screens }: Sources): Finding[] {
  const folded = fold(text);
  const begins = (title: string) =>
    fold(title)
      .split(' ')
      .some((word) => word.startsWith(folded)) || fold(title).startsWith(folded);
  return screens.filter(({ title }) => begins(title)).map(screenFinding);
}

function screenFinding({ path, title, icon }: ScreenEntry): Finding {
  return { key: `screen ${path}`, group: 'Telas', icon, text: title, hint: 'tela', to: { screen: path } };
}

function monthsOf(text: string, { place }: Sources): Finding[] {
  // A bare number is a reduced code or an amount sooner than a month.
  const month = /^\d+$/.test(text) ? undefined : monthFromTyped(text, place.month);
  if (month === undefined) return [];
  return [{ key: month, group: 'Meses', icon: 'clock', text: monthTitle(month), hint: 'mês', to: { month } }];
}

const MOST_ACCOUNTS = 8;

function accountsOf(text: string, { accounts, screens }: Sources): Finding[] {
  if (!screens.some(({ path }) => path === LEDGER)) return [];
  return findAccounts(accounts, text, { most: MOST_ACCOUNTS }).map(({ id, code, name, type }) => ({
    key: `account ${id}`,
    group: 'Contas',
    icon: type === 'A' ? 'ledger' : 'chart',
    code,
    text: name,
    hint: 'razão',
    to: { screen: LEDGER, search: { conta: String(id) } },
  }));
}

const LEDGER = 'razao';
const ENTRIES = 'lancamentos';

function entriesOf(text: string, { place, screens }: Sources): Finding[] {
  if (!screens.some(({ path }) => path === ENTRIES)) return [];
  const findings: Finding[] = [];
  const common = { group: 'Lançamentos', icon: 'entries', hint: monthTitle(place.month) } as const;
  const amount = amountFromTyped(text);
  if (amount !== undefined && amount > 0n) {
    const search = { procurar: '1', valor: decimalOf(amount) };
    findings.push({
      ...common,
      key: 'amount',
      text: `Lançamentos de ${amountText(amount)}`,
      to: { screen: ENTRIES, search },
    });
  }
  if (/\p{L}{2}/u.test(text)) {
    const search = { procurar: '1', texto: text };
    findings.push({ ...common, key: 'text', text: `Lançamentos com “${text}”`, to: { screen: ENTRIES, search } });
  }
  return findings;
}
