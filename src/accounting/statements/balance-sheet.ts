import type { Centavos } from '../money.ts';
import { publishedSign } from '../published-sign.ts';
import type { StatementSection } from '../statement-section.ts';
import type { SectionOf, StatementAccount, StatementSelection } from './statement.ts';

/** Both columns of one line, in the published sign; `previous` is undefined where nothing is compared. */
export interface SheetFigures {
  readonly current: Centavos;
  readonly previous: Centavos | undefined;
}

export interface SheetRow<Account extends StatementAccount> {
  readonly account: Account;
  readonly section: StatementSection;
  readonly figures: SheetFigures;
}

/** The balance sheet: both sides add up to the same. Memorandum accounts have no place in it. */
export interface BalanceSheet<Account extends StatementAccount> {
  readonly assets: readonly SheetRow<Account>[];
  readonly liabilities: readonly SheetRow<Account>[];
  readonly equity: readonly SheetRow<Account>[];
  readonly totals: {
    readonly assets: SheetFigures;
    readonly liabilities: SheetFigures;
    /** Of the period, as far as it is not closed yet; a part of net equity. */
    readonly result: SheetFigures;
    readonly netEquity: SheetFigures;
    readonly liabilitiesAndNetEquity: SheetFigures;
  };
  /** By which the sides differ; zero where the books balance, or only some accounts are shown. */
  readonly difference: SheetFigures;
}

/** Balances by account id, debit-positive. */
export type Balances = ReadonlyMap<number, Centavos>;

export interface BalanceSheetFacts<Account extends StatementAccount> {
  /** The statement's accounts, in the order of the chart. */
  readonly accounts: readonly Account[];
  readonly sectionOf: SectionOf;
  readonly current: Balances;
  /** undefined without a comparative. */
  readonly previous: Balances | undefined;
}

/** `isWhole`: the accounts are all of the chart; only then do both sides have to be equal. */
export function balanceSheet<Account extends StatementAccount>(
  facts: BalanceSheetFacts<Account>,
  selection: Omit<StatementSelection, 'considerClosing'>,
  isWhole: boolean,
): BalanceSheet<Account> {
  const rows = rowsOf(facts);
  const isShown = shownBy(selection);
  const shownOf = (section: StatementSection) => rows.filter((row) => row.section === section && isShown(row));
  const totalOf = (...sections: readonly StatementSection[]): SheetFigures =>
    rows
      .filter(({ account, section }) => account.type === 'A' && sections.includes(section))
      .map(({ figures }) => figures)
      .reduce(addFigures, { current: 0n, previous: facts.previous && 0n });
  const [assets, liabilities] = [totalOf('ASSET'), totalOf('LIABILITY')];
  const result = totalOf('REVENUE', 'EXPENSE');
  const netEquity = addFigures(totalOf('EQUITY'), result);
  const liabilitiesAndNetEquity = addFigures(liabilities, netEquity);
  return {
    assets: shownOf('ASSET'),
    liabilities: shownOf('LIABILITY'),
    equity: shownOf('EQUITY'),
    totals: { assets, liabilities, result, netEquity, liabilitiesAndNetEquity },
    difference: isWhole ? addFigures(assets, negate(liabilitiesAndNetEquity)) : NO_DIFFERENCE,
  };
}

export function isZero({ current, previous = 0n }: SheetFigures): boolean {
  return current === 0n && previous === 0n;
}

const NO_DIFFERENCE: SheetFigures = { current: 0n, previous: undefined };

function rowsOf<Account extends StatementAccount>({
  accounts,
  sectionOf,
  current,
  previous,
}: BalanceSheetFacts<Account>): SheetRow<Account>[] {
  return accounts.map((account) => {
    const section = sectionOf(account);
    const sign = publishedSign(section);
    const figures = {
      current: sign * (current.get(account.id) ?? 0n),
      previous: previous && sign * (previous.get(account.id) ?? 0n),
    };
    return { account, section, figures };
  });
}

function shownBy({ level = Number.POSITIVE_INFINITY, showZeroBalances }: Omit<StatementSelection, 'considerClosing'>) {
  return ({ account, figures }: SheetRow<StatementAccount>) =>
    account.level <= level && (showZeroBalances || !isZero(figures));
}

function addFigures(a: SheetFigures, b: SheetFigures): SheetFigures {
  const isCompared = a.previous !== undefined && b.previous !== undefined;
  return { current: a.current + b.current, previous: isCompared ? a.previous + b.previous : undefined };
}

function negate({ current, previous }: SheetFigures): SheetFigures {
  return { current: -current, previous: previous === undefined ? undefined : -previous };
}
