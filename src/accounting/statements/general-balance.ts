import { addMovements, balanceOf, type Movement, NO_MOVEMENT } from '../balance.ts';
import type { Centavos } from '../money.ts';
import { isDebitSide } from '../statement-section.ts';
import type { StatementAccount, StatementRow, StatementSelection } from './statement.ts';
import { type TrialBalanceFacts, trialBalance } from './trial-balance.ts';

/** The general balance of the central bank's chart: what is with the assets, and all the rest. */
export interface GeneralBalance<Account extends StatementAccount> {
  readonly debit: GeneralBalanceSide<Account>;
  readonly credit: GeneralBalanceSide<Account>;
  /** By which the sides differ; zero where the books balance, or only some accounts are shown. */
  readonly difference: { readonly opening: Centavos; readonly balance: Centavos };
}

export interface GeneralBalanceSide<Account extends StatementAccount> {
  readonly rows: readonly StatementRow<Account>[];
  readonly total: Movement;
}

/** Closing entries are within debits and credits. `isWhole`: the accounts are all of the chart. */
export function generalBalance<Account extends StatementAccount>(
  facts: TrialBalanceFacts<Account>,
  selection: StatementSelection,
  isWhole: boolean,
): GeneralBalance<Account> {
  const sideOf = (isDebit: boolean): GeneralBalanceSide<Account> => {
    const accounts = facts.accounts.filter((account) => isDebitSide(facts.sectionOf(account)) === isDebit);
    const { rows, total } = trialBalance({ ...facts, accounts }, selection, 'MERGED');
    return { rows, total };
  };
  const [debit, credit] = [sideOf(true), sideOf(false)];
  const difference = isWhole ? addMovements(debit.total, credit.total) : NO_MOVEMENT;
  return { debit, credit, difference: { opening: difference.opening, balance: balanceOf(difference) } };
}
