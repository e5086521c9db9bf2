import type { Centavos } from './money.ts';
import { type ClassifiedAccount, type StatementSection, sectionOfClass } from './statement-section.ts';

/**
 * The sign of published figures over debit-positive balances: liabilities, equity, results and memorandum accounts of
 * normal credit balance are credit positive, everything else debit positive (domain: published sign).
 */
export function publishedSign(section: StatementSection): 1n | -1n {
  return CREDIT_POSITIVE.has(section) ? -1n : 1n;
}

const CREDIT_POSITIVE: ReadonlySet<StatementSection> = new Set([
  'LIABILITY',
  'EQUITY',
  'REVENUE',
  'EXPENSE',
  'MEMORANDUM_CREDIT',
]);

/**
 * A debit-positive balance as it is published for the account alone. A contra account of an asset, a liability or a
 * result keeps the sign of what it reduces; of memorandum accounts each account's own normal balance decides.
 */
export function publishedBalance(balance: Centavos, account: ClassifiedAccount): Centavos {
  return publishedSign(sectionOfClass(account)) * balance;
}
