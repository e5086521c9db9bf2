import type { Nature } from './balance.ts';
import type { AccountId } from './ids.ts';

/** Where an account is in the statements. OTHER is class 09, which is printed and has no published meaning. */
export type StatementSection =
  | 'ASSET'
  | 'LIABILITY'
  | 'EQUITY'
  | 'REVENUE'
  | 'EXPENSE'
  | 'MEMORANDUM_DEBIT'
  | 'MEMORANDUM_CREDIT'
  | 'OTHER_DEBIT'
  | 'OTHER_CREDIT';

/** What decides the section of an account that is alone. */
export interface ClassifiedAccount {
  /** 01 asset, 02 liability, 03 equity, 04 result, 05 memorandum, 09 other: SPED's COD_NAT. */
  readonly accountClass: string;
  readonly normalBalance: Nature;
}

/** The section of an account by its own class, whatever it hangs under. */
export function sectionOfClass({ accountClass, normalBalance }: ClassifiedAccount): StatementSection {
  switch (accountClass) {
    case '01':
      return 'ASSET';
    case '02':
      return 'LIABILITY';
    case '03':
      return 'EQUITY';
    case '04':
      return normalBalance === 'D' ? 'EXPENSE' : 'REVENUE';
    case '05':
      return normalBalance === 'C' ? 'MEMORANDUM_CREDIT' : 'MEMORANDUM_DEBIT';
    default:
      return normalBalance === 'C' ? 'OTHER_CREDIT' : 'OTHER_DEBIT';
  }
}

interface PlacedAccount extends ClassifiedAccount {
  readonly id: AccountId;
  readonly parentId: AccountId | null;
}

/** The sections of a chart's accounts: the account at the root of a tree decides for all below it. */
export function sectionsOf(chart: readonly PlacedAccount[]): (account: PlacedAccount) => StatementSection {
  const byId = new Map(chart.map((account) => [account.id, account]));
  const sections = new Map<AccountId, StatementSection>();
  const sectionOf = (account: PlacedAccount): StatementSection => {
    const known = sections.get(account.id);
    if (known !== undefined) return known;
    const parent = account.parentId === null ? undefined : byId.get(account.parentId);
    const section = parent === undefined ? sectionOfClass(account) : sectionOf(parent);
    sections.set(account.id, section);
    return section;
  };
  return sectionOf;
}

/** Whether the section is with the assets in a statement of two sides. */
export function isDebitSide(section: StatementSection): boolean {
  return DEBIT_SIDE.has(section);
}

const DEBIT_SIDE: ReadonlySet<StatementSection> = new Set(['ASSET', 'MEMORANDUM_DEBIT', 'OTHER_DEBIT']);
