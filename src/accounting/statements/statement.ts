import type { Movement } from '../balance.ts';
import type { AccountId } from '../ids.ts';
import type { Centavos } from '../money.ts';
import type { ClassifiedAccount, StatementSection } from '../statement-section.ts';

// What all statements have in common: figures in centavos, debit-positive unless a field says otherwise.

/** An account as statements need it; they return the whole record of the input. */
export interface StatementAccount extends ClassifiedAccount {
  readonly id: AccountId;
  readonly parentId: AccountId | null;
  readonly code: string;
  readonly description: string;
  readonly type: 'S' | 'A';
  readonly level: number;
}

export type SectionOf = (account: StatementAccount) => StatementSection;

/** One account's figures in a period. */
export interface StatementRow<Account extends StatementAccount> {
  readonly account: Account;
  readonly section: StatementSection;
  readonly movement: Movement;
  /** At the end of the period. */
  readonly balance: Centavos;
}

/** Options of the statements of balances. */
export interface StatementSelection {
  /** Without it, the period looks as if its result had not been closed. */
  readonly considerClosing: boolean;
  readonly showZeroBalances: boolean;
  /** The deepest level shown. */
  readonly level?: number | undefined;
}
