import { centavosFromSql, decimalOf } from '../../../accounting/money.ts';
import { quotaValue, type Rounding, scaledFromDecimal, scaledToDecimal } from '../../../accounting/quota.ts';
import { STORED_DECIMALS } from '../../../accounting/quota-series.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import type { BranchKey } from '../../access/access.ts';
import { selectVerifiedDailyQuotas, type VerifiedDailyQuota } from './daily-quota-facts.read.sql.ts';
import type { Finding } from './difference.ts';

/** Quotas of days: their division, and that what was noted as changed since explains what the books add up to. */
export async function verifyDailyQuotas(sql: Sql, branch: BranchKey): Promise<Finding[]> {
  return (await selectVerifiedDailyQuotas(sql, branch)).flatMap(wrongQuota);
}

const ROUNDINGS: readonly Rounding[] = ['TRUNC', 'HALF_UP', 'HALF_EVEN'];

function wrongQuota(quota: VerifiedDailyQuota): Finding[] {
  const { day, quotaDecimals } = quota;
  const quotas = scaledFromDecimal(quota.numberOfQuotas, STORED_DECIMALS) ?? 0n;
  const equity = centavosFromSql(quota.netEquity);
  const values = ROUNDINGS.map(
    (rounding) =>
      quotaValue(equity, quotas, quotaDecimals, rounding, STORED_DECIMALS) *
      10n ** BigInt(STORED_DECIMALS - quotaDecimals),
  ).map((value) => scaledToDecimal(value, STORED_DECIMALS));
  const expectedEquity = decimalOf(-centavosFromSql(quota.equityBalance) - centavosFromSql(quota.equityChange));
  const moved = quota.movedQuotas === null ? undefined : scaledFromDecimal(quota.movedQuotas, STORED_DECIMALS)!;
  const changed = scaledFromDecimal(quota.quantityChange, STORED_DECIMALS) ?? 0n;
  return [
    ...difference(`quota of day ${day}`, [...new Set(values)], quota.quotaValue),
    ...difference(`net equity of day ${day}`, [expectedEquity], quota.netEquity),
    ...(moved === undefined
      ? []
      : difference(
          `number of quotas of day ${day}`,
          [scaledToDecimal(moved - changed, STORED_DECIMALS)],
          quota.numberOfQuotas,
        )),
  ];
}

function difference(what: string, expected: readonly string[], found: string): Finding[] {
  return expected.includes(found) ? [] : [{ kind: 'QUOTA', what, expected: expected.join(' or '), found }];
}
