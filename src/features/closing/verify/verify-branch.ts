import { centavosFromSql, decimalOf } from '../../../accounting/money.ts';
import { addMonths, lastDay, monthOfDay } from '../../../accounting/period.ts';
import { quotaValue, type Rounding, scaledFromDecimal, scaledToDecimal } from '../../../accounting/quota.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import type { BranchKey } from '../../access/access.ts';
import { selectVerifiedQuotas, selectWrongBaseBalances, type VerifiedQuota } from './branch-facts.read.sql.ts';
import type { Finding } from './difference.ts';
import { verifyDailyQuotas } from './verify-daily-quotas.ts';
import { type ReadSigned, verifySealLog } from './verify-seals.ts';

/** What belongs to a branch beside its months: base balances, confirmed quotas and the log of its seals. */
export async function verifyBranch(sql: Sql, branch: BranchKey, read: ReadSigned): Promise<Finding[]> {
  const quotas = await selectVerifiedQuotas(sql, branch);
  return [
    ...(await selectWrongBaseBalances(sql, branch)),
    ...quotas.flatMap(wrongQuota),
    ...(await verifyDailyQuotas(sql, branch)),
    ...(await verifySealLog(sql, branch, read)),
  ];
}

/** Decimals of stored quotas and quantities. */
const STORED_DECIMALS = 12;
const ROUNDINGS: readonly Rounding[] = ['TRUNC', 'HALF_UP', 'HALF_EVEN'];

/** A quota is its equity over its number; one that is not stale has the equity of the closed books. */
function wrongQuota(quota: VerifiedQuota): Finding[] {
  const findings: Finding[] = [];
  const compare = (what: string, expected: readonly string[], found: string) => {
    if (expected.includes(found)) return;
    findings.push({ kind: 'QUOTA', what: `${what} of ${quota.day}`, expected: expected.join(' or '), found });
  };
  const months = [monthOfDay(quota.day), addMonths(monthOfDay(quota.day), -1)];
  compare('reference day', months.map(lastDay), quota.referenceDay);
  const quotas = scaledFromDecimal(quota.numberOfQuotas, STORED_DECIMALS) ?? 0n;
  const stored = scaledFromDecimal(quota.quotaValue, STORED_DECIMALS) ?? 0n;
  if (quotas <= 0n) compare('number of quotas', ['above zero'], quota.numberOfQuotas);
  else {
    const roundings = quota.roundingMode === null ? ROUNDINGS : [quota.roundingMode];
    const values = roundings.map((rounding) => {
      const value = quotaValue(
        centavosFromSql(quota.netEquity),
        quotas,
        quota.quotaDecimals,
        rounding,
        STORED_DECIMALS,
      );
      return value * 10n ** BigInt(STORED_DECIMALS - quota.quotaDecimals);
    });
    const texts = [...new Set(values.map((value) => scaledToDecimal(value, STORED_DECIMALS)))];
    compare('quota', texts, scaledToDecimal(stored, STORED_DECIMALS));
  }
  if (!quota.isStale && quota.equityBalance !== null) {
    compare('net equity', [decimalOf(-centavosFromSql(quota.equityBalance))], quota.netEquity);
  }
  if (quota.movedQuotas !== null) {
    const moved = scaledFromDecimal(quota.movedQuotas, STORED_DECIMALS) ?? 0n;
    compare('number of quotas', [scaledToDecimal(moved, STORED_DECIMALS)], scaledToDecimal(quotas, STORED_DECIMALS));
  }
  return findings;
}
