import { type Centavos, centavosFromSql } from '../../../accounting/money.ts';
import { addMonths, type Day, firstDay, lastDay, type Month } from '../../../accounting/period.ts';
import { sectionsOf } from '../../../accounting/statement-section.ts';
import type { Balances } from '../../../accounting/statements/balance-sheet.ts';
import type { PeriodLength } from '../../../accounting/statements/statement-period.ts';
import { readResultMoved } from '../../closing/balances/read-balances.ts';
import { formatQuota } from '../../closing/quotas/calculate-quota.ts';
import { selectQuantityOn } from '../../closing/quotas/quotas.read.sql.ts';
import type { StatementAccountRow } from '../../master-data/chart/chart.read.sql.ts';
import { requireBranch } from '../../master-data/companies/institution.ts';
import { type MovedQuotas, selectMovedQuotas, selectQuotaOfEquity } from './fund.read.sql.ts';
import { balancesAt } from './read-balance-sheet.ts';
import { readMonthFacts } from './read-month-balances.ts';
import { choosePeriods } from './shown-periods.ts';
import type { MonthStatement, StatementSource } from './statement-source.ts';

export interface FundEquitySelection {
  readonly month: Month;
  readonly length: PeriodLength;
}

/** Net equity of a day and the quotas that it is divided into. */
export interface EquityOfDay {
  readonly day: Day;
  readonly equity: Centavos;
  /** With eight decimals, more where there are more. */
  readonly quotas: string;
  /** undefined: none is confirmed for that day's equity. */
  readonly quotaValue: string | undefined;
}

export interface FundEquity extends MonthStatement {
  readonly opening: EquityOfDay;
  readonly closing: EquityOfDay;
  /** By kind, in the order in which they are shown; amounts without sign. */
  readonly moved: readonly (Omit<MovedQuotas, 'amount'> & { readonly amount: Centavos })[];
  readonly revenue: Centavos;
  readonly expense: Centavos;
  /** What changed the equity and is neither quotas nor result. */
  readonly other: Centavos;
}

const COMES_IN = new Set(['INITIAL', 'SUBSCRIPTION']);

/** What changed the net equity of a fund in a period: quotas that came and went, its result, and whatever else there is. */
export async function readFundEquity(
  source: StatementSource,
  { month, length }: FundEquitySelection,
): Promise<FundEquity> {
  const { sql } = source;
  const tenant = requireBranch(source.tenant);
  const selection = { month, considerClosing: true, showZeroBalances: false };
  const { facts, ...shown } = await readMonthFacts(source, selection);
  const { options } = shown.entity;
  const chosen = await choosePeriods(source, { month, length, periods: 1, comparative: 'NONE' }, options, false);
  const [from, to] = [[chosen.periods[0]!.from, options.baseMonth].toSorted().at(-1)!, month];
  const { accounts } = facts;
  const ofDay = async (at: Month): Promise<EquityOfDay> => {
    const day = lastDay(at);
    const equity = equityOf(accounts, (await balancesAt(source, at, options.baseMonth, true))!);
    const [quotas, found] = [await selectQuantityOn(sql, tenant, day), await selectQuotaOfEquity(sql, tenant, day)];
    const { value = '0', decimals = 0 } = found ?? {};
    const shown = formatQuota({ quotaValue: value, numberOfQuotas: quotas, quotaDecimals: decimals });
    return { day, equity, quotas: shown.numberOfQuotas, quotaValue: found && shown.quotaValue };
  };
  const [opening, closing] = [await ofDay(addMonths(from, -1)), await ofDay(to)];
  const moved = (await selectMovedQuotas(sql, tenant, firstDay(from), lastDay(to))).map((each) => ({
    ...each,
    quotas: formatQuota({ quotaValue: '0', numberOfQuotas: each.quotas, quotaDecimals: 0 }).numberOfQuotas,
    amount: centavosFromSql(each.amount),
  }));
  const { revenue, expense } = resultOf(accounts, await readResultMoved(sql, tenant, from, to));
  const flows = moved.reduce((sum, { kind, amount }) => sum + (COMES_IN.has(kind) ? amount : -amount), 0n);
  const other = closing.equity - opening.equity - flows - revenue - expense;
  return { ...shown, opening, closing, moved, revenue, expense, other };
}

/** Credit-positive: equity, and the result that is not closed yet. */
function equityOf(accounts: readonly StatementAccountRow[], balances: Balances): Centavos {
  return -accounts
    .filter(({ type, accountClass }) => type === 'A' && (accountClass === '03' || accountClass === '04'))
    .reduce((sum, { id }) => sum + (balances.get(id) ?? 0n), 0n);
}

function resultOf(accounts: readonly StatementAccountRow[], moved: ReadonlyMap<number, Centavos>) {
  const sectionOf = sectionsOf(accounts);
  let [revenue, expense] = [0n, 0n];
  for (const account of accounts) {
    if (account.type !== 'A' || account.accountClass !== '04') continue;
    const amount = -(moved.get(account.id) ?? 0n);
    if (sectionOf(account) === 'EXPENSE') expense += amount;
    else revenue += amount;
  }
  return { revenue, expense };
}
