import { type Centavos, sumOf } from '../money.ts';
import { publishedSign } from '../published-sign.ts';
import type { StatementSection } from '../statement-section.ts';
import type { PlacedAccount, Placement } from './place-accounts.ts';
import { classesOf, type DefinitionLine, type LineGroup } from './statement-definition.ts';

/** Amounts by account id, debit-positive: balances at the end of a period, or what moved in it. */
export type AccountAmounts = ReadonlyMap<number, Centavos>;

/**
 * A line of the definition, or one that the books need besides: the result that is not closed yet, as a part of equity,
 * and accounts that stand on no line of the definition.
 */
export interface FinancialStatementRow {
  readonly source: 'LINE' | 'OPEN_RESULT' | 'UNPLACED';
  /** null where it is no line of the definition. */
  readonly line: DefinitionLine | null;
  readonly level: number;
  readonly group: LineGroup;
  /** By column, in the published sign. */
  readonly amounts: readonly Centavos[];
}

export interface FinancialStatement<Account extends PlacedAccount> {
  /** Lines of the definition in the order of their tree, totals before their parts. */
  readonly rows: readonly FinancialStatementRow[];
  /** BP: assets less liabilities with equity, by column; zero where the books balance. */
  readonly differences: readonly Centavos[];
  /** Accounts on no line that carry an amount; they are in the rows UNPLACED. */
  readonly unplaced: readonly Account[];
  /** Accounts on several lines that carry an amount, counted on the first of them. */
  readonly onTwoLines: Placement<Account>['onTwoLines'];
}

export interface FinancialStatementFacts<Account extends PlacedAccount> {
  readonly kind: 'BP' | 'DRE';
  /** A sound definition. */
  readonly lines: readonly DefinitionLine[];
  /** The posting accounts of the chart among them. */
  readonly accounts: readonly Account[];
  readonly placement: Placement<Account>;
  /** One for each period side by side. BP: balances at its end. DRE: what moved in it, without closing entries. */
  readonly columns: readonly AccountAmounts[];
}

/** A balance sheet or an income statement by its definition: a detail is the sum of its accounts, a total that of its parts. */
export function financialStatement<Account extends PlacedAccount>(
  facts: FinancialStatementFacts<Account>,
): FinancialStatement<Account> {
  const { kind, lines, accounts, placement, columns } = facts;
  const isMoved = ({ id }: PlacedAccount) => columns.some((amounts) => (amounts.get(id) ?? 0n) !== 0n);
  const unplaced = placement.onNoLine.filter(isMoved);
  const children = Map.groupBy(lines, ({ parentCode }) => parentCode);
  const nodeOf = (line: DefinitionLine): Node => ({
    ...line,
    source: 'LINE',
    line,
    accounts: placement.byLine.get(line.code) ?? [],
    children: (children.get(line.code) ?? []).map(nodeOf),
  });
  const roots = (children.get(null) ?? []).map(nodeOf);
  if (kind === 'BP') {
    const result = accounts.filter(({ type, accountClass }) => type === 'A' && accountClass === '04');
    if (hasAmount(amountsOf('P', result, columns))) addBelow(equityNode(roots), 'OPEN_RESULT', result);
  }
  for (const root of roots) {
    const classes = classesOf(kind, root.group);
    const missing = unplaced.filter(({ accountClass }) => classes.includes(accountClass));
    if (missing.length > 0) addBelow(root, 'UNPLACED', missing);
  }
  const rows = roots.map((root) => rowsOf(root, columns));
  const totalOf = (group: LineGroup, at: number) =>
    sumOf(rows.map(([root]) => (root?.group === group ? root.amounts[at]! : 0n)));
  return {
    rows: rows.flat(),
    differences: columns.map((_, at) => (kind === 'BP' ? totalOf('A', at) - totalOf('P', at) : 0n)),
    unplaced,
    onTwoLines: placement.onTwoLines.filter(({ account }) => isMoved(account)),
  };
}

interface Node extends Omit<FinancialStatementRow, 'amounts'> {
  readonly accounts: readonly PlacedAccount[];
  readonly children: Node[];
}

function addBelow(node: Node, source: 'OPEN_RESULT' | 'UNPLACED', accounts: readonly PlacedAccount[]): void {
  node.children.push({ source, line: null, level: node.level + 1, group: node.group, accounts, children: [] });
}

/** The smallest total that holds all lines with accounts of equity, else the side of the liabilities. */
function equityNode(roots: readonly Node[]): Node {
  const isEquity = (node: Node): boolean =>
    node.accounts.some(({ accountClass }) => accountClass === '03') || node.children.some(isEquity);
  let found = roots.find(({ group }) => group === 'P')!;
  for (;;) {
    const holding = found.children.filter(isEquity);
    if (holding.length !== 1 || holding[0]!.children.length === 0) return found;
    found = holding[0]!;
  }
}

/** The node, then what is below it. */
function rowsOf(node: Node, columns: readonly AccountAmounts[]): FinancialStatementRow[] {
  const { source, line, level, group } = node;
  const below = node.children.map((child) => rowsOf(child, columns));
  const amounts = amountsOf(group, node.accounts, columns).map((own, at) =>
    below.reduce((sum, [child]) => sum + child!.amounts[at]!, own),
  );
  return [{ source, line, level, group, amounts }, ...below.flat()];
}

/** An account as a part of the figure of a line, by column, in the published sign of the line. */
export interface AccountFigure<Account> {
  readonly account: Account;
  readonly amounts: readonly Centavos[];
}

/** What the row's own figure is made of: the accounts with an amount; a total is made of the rows below it. */
export function accountsOfRow<Account extends PlacedAccount>(
  { source, line, group }: FinancialStatementRow,
  { kind, accounts, placement, columns }: FinancialStatementFacts<Account>,
): AccountFigure<Account>[] {
  const own =
    source === 'LINE'
      ? (placement.byLine.get(line!.code) ?? [])
      : source === 'OPEN_RESULT'
        ? accounts.filter(({ type, accountClass }) => type === 'A' && accountClass === '04')
        : placement.onNoLine.filter(({ accountClass }) => classesOf(kind, group).includes(accountClass));
  return own
    .map((account) => ({ account, amounts: amountsOf(group, [account], columns) }))
    .filter(({ amounts }) => hasAmount(amounts));
}

function amountsOf(
  group: LineGroup,
  accounts: readonly PlacedAccount[],
  columns: readonly AccountAmounts[],
): Centavos[] {
  const sign = publishedSign(SECTION_OF_GROUP[group]);
  return columns.map((amounts) => sign * sumOf(accounts.map(({ id }) => amounts.get(id) ?? 0n)));
}

/** The section whose sign a group is published in. */
const SECTION_OF_GROUP: Readonly<Record<LineGroup, StatementSection>> = {
  A: 'ASSET',
  P: 'LIABILITY',
  R: 'REVENUE',
  D: 'EXPENSE',
};

function hasAmount(amounts: readonly Centavos[]): boolean {
  return amounts.some((amount) => amount !== 0n);
}
