import {
  addMovements,
  balanceOf,
  isNoMovement,
  type Movement,
  mergeClosing,
  NO_MOVEMENT,
  withoutClosing,
} from '../balance.ts';
import { type Centavos, sumOf } from '../money.ts';
import type { StatementSection } from '../statement-section.ts';
import type { SectionOf, StatementAccount, StatementRow, StatementSelection } from './statement.ts';

/** What the posting accounts hold on one side. */
export interface SideTotals {
  readonly opening: Centavos;
  readonly balance: Centavos;
}

/** The accounts of a period with what they brought, moved and hold; debit-positive. */
export interface TrialBalance<Account extends StatementAccount> {
  /** In the order of the chart. */
  readonly rows: readonly StatementRow<Account>[];
  /** Of the posting accounts, whatever level is shown. */
  readonly total: Movement;
  /** Debit and credit balances apart: they prove more than their zero sum. */
  readonly sides: { readonly debit: SideTotals; readonly credit: SideTotals };
  /** Balance of a section's posting accounts. */
  sectionBalance(section: StatementSection): Centavos;
}

/** How a trial balance shows closing entries: in columns of their own, or within debits and credits. */
export type ClosingColumn = 'APART' | 'MERGED';

export interface TrialBalanceFacts<Account extends StatementAccount> {
  /** The statement's accounts, in the order of the chart. */
  readonly accounts: readonly Account[];
  /** By account id; absent accounts have neither balance nor movement. */
  readonly movements: ReadonlyMap<number, Movement>;
  readonly sectionOf: SectionOf;
}

export function trialBalance<Account extends StatementAccount>(
  { accounts, movements, sectionOf }: TrialBalanceFacts<Account>,
  { considerClosing, showZeroBalances, level = Number.POSITIVE_INFINITY }: StatementSelection,
  closing: ClosingColumn,
): TrialBalance<Account> {
  const rows = accounts.map((account) => {
    const found = movements.get(account.id) ?? NO_MOVEMENT;
    const considered = considerClosing ? found : withoutClosing(found);
    const movement = closing === 'APART' ? considered : mergeClosing(considered);
    return { account, section: sectionOf(account), movement, balance: balanceOf(movement) };
  });
  const postings = rows.filter(({ account }) => account.type === 'A');
  return {
    rows: rows.filter(
      ({ account, movement }) => account.level <= level && (showZeroBalances || !isNoMovement(movement)),
    ),
    total: postings.map(({ movement }) => movement).reduce(addMovements, NO_MOVEMENT),
    sides: {
      debit: totalsOf(postings, (amount) => amount > 0n),
      credit: totalsOf(postings, (amount) => amount < 0n),
    },
    sectionBalance: (section) => sumOf(postings.map((row) => (row.section === section ? row.balance : 0n))),
  };
}

function totalsOf(
  rows: readonly StatementRow<StatementAccount>[],
  isOfSide: (amount: Centavos) => boolean,
): SideTotals {
  return {
    opening: sumOf(rows.map(({ movement }) => movement.opening).filter(isOfSide)),
    balance: sumOf(rows.map(({ balance }) => balance).filter(isOfSide)),
  };
}
