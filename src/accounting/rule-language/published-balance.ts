/** What the sign of an account's published balance depends on. */
export interface SignedAccount {
  /** SPED's nature of accounts: 01 asset, 02 liability, 03 equity, 04 result, 05 memorandum, 09 other. */
  readonly accountClass: string;
  /** D, C, or M for either. */
  readonly nature: string;
}

/**
 * A debit-positive balance with the sign of regulatory figures: liabilities, equity, results and memorandum accounts of
 * credit nature are credit positive, everything else debit positive (domain: regulatory figures). A rectifying account
 * of an asset, a liability or a result keeps the sign of what it reduces; of memorandum accounts each one's own nature
 * decides.
 */
export function publishedBalance(balance: bigint, account: SignedAccount): bigint {
  return isCreditPositive(account) ? -balance : balance;
}

function isCreditPositive({ accountClass, nature }: SignedAccount): boolean {
  return CREDIT_CLASSES.has(accountClass) || (accountClass === MEMORANDUM && nature === 'C');
}

const CREDIT_CLASSES = new Set(['02', '03', '04']);
const MEMORANDUM = '05';
