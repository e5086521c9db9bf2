import type { AccountRow } from '../../master-data/chart/chart.read.sql.ts';

/** Where an account stands in the statements; the account at the root of its tree decides for all below. */
export type StatementSection =
  | 'ASSET'
  | 'LIABILITY'
  | 'EQUITY'
  | 'REVENUE'
  | 'EXPENSE'
  | 'MEMORANDUM_DEBIT'
  | 'MEMORANDUM_CREDIT';

export function partsOf(accounts: readonly AccountRow[]): (account: AccountRow) => StatementSection {
  const byId = new Map(accounts.map((account) => [account.id, account]));
  const parts = new Map<number, StatementSection>();
  const partOf = (account: AccountRow): StatementSection => {
    const known = parts.get(account.id);
    if (known) return known;
    const parent = account.parentId === null ? undefined : byId.get(account.parentId);
    const part = parent ? partOf(parent) : partOfRoot(account);
    parts.set(account.id, part);
    return part;
  };
  return partOf;
}

/** Assets and memorandum accounts of debit nature stand on one side, everything else on the other. */
export function isDebitSide(part: StatementSection): boolean {
  return part === 'ASSET' || part === 'MEMORANDUM_DEBIT';
}

function partOfRoot({ accountClass, nature }: AccountRow): StatementSection {
  switch (accountClass) {
    case '01':
      return 'ASSET';
    case '02':
      return 'LIABILITY';
    case '03':
      return 'EQUITY';
    case '04':
      return nature === 'D' ? 'EXPENSE' : 'REVENUE';
    default:
      return nature === 'C' ? 'MEMORANDUM_CREDIT' : 'MEMORANDUM_DEBIT';
  }
}
