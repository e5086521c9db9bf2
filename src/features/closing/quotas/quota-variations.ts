import type { CompanyId } from '../../../accounting/ids.ts';
import type { Day } from '../../../accounting/period.ts';
import { scaledFromDecimal, scaledToDecimal } from '../../../accounting/quota.ts';
import { STORED_DECIMALS, type VariationDays, variationDays, variationsOf } from '../../../accounting/quota-series.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import {
  type DailyQuota,
  type Fund,
  selectDailyQuotas,
  selectLastQuotas,
  type VariationTexts,
} from './daily-quotas.read.sql.ts';
import { updateVariations } from './daily-quotas.sql.ts';

/** A quota of a day, NUMERIC text. */
export type Point = Pick<DailyQuota, 'day' | 'quotaValue'>;

interface Asked {
  readonly fund: Fund;
  readonly quota: Point;
  /** Quotas of the days around it, in their order, that are not to be looked up. */
  readonly near: readonly Point[];
}

/** The variations of these quotas, in their order; what lies before those around it is read with one statement. */
export async function readVariations(
  sql: Sql,
  companyId: CompanyId,
  asked: readonly Asked[],
): Promise<VariationTexts[]> {
  const places = asked.map(({ fund, quota }) => ({ fund, days: variationDays(quota.day, fund.yearEnd) }));
  const lookUps = places.flatMap(({ fund: { branchId }, days }) =>
    Object.values(days as VariationDays & Record<string, Day>).map((upTo) => ({ branchId, upTo })),
  );
  const distinct = new Map(lookUps.map((each) => [`${each.branchId} ${each.upTo}`, each]));
  const found = await selectLastQuotas(sql, companyId, [...distinct.values()]);
  const stored = new Map(found.map(({ branchId, upTo, quotaValue }) => [`${branchId} ${upTo}`, quotaValue]));
  return asked.map(({ fund, quota, near }, at) => {
    const lastUpTo = (upTo: Day) =>
      scaled(near.findLast(({ day }) => day <= upTo)?.quotaValue ?? stored.get(`${fund.branchId} ${upTo}`));
    const { previous, ...variations } = variationsOf(scaled(quota.quotaValue)!, places[at]!.days, lastUpTo);
    return {
      previousValue: textOf(previous, STORED_DECIMALS),
      dayVariation: textOf(variations.day, VARIATION_DECIMALS),
      monthVariation: textOf(variations.month, VARIATION_DECIMALS),
      yearVariation: textOf(variations.year, VARIATION_DECIMALS),
      twelveMonthsVariation: textOf(variations.twelveMonths, VARIATION_DECIMALS),
    };
  });
}

/** Decimals of a variation in per cent. */
const VARIATION_DECIMALS = 8;

function scaled(value: string | undefined): bigint | undefined {
  return value === undefined ? undefined : scaledFromDecimal(value, STORED_DECIMALS);
}

function textOf(value: bigint | undefined, decimals: number): string | null {
  return value === undefined ? null : scaledToDecimal(value, decimals);
}

/** Writes anew what the quotas after a day vary by, as one before them is new or another. */
export async function refreshVariations(
  sql: Sql,
  companyId: CompanyId,
  funds: readonly Fund[],
  after: Day,
): Promise<void> {
  const later = await selectDailyQuotas(
    sql,
    companyId,
    funds.map(({ branchId }) => branchId),
    { from: after, to: AFTER_ALL_DAYS },
  );
  if (later.length === 0) return;
  const byBranch = new Map(funds.map((fund) => [fund.branchId, fund]));
  const near = Map.groupBy(later, ({ branchId }) => branchId);
  const asked = later.map((quota) => ({ fund: byBranch.get(quota.branchId)!, quota, near: near.get(quota.branchId)! }));
  const variations = await readVariations(sql, companyId, asked);
  await updateVariations(
    sql,
    companyId,
    later.map(({ branchId, day }, at) => ({ branchId, day, ...variations[at]! })),
  );
}

const AFTER_ALL_DAYS = '9999-12-31' as Day;
