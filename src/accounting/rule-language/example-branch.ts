import type { Nature } from '../balance.ts';
import { type AccountId, asId } from '../ids.ts';
import { addMonths, type Day, dayOf, lastDay, type Month, monthOf, monthOfDay, monthRange } from '../period.ts';
import type { BalanceReader, MonthBalance } from './balance-reader.ts';
import { type ChartAccount, indexChart } from './chart-index.ts';
import { preloadedBalances } from './preloaded-balances.ts';

/** The branch of the documentation's examples: three months of a small bank, the last one a closing month. */
export const EXAMPLE_REFERENCE_MONTH = monthOf(2026, 3)!;

const JANUARY = monthOf(2026, 1)!;

/** Everything loaded, or only the months named. */
export function exampleBranch(
  months: readonly Month[] = monthRange(addMonths(JANUARY, -1), EXAMPLE_REFERENCE_MONTH),
  hasDays = true,
): BalanceReader {
  return preloadedBalances({
    chart: indexChart(EXAMPLE_CHART, []),
    baseMonth: JANUARY,
    closedMonths: new Set(monthRange(JANUARY, EXAMPLE_REFERENCE_MONTH)),
    months: new Map(months.map((month) => [month, balancesOf(month)])),
    ...(hasDays && { dayBalance: balanceAtEndOf }),
  });
}

/**
 * Assets, memorandum, liabilities, equity, revenue and expense; 1.1.9 is a contra account, 6.2 may have either side.
 */
export const EXAMPLE_CHART: readonly ChartAccount[] = [
  account(1, '1', '10', '01', 'D'),
  account(11, '1.1', '11', '01', 'D', [1]),
  account(111, '1.1.1', '101', '01', 'D', [1, 11]),
  account(112, '1.1.2', '102', '01', 'D', [1, 11]),
  account(119, '1.1.9', '109', '01', 'C', [1, 11]),
  account(3, '3', '30', '05', 'D'),
  account(311, '3.1', '301', '05', 'D', [3]),
  account(4, '4', '40', '02', 'C'),
  account(41, '4.1', '401', '02', 'C', [4]),
  account(6, '6', '60', '03', 'C'),
  account(61, '6.1', '601', '03', 'C', [6]),
  account(62, '6.2', '602', '03', 'M', [6]),
  account(7, '7', '70', '04', 'C'),
  account(71, '7.1', '701', '04', 'C', [7]),
  account(8, '8', '80', '04', 'D'),
  account(81, '8.1', '801', '04', 'D', [8]),
  account(9, '9', '90', '05', 'C'),
  account(91, '9.1', '901', '05', 'C', [9]),
];

interface Movement {
  readonly day: Day;
  readonly debit: string;
  readonly credit: string;
  readonly centavos: bigint;
  readonly closing?: true;
}

const BASE_BALANCES: Readonly<Record<string, bigint>> = {
  '1.1.1': 1_000_00n,
  '1.1.2': 9_000_00n,
  '4.1': -6_000_00n,
  '6.1': -4_000_00n,
};

const MOVEMENTS: readonly Movement[] = [
  { day: dayOf(2026, 1, 10)!, debit: '1.1.2', credit: '4.1', centavos: 2_000_00n },
  { day: dayOf(2026, 2, 5)!, debit: '1.1.2', credit: '7.1', centavos: 500_00n },
  { day: dayOf(2026, 2, 20)!, debit: '8.1', credit: '1.1.1', centavos: 200_00n },
  { day: dayOf(2026, 3, 10)!, debit: '3.1', credit: '9.1', centavos: 5_000_00n },
  { day: dayOf(2026, 3, 15)!, debit: '1.1.1', credit: '7.1', centavos: 300_00n },
  { day: dayOf(2026, 3, 20)!, debit: '8.1', credit: '1.1.9', centavos: 100_00n },
  { day: dayOf(2026, 3, 31)!, debit: '7.1', credit: '6.2', centavos: 800_00n, closing: true },
  { day: dayOf(2026, 3, 31)!, debit: '6.2', credit: '8.1', centavos: 300_00n, closing: true },
];

function account(
  id: number,
  code: string,
  shortCode: string,
  accountClass: string,
  normalBalance: Nature,
  ancestorIds: readonly number[] = [],
): ChartAccount {
  return {
    id: asId<AccountId>(id),
    code,
    shortCode,
    accountClass,
    normalBalance,
    ancestorIds: ancestorIds.map(asId<AccountId>),
  };
}

function balancesOf(month: Month): Map<AccountId, MonthBalance> {
  return new Map(
    EXAMPLE_CHART.map(({ id }) => {
      const ofMonth = MOVEMENTS.filter(({ day }) => monthOfDay(day) === month);
      const ordinary = ofMonth.filter(({ closing }) => !closing);
      const closingLines = ofMonth.filter(({ closing }) => closing);
      return [
        id,
        {
          accumulated: balanceAtEndOf(id, lastDay(month)),
          closing: debitsOf(id, closingLines) - creditsOf(id, closingLines),
          debits: debitsOf(id, ordinary),
          credits: creditsOf(id, ordinary),
        },
      ];
    }),
  );
}

function balanceAtEndOf(accountId: AccountId, day: Day): bigint {
  const base = Object.entries(BASE_BALANCES).filter(([code]) => isWithin(accountId, code));
  const past = MOVEMENTS.filter((movement) => movement.day <= day);
  return base.reduce((sum, [, balance]) => sum + balance, 0n) + debitsOf(accountId, past) - creditsOf(accountId, past);
}

function debitsOf(accountId: AccountId, movements: readonly Movement[]): bigint {
  return movements.reduce((sum, { debit, centavos }) => (isWithin(accountId, debit) ? sum + centavos : sum), 0n);
}

function creditsOf(accountId: AccountId, movements: readonly Movement[]): bigint {
  return movements.reduce((sum, { credit, centavos }) => (isWithin(accountId, credit) ? sum + centavos : sum), 0n);
}

function isWithin(accountId: AccountId, leafCode: string): boolean {
  const leaf = EXAMPLE_CHART.find(({ code }) => code === leafCode)!;
  return leaf.id === accountId || leaf.ancestorIds.includes(accountId);
}
