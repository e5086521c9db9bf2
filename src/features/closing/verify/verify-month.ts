import type { AccountId } from '../../../accounting/ids.ts';
import { type Centavos, centavosFromSql, decimalOf } from '../../../accounting/money.ts';
import { monthOfDay } from '../../../accounting/period.ts';
import { type RecomputedBalance, recomputeBalances } from '../../../accounting/recomputed-balances.ts';
import type { Sql, Transaction } from '../../../platform/database/sql.ts';
import type { MonthKey } from '../../posting/months/months.sql.ts';
import { selectUnclosedResults } from './closing-facts.read.sql.ts';
import type { Finding } from './difference.ts';
import {
  type StoredBalance,
  type SummedLines,
  selectBrokenReferences,
  selectBroughtBalances,
  selectLineFigures,
  selectStoredBalances,
  selectSummedLines,
  selectVerifiedAccounts,
  selectVerifiedMonth,
  selectWrongEntries,
  selectWrongSums,
  type VerifiedAccount,
  type VerifiedMonth,
} from './month-facts.read.sql.ts';
import { verifyMonthSeal } from './verify-seals.ts';

/** What was found in a month, and how many lines were read. */
export interface VerifiedBooks {
  readonly findings: readonly Finding[];
  readonly lines: number;
}

/**
 * Recomputes a month of a branch from its lines, archived ones too, and compares it with what is stored: references, the
 * balance of every entry, kept figures, and of a closed month balances and closing entries. In one snapshot.
 */
export async function verifyMonth(sql: Transaction, key: MonthKey): Promise<VerifiedBooks> {
  const month = await selectVerifiedMonth(sql, key);
  const summed = await selectSummedLines(sql, key);
  const stored = await selectStoredBalances(sql, key);
  const lines = summed.reduce((sum, each) => sum + each.lines, 0);
  if (month === undefined) {
    const found = `${lines} lines, ${stored.length} balances`;
    return {
      lines,
      findings: [{ kind: 'ORPHAN', what: 'rows of a month that was never opened', expected: null, found }],
    };
  }
  const ids = [...new Set([...summed, ...stored].map(({ accountId }) => accountId))];
  const accounts = new Map((await selectVerifiedAccounts(sql, month.chartId, ids)).map((each) => [each.id, each]));
  const findings = [
    ...statesOf(key, month),
    ...(await selectBrokenReferences(sql, key, month)),
    ...(await selectWrongEntries(sql, key)),
    ...(await selectWrongSums(sql, key)),
    ...(await wrongFigures(sql, key, month)),
  ];
  if (month.state === 'OPEN') return { lines, findings: [...findings, ...strayBalances(stored)] };
  const isFirst = month.baseMonth !== null && monthOfDay(month.baseMonth) === key.month;
  const openings = new Map(
    (await selectBroughtBalances(sql, key, isFirst)).map(({ accountId, balance }) => [
      accountId,
      centavosFromSql(balance),
    ]),
  );
  const expected = recomputeBalances(openings, summed.map(inCentavos), (id) => accounts.get(id)?.parentId);
  return {
    lines,
    findings: [
      ...findings,
      ...wrongBalances(stored, expected, accounts),
      ...(await selectUnclosedResults(sql, key, month.closedAt)),
      ...(await verifyMonthSeal(sql, key, month.archived)),
    ],
  };
}

function statesOf(key: MonthKey, month: VerifiedMonth): Finding[] {
  const findings: Finding[] = [];
  const wrong = (what: string, expected: string, found: string | null) =>
    findings.push({ kind: 'MONTH', what, expected, found });
  const base = month.baseMonth === null ? null : monthOfDay(month.baseMonth);
  if (base === null) wrong('options of the branch', 'a base month', null);
  else if (key.month < base) wrong('base month', `not after ${key.month}`, base);
  else if (key.month > base && month.previousState === null) wrong('month before', 'opened', null);
  if (month.state === 'CLOSED') {
    if (month.previousState === 'OPEN') wrong('month before', 'CLOSED', 'OPEN');
    if (month.closedAt === null) wrong('moment of the close', 'a moment', null);
    if (month.summed) wrong('kept sums', 'none in a closed month', 'kept');
  } else if (month.archived) wrong('archive', 'closed months alone', 'an open month');
  return findings;
}

/** Entries and debits that the close kept. */
async function wrongFigures(sql: Sql, key: MonthKey, month: VerifiedMonth): Promise<Finding[]> {
  const { entries, debits } = month;
  if (entries === null && debits === null) return [];
  const lines = await selectLineFigures(sql, key);
  const compared = [
    ['entries', String(lines.entries), entries === null ? null : String(entries)],
    ['debits', lines.debits, debits],
  ] as const;
  return compared
    .filter(([, expected, found]) => found !== null && expected !== found)
    .map(([what, expected, found]) => ({ kind: 'MONTH_FIGURES', what, expected, found }));
}

function strayBalances(stored: readonly StoredBalance[]): Finding[] {
  if (stored.length === 0) return [];
  return [{ kind: 'BALANCE', what: 'an open month', expected: null, found: `${stored.length} stored balances` }];
}

function inCentavos({ accountId, day, debit, credit, closingDebit, closingCredit }: SummedLines) {
  return {
    accountId,
    day,
    debit: centavosFromSql(debit),
    credit: centavosFromSql(credit),
    closingDebit: centavosFromSql(closingDebit),
    closingCredit: centavosFromSql(closingCredit),
  };
}

function wrongBalances(
  stored: readonly StoredBalance[],
  expected: ReadonlyMap<AccountId, RecomputedBalance>,
  accounts: ReadonlyMap<AccountId, VerifiedAccount>,
): Finding[] {
  const findings: Finding[] = [];
  const rows = new Map(stored.map((each) => [each.accountId, each]));
  for (const id of new Set([...rows.keys(), ...expected.keys()])) {
    const what = `account ${accounts.get(id)?.code ?? id}`;
    const [row, computed] = [rows.get(id), expected.get(id)];
    const monthly = computed === undefined ? null : monthlyText(computed);
    if (monthly !== (row?.monthly ?? null)) {
      findings.push({ kind: 'BALANCE', what, expected: monthly, found: row?.monthly ?? null });
    }
    const [daily, storedDays] = [daysText(computed), storedDaysText(row)];
    if (daily !== storedDays) findings.push({ kind: 'DAILY_BALANCE', what, expected: daily, found: storedDays });
  }
  return findings;
}

/** As `selectStoredBalances` says it. */
function monthlyText(of: RecomputedBalance): string {
  const closing = of.closingDebit - of.closingCredit;
  const amounts = [of.opening, of.debit, of.credit, of.closingDebit, of.closingCredit, closing, of.balance];
  return amounts.map(decimalOf).join(' ');
}

/** The text of the arrays; closing entries that are left out are none. */
function daysText(of: RecomputedBalance | undefined): string | null {
  if (of === undefined || of.days.length === 0) return null;
  const array = (amounts: readonly Centavos[]) => `{${amounts.map(decimalOf).join(',')}}`;
  return [
    `{${of.days.map(({ day }) => day).join(',')}}`,
    array(of.days.map(({ debit }) => debit)),
    array(of.days.map(({ credit }) => credit)),
    array(of.days.map(({ closingDebit }) => closingDebit)),
    array(of.days.map(({ closingCredit }) => closingCredit)),
    array(of.days.map(({ balance }) => balance)),
  ].join(' ');
}

function storedDaysText(row: StoredBalance | undefined): string | null {
  if (row === undefined || row.days === null) return null;
  const none = `{${row.days
    .split(',')
    .map(() => '0.00')
    .join(',')}}`;
  return [row.days, row.debits, row.credits, row.closingDebits ?? none, row.closingCredits ?? none, row.balances].join(
    ' ',
  );
}
