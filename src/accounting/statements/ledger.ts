import { balanceOf, type Movement, NO_MOVEMENT } from '../balance.ts';
import type { AccountId } from '../ids.ts';
import type { Centavos } from '../money.ts';
import {
  type AccountOfLine,
  addLine,
  type LineStatement,
  NO_TURNOVER,
  type StatementLine,
  type Turnover,
} from './line-statement.ts';

/** `movement` is what the account brought and moved up to the row, debit-positive; closing entries are in both sides. */
export type LedgerRow<Account> =
  | { readonly kind: 'ACCOUNT'; readonly account: Account }
  | { readonly kind: 'OPENING'; readonly account: Account; readonly movement: Movement; readonly balance: Centavos }
  | {
      readonly kind: 'LINE';
      readonly account: Account;
      readonly line: StatementLine;
      readonly counter: Account | undefined;
      readonly movement: Movement;
      readonly balance: Centavos;
    }
  | {
      readonly kind: 'ACCOUNT_TOTAL';
      readonly account: Account;
      readonly movement: Movement;
      readonly balance: Centavos;
    }
  | { readonly kind: 'NO_ACCOUNTS' }
  | { readonly kind: 'TOTAL'; readonly total: Turnover };

export interface LedgerFacts<Account> {
  /** In the order of the chart; lines come account by account in this order. */
  readonly accounts: readonly Account[];
  /** Balances before the period by account id. */
  readonly openings: ReadonlyMap<number, Centavos>;
  readonly accountOf: AccountOfLine<Account>;
}

export interface LedgerSelection {
  readonly onlyWithMovement: boolean;
  readonly showZeroBalances: boolean;
}

/** Account by account the balance before, the lines with the running balance, the totals. */
export function ledger<Account extends { readonly id: AccountId }>(
  facts: LedgerFacts<Account>,
  selection: LedgerSelection,
): LineStatement<LedgerRow<Account>> {
  return new Ledger(facts, selection);
}

class Ledger<Account extends { readonly id: AccountId }> implements LineStatement<LedgerRow<Account>> {
  readonly #facts: LedgerFacts<Account>;
  readonly #selection: LedgerSelection;
  readonly #places: ReadonlyMap<number, number>;
  #next = 0;
  #current: Account | undefined;
  #movement = NO_MOVEMENT;
  #total = NO_TURNOVER;

  constructor(facts: LedgerFacts<Account>, selection: LedgerSelection) {
    this.#facts = facts;
    this.#selection = selection;
    this.#places = new Map(facts.accounts.map(({ id }, place) => [id, place]));
  }

  add(lines: readonly StatementLine[]): LedgerRow<Account>[] {
    const rows: LedgerRow<Account>[] = [];
    for (const line of lines) {
      if (this.#current?.id !== line.accountId) this.#turnTo(this.#places.get(line.accountId)!, rows);
      this.#movement = addLine(this.#movement, line);
      const counter = line.offsetId === null ? undefined : this.#facts.accountOf(line.offsetId, line.day);
      rows.push({
        kind: 'LINE',
        account: this.#current!,
        line,
        counter,
        movement: this.#movement,
        balance: balanceOf(this.#movement),
      });
    }
    return rows;
  }

  end(): LedgerRow<Account>[] {
    const rows: LedgerRow<Account>[] = [];
    this.#skipTo(this.#facts.accounts.length, rows);
    const isEmpty = this.#current === undefined;
    this.#endAccount(rows);
    if (isEmpty) rows.push({ kind: 'NO_ACCOUNTS' });
    rows.push({ kind: 'TOTAL', total: this.#total });
    return rows;
  }

  #turnTo(place: number, rows: LedgerRow<Account>[]): void {
    this.#skipTo(place, rows);
    this.#next = place + 1;
    this.#begin(this.#facts.accounts[place]!, rows);
  }

  /** The accounts before that place which have no lines. */
  #skipTo(place: number, rows: LedgerRow<Account>[]): void {
    const { accounts, openings } = this.#facts;
    const { onlyWithMovement, showZeroBalances } = this.#selection;
    for (; this.#next < place; this.#next++) {
      const account = accounts[this.#next]!;
      const hasBalance = (openings.get(account.id) ?? 0n) !== 0n;
      if (!onlyWithMovement && (hasBalance || showZeroBalances)) this.#begin(account, rows);
    }
  }

  #begin(account: Account, rows: LedgerRow<Account>[]): void {
    this.#endAccount(rows);
    this.#current = account;
    const opening = this.#facts.openings.get(account.id) ?? 0n;
    this.#movement = { ...NO_MOVEMENT, opening };
    rows.push({ kind: 'ACCOUNT', account }, { kind: 'OPENING', account, movement: this.#movement, balance: opening });
  }

  #endAccount(rows: LedgerRow<Account>[]): void {
    if (this.#current === undefined) return;
    const { debit, credit } = this.#movement;
    rows.push({
      kind: 'ACCOUNT_TOTAL',
      account: this.#current,
      movement: this.#movement,
      balance: balanceOf(this.#movement),
    });
    this.#total = { debit: this.#total.debit + debit, credit: this.#total.credit + credit };
    this.#current = undefined;
  }
}
