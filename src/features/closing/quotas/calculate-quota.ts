import { balanceOf } from '../../../accounting/balance.ts';
import { type Centavos, decimalOf, magnitudeOf, withoutRedundantZeros } from '../../../accounting/money.ts';
import { addMonths, type Day, lastDay, monthOfDay, slashOf } from '../../../accounting/period.ts';
import { reject } from '../../../accounting/problem.ts';
import { quotaValue, scaledFromDecimal, scaledToDecimal } from '../../../accounting/quota.ts';
import type { Context } from '../../../platform/context.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import type { Tenant } from '../../access/access.ts';
import { recordAudit } from '../../access/audit.sql.ts';
import { lockOpenBooks, selectCurrentDay } from '../../posting/months/months.sql.ts';
import { listMonth } from '../balances/list-balances.ts';
import { baselineOf } from '../balances/read-balances.ts';
import {
  type Quota,
  type QuotaSettings,
  selectQuantityOn,
  selectQuotaSettings,
  selectQuotas,
} from './quotas.read.sql.ts';
import { insertQuota } from './quotas.sql.ts';

/** Decimals of the quantity of quotas as it is kept. */
const QUANTITY_DECIMALS = 12;

/**
 * The quota of the branch's current day from the last closed balances (domain: quota). Confirmed, it is stored;
 * confirming the same day again answers what was stored.
 */
export async function calculateQuota(context: Context, tenant: Tenant, confirmed: boolean): Promise<Quota> {
  if (!confirmed) return context.snapshot((sql) => calculated(sql, tenant));
  return context.transaction(async (sql) => {
    await lockOpenBooks(sql, tenant.companyId, tenant.branchId);
    const quota = await calculated(sql, tenant);
    const stored = await insertQuota(sql, tenant, quota, context.caller.username);
    if (stored) {
      await recordAudit(sql, context, {
        action: 'CREATE',
        entity: 'tax_quota',
        entityId: quota.day,
        ...tenant,
        after: quota,
      });
      return quota;
    }
    const [earlier] = await selectQuotas(sql, tenant, 1, quota.day);
    return { ...quota, ...earlier!, ...formatQuota(earlier!) };
  });
}

/** Values as they are told: the quota with its decimals, the quantity without redundant zeros beyond eight. */
export function formatQuota(quota: Pick<Quota, 'quotaValue' | 'numberOfQuotas' | 'quotaDecimals'>) {
  const value = scaledFromDecimal(quota.quotaValue, 12)! / 10n ** BigInt(12 - quota.quotaDecimals);
  const decimals = Math.max(8, withoutRedundantZeros(quota.numberOfQuotas).split('.')[1]?.length ?? 0);
  const quantity =
    scaledFromDecimal(quota.numberOfQuotas, QUANTITY_DECIMALS)! / 10n ** BigInt(QUANTITY_DECIMALS - decimals);
  return {
    quotaValue: scaledToDecimal(value, quota.quotaDecimals),
    numberOfQuotas: scaledToDecimal(quantity, decimals),
  };
}

async function calculated(sql: Sql, tenant: Tenant): Promise<Quota> {
  const settings =
    (await selectQuotaSettings(sql, tenant)) ??
    reject('QUOTA_NOT_CONFIGURED', { company: tenant.company, branch: tenant.branch });
  const { day } = (await selectCurrentDay(sql, tenant.companyId, tenant.branchId)) ?? reject('NO_OPEN_DAY');
  const month = monthOfDay(day);
  const previous = addMonths(month, -1);
  const { closed } = await baselineOf(sql, tenant, month);
  if (closed !== month && closed !== previous) reject('MONTH_NOT_CONSOLIDATED', { month: slashOf(previous) });
  const balances = await listMonth(sql, tenant, closed);
  const creditOf = (chosen: (code: (typeof balances)[number]['account']) => boolean): Centavos =>
    balances.reduce((sum, each) => (chosen(each.account) ? sum - balanceOf(each.amounts) : sum), 0n);
  const equity = creditOf((account) => account.id === settings.netEquityAccountId);
  const result = settings.includeOpenResult
    ? creditOf((account) => account.accountClass === '04' && account.level === 1)
    : 0n;
  const netEquity = equity + result;
  if (netEquity <= 0n) reject('NET_EQUITY_NOT_POSITIVE', { value: decimalOf(netEquity) });
  const referenceDay = lastDay(closed);
  const quotas = await quantityOn(sql, tenant, referenceDay, settings, creditOf);
  if (quotas <= 0n) reject('NO_QUOTAS');
  const { quotaDecimals, roundingMode } = settings;
  const value = quotaValue(netEquity, quotas, quotaDecimals, roundingMode, QUANTITY_DECIMALS);
  const quota = {
    day,
    referenceDay,
    netEquityAccountId: settings.netEquityAccountId,
    includeOpenResult: settings.includeOpenResult,
    quotaValue: scaledToDecimal(value, quotaDecimals),
    netEquity: decimalOf(netEquity),
    numberOfQuotas: scaledToDecimal(quotas, QUANTITY_DECIMALS),
    quotaDecimals,
  };
  return { ...quota, ...formatQuota(quota) };
}

/** The quotas in circulation on that day, or the balance of the account that holds them, whichever side it stands on. */
async function quantityOn(
  sql: Sql,
  tenant: Tenant,
  day: Day,
  settings: QuotaSettings,
  creditOf: (chosen: (account: { id: number }) => boolean) => Centavos,
): Promise<bigint> {
  if (settings.quotaQuantityAccountId === null)
    return scaledFromDecimal(await selectQuantityOn(sql, tenant, day), QUANTITY_DECIMALS)!;
  const balance = creditOf((account) => account.id === settings.quotaQuantityAccountId);
  return scaledFromDecimal(decimalOf(magnitudeOf(balance)), QUANTITY_DECIMALS)!;
}
