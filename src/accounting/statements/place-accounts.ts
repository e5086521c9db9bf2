import { type AccountMask, prefixMatcher } from '../account-code.ts';
import { type Problem, problem } from '../problem.ts';
import {
  type AccountSelector,
  classesOf,
  coveredClasses,
  type DefinitionLine,
  isPrefix,
  STATEMENT_CLASSES,
  type StatementKind,
} from './statement-definition.ts';

/** What places an account on a line. */
export interface PlacedAccount {
  readonly id: number;
  readonly code: string;
  readonly type: 'S' | 'A';
  readonly accountClass: string;
}

/** Which posting accounts stand on which lines of a statement, and where that is not as it should be. */
export interface Placement<Account extends PlacedAccount> {
  /** By the code of a D line, in the order of the chart; each account on one line at most. */
  readonly byLine: ReadonlyMap<string, readonly Account[]>;
  /** Of classes that the statement covers. */
  readonly onNoLine: readonly Account[];
  /** They count on the first of their lines. */
  readonly onTwoLines: readonly { readonly account: Account; readonly lines: readonly string[] }[];
}

/** `accounts` in the order of the chart, their codes read by its masks. An account of a class that fits no line stays out. */
export function placeAccounts<Account extends PlacedAccount>(
  kind: StatementKind,
  lines: readonly DefinitionLine[],
  accounts: readonly Account[],
  masks: readonly AccountMask[],
): Placement<Account> {
  const matches = prefixMatcher(masks);
  const details = lines.filter(({ indicator }) => indicator === 'D');
  const fitting = new Map(
    STATEMENT_CLASSES.map((each) => [each, details.filter(({ group }) => classesOf(kind, group).includes(each))]),
  );
  const byLine = new Map<string, Account[]>(details.map(({ code }) => [code, []]));
  const onNoLine: Account[] = [];
  const onTwoLines: { account: Account; lines: readonly string[] }[] = [];
  const covered = coveredClasses(kind);
  for (const account of accounts) {
    if (account.type !== 'A') continue;
    const found = (fitting.get(account.accountClass) ?? []).filter(({ selectors }) =>
      isSelected(selectors, account.code, matches),
    );
    if (found.length > 1) onTwoLines.push({ account, lines: found.map(({ code }) => code) });
    if (found.length > 0) byLine.get(found[0]!.code)!.push(account);
    else if (covered.includes(account.accountClass)) onNoLine.push(account);
  }
  return { byLine, onNoLine, onTwoLines };
}

function isSelected(
  selectors: readonly AccountSelector[],
  code: string,
  matches: (prefix: string, code: string) => boolean,
): boolean {
  const isMatch = ({ pattern }: AccountSelector) => (isPrefix(pattern) ? matches(pattern, code) : pattern === code);
  return (
    selectors.some((selector) => !selector.exclude && isMatch(selector)) &&
    !selectors.some((selector) => selector.exclude && isMatch(selector))
  );
}

/** What the lines of a definition select wrongly, each account named; paths are `[3].selectors`. */
export function placementProblems(
  kind: StatementKind,
  lines: readonly DefinitionLine[],
  accounts: readonly PlacedAccount[],
  masks: readonly AccountMask[],
): Problem[] {
  const { onTwoLines } = placeAccounts(kind, lines, accounts, masks);
  const pathOf = (code: string) => `[${lines.findIndex((line) => line.code === code)}].selectors`;
  return [
    ...unknownAccountProblems(lines, accounts),
    ...onTwoLines.map(({ account, lines: of }) =>
      problem('STATEMENT_ACCOUNT_TWICE', { account: account.code, lines: of.join(', ') }, pathOf(of[1]!)),
    ),
    ...lines.flatMap((line) => otherClassProblems(kind, line, accounts, masks, pathOf(line.code))),
  ];
}

/** Accounts that the line selects though it must not hold their class. */
function otherClassProblems(
  kind: StatementKind,
  { code: line, group, selectors }: DefinitionLine,
  accounts: readonly PlacedAccount[],
  masks: readonly AccountMask[],
  path: string,
): Problem[] {
  const matches = prefixMatcher(masks);
  const classes = classesOf(kind, group);
  return accounts
    .filter(({ type, accountClass }) => type === 'A' && !classes.includes(accountClass))
    .filter(({ code }) => isSelected(selectors, code, matches))
    .map(({ code, accountClass }) =>
      problem('STATEMENT_ACCOUNT_CLASS', { account: code, line, class: accountClass }, path),
    );
}

/** The code of one account must be that of a posting account of the chart; a prefix may wait for its accounts. */
function unknownAccountProblems(lines: readonly DefinitionLine[], accounts: readonly PlacedAccount[]): Problem[] {
  const byCode = new Map(accounts.map((account) => [account.code, account]));
  return lines.flatMap(({ selectors }, at) =>
    selectors.flatMap(({ pattern }, place) => {
      const path = `[${at}].selectors[${place}].pattern`;
      if (isPrefix(pattern)) return [];
      const account = byCode.get(pattern);
      if (account === undefined) return [problem('ACCOUNT_NOT_IN_CHART', { account: pattern }, path)];
      return account.type === 'S' ? [problem('STATEMENT_SUMMARY_ACCOUNT', { account: pattern }, path)] : [];
    }),
  );
}
