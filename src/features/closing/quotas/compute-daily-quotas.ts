import type { BranchId, CompanyId } from '../../../accounting/ids.ts';
import { centavosFromSql, decimalOf } from '../../../accounting/money.ts';
import { brazilianDate, type Day, monthOfDay, slashOf } from '../../../accounting/period.ts';
import { type Problem, problem } from '../../../accounting/problem.ts';
import { scaledFromDecimal, scaledToDecimal } from '../../../accounting/quota.ts';
import {
  type ComputedQuota,
  computeQuotas,
  type DayOfFund,
  type QuotaMovement,
  STORED_DECIMALS,
} from '../../../accounting/quota-series.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import {
  type DailyQuota,
  type Fund,
  type MovementRow,
  type QuantityBefore,
  selectDailyQuotas,
  selectFunds,
  selectMovements,
  selectQuantitiesBefore,
} from './daily-quotas.read.sql.ts';
import type { NewDailyQuota } from './daily-quotas.sql.ts';
import { type FundMoved, selectFundsMoved } from './fund-equity.read.sql.ts';
import { type Point, readVariations } from './quota-variations.ts';

/** The days from one to another of which quotas are asked: of a range its business days, of a day that day. */
export interface QuotaDays {
  readonly from: Day;
  readonly to: Day;
}

/** The quotas of one fund: those that are kept and those that were computed, each in the order of its days. */
export interface FundQuotas {
  readonly fund: Fund;
  readonly kept: readonly DailyQuota[];
  readonly computed: readonly NewDailyQuota[];
  /** Of the movements that were given by their amount. */
  readonly conversions: readonly { readonly id: number; readonly quotas: string }[];
  /** Why there is not every quota that was asked. */
  readonly problem: Problem | undefined;
}

/** ADD computes the days that have no quota yet, AGAIN those that have one. */
type Purpose = 'ADD' | 'AGAIN';

/**
 * Computes quotas of any number of funds of a company, with the same statements for all of them; nothing is written. What is wrong
 * with one fund stands beside its quotas and stops no other.
 */
export async function computeDailyQuotas(
  sql: Sql,
  companyId: CompanyId,
  branchIds: readonly BranchId[],
  asked: QuotaDays & { readonly daysOf: (fund: Fund) => Promise<readonly Day[]>; readonly purpose?: Purpose },
): Promise<FundQuotas[]> {
  const { from, to, purpose = 'ADD' } = asked;
  const funds = await selectFunds(sql, companyId, branchIds);
  const [moved, before, movements, kept] = await sql.pipelined((reads) =>
    Promise.all([
      selectFundsMoved(reads, companyId, branchIds, { from, to }),
      selectQuantitiesBefore(reads, companyId, branchIds, from),
      selectMovements(reads, companyId, branchIds, { from, to }),
      selectDailyQuotas(reads, companyId, branchIds, { from, to }),
    ]),
  );
  const facts: FactsOfFunds = {
    moved: Map.groupBy(moved, ({ branchId }) => branchId),
    before: new Map(before.map((each) => [each.branchId, each])),
    movements: Map.groupBy(movements, ({ branchId }) => branchId),
    kept: Map.groupBy(kept, ({ branchId }) => branchId),
  };
  const computed = await Promise.all(
    funds.map(async (fund) => {
      const last = facts.kept.get(fund.branchId)?.at(-1)?.day;
      const days =
        (purpose === 'ADD' ? daysProblem(fund, asked) : last && openDayProblem(fund, last)) ??
        (await asked.daysOf(fund));
      return computeFund(fund, 'code' in days ? [] : days, facts, purpose, 'code' in days ? days : undefined);
    }),
  );
  return addVariations(sql, companyId, computed);
}

interface FactsOfFunds {
  readonly moved: ReadonlyMap<BranchId, readonly FundMoved[]>;
  readonly before: ReadonlyMap<BranchId, QuantityBefore>;
  readonly movements: ReadonlyMap<BranchId, readonly MovementRow[]>;
  readonly kept: ReadonlyMap<BranchId, readonly DailyQuota[]>;
}

/** Why the days cannot have quotas: before the base, in a month that is not opened, or behind a day that is open. */
function daysProblem(fund: Fund, { from, to }: QuotaDays): Problem | undefined {
  const { baseMonth, lastOpened } = fund;
  if (monthOfDay(from) < baseMonth) {
    return problem('BEFORE_BASE_MONTH', { month: slashOf(monthOfDay(from)), base: slashOf(baseMonth) });
  }
  if (lastOpened === null || monthOfDay(to) > lastOpened) {
    return problem('MONTH_NOT_OPEN', { month: slashOf(monthOfDay(to)) });
  }
  return openDayProblem(fund, to);
}

function openDayProblem({ currentDay }: Fund, day: Day): Problem | undefined {
  return currentDay !== null && currentDay < day
    ? problem('QUOTA_DAYS_OPEN', { day: brazilianDate(day), open: brazilianDate(currentDay) })
    : undefined;
}

function computeFund(
  fund: Fund,
  days: readonly Day[],
  facts: FactsOfFunds,
  purpose: Purpose,
  daysProblem: Problem | undefined,
): FundQuotas {
  const kept = facts.kept.get(fund.branchId) ?? [];
  const keptDays = new Set(kept.map(({ day }) => day));
  const wanted = purpose === 'AGAIN' ? [...keptDays] : days.filter((day) => !keptDays.has(day));
  if (daysProblem || wanted.length === 0) return { fund, kept, computed: [], conversions: [], problem: daysProblem };
  const before = facts.before.get(fund.branchId);
  if (before?.pending) {
    const pending = problem('QUOTAS_PENDING', { day: brazilianDate(before.pending) });
    return { fund, kept, computed: [], conversions: [], problem: pending };
  }
  const movements = facts.movements.get(fund.branchId) ?? [];
  const again = new Set(purpose === 'AGAIN' ? wanted : []);
  const result = computeQuotas(
    fund,
    scaledFromDecimal(before?.quotas ?? '0', STORED_DECIMALS)!,
    movements.map((each) => movementOf(each, again.has(each.day))),
    daysOfFund(fund, wanted, facts.moved.get(fund.branchId) ?? []),
  );
  const revisions = new Map(kept.map(({ day, revision }) => [day, revision]));
  const holdersOn = (day: Day) =>
    movements.findLast((each) => each.day <= day && each.holders !== null)?.holders ?? before?.holders ?? null;
  return {
    fund,
    kept,
    computed: result.quotas.map((quota) =>
      newQuotaOf(fund, quota, (revisions.get(quota.day) ?? 0) + 1, holdersOn(quota.day)),
    ),
    conversions: result.quotas.flatMap(({ conversions }) =>
      conversions.map(({ id, quotas }) => ({ id, quotas: scaledToDecimal(quotas, STORED_DECIMALS) })),
    ),
    problem: result.problem,
  };
}

function movementOf({ quotas, amount, fromAmount, ...movement }: MovementRow, isComputedAgain: boolean): QuotaMovement {
  return {
    ...movement,
    quotas:
      quotas === null || (fromAmount && isComputedAgain) ? undefined : scaledFromDecimal(quotas, STORED_DECIMALS)!,
    amount: amount === null ? undefined : centavosFromSql(amount),
  };
}

/** Equity at the end of each of the days: what was there before, and all that has moved up to it. */
function daysOfFund({ quotaQuantityAccountId }: Fund, days: readonly Day[], moved: readonly FundMoved[]): DayOfFund[] {
  let [equity, held, next] = [0n, 0n, 0];
  return days.map((day) => {
    for (; moved[next] && (moved[next]!.day === null || moved[next]!.day! <= day); next++) {
      equity += moved[next]!.equity;
      held += moved[next]!.held;
    }
    const heldQuotas = scaledFromDecimal(decimalOf(held < 0n ? -held : held), STORED_DECIMALS)!;
    return { day, netEquity: equity, heldQuotas: quotaQuantityAccountId === null ? undefined : heldQuotas };
  });
}

function newQuotaOf(fund: Fund, quota: ComputedQuota, revision: number, holders: number | null): NewDailyQuota {
  const { day, value, netEquity, quantity, inflow, outflow } = quota;
  const { branchId, quotaDecimals } = fund;
  return {
    fund,
    branchId,
    day,
    revision,
    quotaValue: scaledToDecimal(value * 10n ** BigInt(STORED_DECIMALS - quotaDecimals), STORED_DECIMALS),
    quotaDecimals,
    netEquity: decimalOf(netEquity),
    numberOfQuotas: scaledToDecimal(quantity, STORED_DECIMALS),
    inflow: decimalOf(inflow),
    outflow: decimalOf(outflow),
    holders,
    previousValue: null,
    dayVariation: null,
    monthVariation: null,
    yearVariation: null,
    twelveMonthsVariation: null,
  };
}

async function addVariations(sql: Sql, companyId: CompanyId, funds: readonly FundQuotas[]): Promise<FundQuotas[]> {
  const asked = funds.flatMap(({ fund, kept, computed }) => {
    const fresh = new Set(computed.map(({ day }) => day));
    const near: Point[] = [...kept.filter(({ day }) => !fresh.has(day)), ...computed];
    return computed.map((quota) => ({ fund, quota, near: near.toSorted((a, b) => (a.day < b.day ? -1 : 1)) }));
  });
  const variations = await readVariations(sql, companyId, asked);
  let next = 0;
  return funds.map((each) => ({
    ...each,
    computed: each.computed.map((quota) => ({ ...quota, ...variations[next++]! })),
  }));
}
