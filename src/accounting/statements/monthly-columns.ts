import { balanceOf, type Movement, NO_MOVEMENT, withoutClosing } from '../balance.ts';
import type { Centavos } from '../money.ts';
import type { StatementAccount, StatementSelection } from './statement.ts';

/** What a month's column shows: the balance at its end, or debits less credits, closing entries included. */
export type MonthlyFigure = 'BALANCE' | 'MOVEMENT';

/** An account with one figure a month, debit-positive. */
export interface MonthlyRow<Account extends StatementAccount> {
  readonly account: Account;
  readonly figures: readonly Centavos[];
}

/** The accounts with their months side by side; those without any figure only where zeros are asked for. */
export function monthlyColumns<Account extends StatementAccount>(
  accounts: readonly Account[],
  /** Of each month by account id; absent accounts have neither balance nor movement. */
  months: readonly ReadonlyMap<number, Movement>[],
  figure: MonthlyFigure,
  { considerClosing, showZeroBalances, level = Number.POSITIVE_INFINITY }: StatementSelection,
): MonthlyRow<Account>[] {
  const figureOf = (movement: Movement): Centavos => {
    const considered = considerClosing ? movement : withoutClosing(movement);
    return balanceOf(figure === 'BALANCE' ? considered : { ...considered, opening: 0n });
  };
  return accounts
    .filter((account) => account.level <= level)
    .map((account) => ({
      account,
      figures: months.map((movements) => figureOf(movements.get(account.id) ?? NO_MOVEMENT)),
    }))
    .filter(({ figures }) => showZeroBalances || figures.some((each) => each !== 0n));
}
