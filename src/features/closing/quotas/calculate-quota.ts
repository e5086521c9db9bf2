import type { AccountId } from '../../../accounting/ids.ts';
import { type Centavos, decimalOf, magnitudeOf, withoutRedundantZeros } from '../../../accounting/money.ts';
import {
  addDays,
  addMonths,
  brazilianDate,
  type Day,
  lastDay,
  type Month,
  monthOfDay,
  slashOf,
} from '../../../accounting/period.ts';
import { reject } from '../../../accounting/problem.ts';
import { quotaValue, scaledFromDecimal, scaledToDecimal } from '../../../accounting/quota.ts';
import { sectionsOf } from '../../../accounting/statement-section.ts';
import { type TrialBalance, trialBalance } from '../../../accounting/statements/trial-balance.ts';
import type { Context } from '../../../platform/context.ts';
import type { Sql, Transaction } from '../../../platform/database/sql.ts';
import type { Tenant } from '../../access/access.ts';
import { recordAudit } from '../../access/audit.sql.ts';
import { AwaitingApproval, askIfNeeded } from '../../operations/approvals/ask-approval.ts';
import { recordEvents } from '../../operations/events/record-events.sql.ts';
import { selectCurrentDay } from '../../posting/months/months.read.sql.ts';
import { lockOpenBooks } from '../../posting/months/months.sql.ts';
import { type ListedAccount, selectListedAccounts } from '../balances/listed-accounts.read.sql.ts';
import { baselineOf, readMonth } from '../balances/read-balances.ts';
import {
  type Quota,
  type QuotaSettings,
  type StoredQuota,
  selectQuantityOn,
  selectQuotaSettings,
  selectQuotas,
} from './quotas.read.sql.ts';
import { insertQuota } from './quotas.sql.ts';

/** Decimals of the stored quantity of quotas. */
const QUANTITY_DECIMALS = 12;

/** What the caller takes the quota for; what is left out is not compared. */
export interface ExpectedQuota {
  readonly day?: Day | undefined;
  /** With all decimals of the preview. */
  readonly quotaValue?: string | undefined;
}

/** The quota of the branch's current day from the last closed balances (domain: quota); nothing is stored. */
export function previewQuota(context: Context, tenant: Tenant): Promise<QuotaPreview> {
  return context.snapshot(async (sql) => {
    const quota = await computeQuota(sql, tenant);
    const [stored] = await selectQuotas(sql, tenant, 1, { from: quota.day, to: quota.day });
    const [previous] = await selectQuotas(sql, tenant, 1, { to: addDays(quota.day, -1) });
    return { quota, stored, previous };
  });
}

export interface QuotaPreview {
  readonly quota: Quota;
  /** What was confirmed for the day already. */
  readonly stored: StoredQuota | undefined;
  readonly previous: StoredQuota | undefined;
}

/**
 * Stores the same quota; confirming the same day again returns what was stored. NOT_CURRENT_DAY or QUOTA_CHANGED where it
 * is not what the caller expects, because the books or the day have moved on since he looked.
 */
export function confirmQuota(
  context: Context,
  tenant: Tenant,
  expected: ExpectedQuota = {},
): Promise<Quota | AwaitingApproval> {
  return context.transaction(async (sql) => {
    await lockOpenBooks(sql, tenant.companyId, tenant.branchId);
    const quota = await storeQuota(sql, context, tenant, expected);
    if (!(quota instanceof AwaitingApproval)) rejectUnexpected(quota, expected);
    return quota;
  });
}

function rejectUnexpected(quota: Quota, expected: ExpectedQuota): void {
  const [day, current] = [expected.day ?? quota.day, quota.day].map(brazilianDate) as [string, string];
  if (day !== current) reject('NOT_CURRENT_DAY', { day, current }, 'day');
  if (expected.quotaValue !== undefined && expected.quotaValue !== quota.quotaValue) {
    reject('QUOTA_CHANGED', { day, value: quota.quotaValue, expected: expected.quotaValue }, 'quotaValue');
  }
}

async function storeQuota(
  sql: Transaction,
  context: Context,
  tenant: Tenant,
  expected: ExpectedQuota,
): Promise<Quota | AwaitingApproval> {
  const quota = await computeQuota(sql, tenant);
  const [earlier] = await selectQuotas(sql, tenant, 1, { from: quota.day, to: quota.day });
  if (earlier === undefined) {
    rejectUnexpected(quota, expected);
    const { day, quotaValue } = quota;
    // What is approved is this quota: another day or value is rejected then, as for anybody who has not seen it.
    const request = { day, quotaValue };
    const asked = { kind: 'QUOTA', month: monthOfDay(day), request, books: async () => request } as const;
    const awaiting = await askIfNeeded(sql, context, tenant, asked);
    if (awaiting) return awaiting;
  }
  const stored = await insertQuota(sql, tenant, quota, context.caller.username);
  if (stored) {
    await recordAudit(sql, context, {
      action: 'CREATE',
      entity: 'tax_quota',
      entityId: quota.day,
      ...tenant,
      after: quota,
    });
    const { day, referenceDay, quotaValue, netEquity, numberOfQuotas } = quota;
    const data = { day, referenceDay, quotaValue, netEquity, numberOfQuotas };
    recordEvents(sql, [{ type: 'quota.confirmed', ...tenant, data }]);
    return quota;
  }
  const [confirmed] = await selectQuotas(sql, tenant, 1, { from: quota.day, to: quota.day });
  return { ...quota, ...confirmed!, ...formatQuota(confirmed!) };
}

/** Values of the response: the quota with its decimals, the quantity without redundant zeros beyond eight. */
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

async function computeQuota(sql: Sql, tenant: Tenant): Promise<Quota> {
  const settings =
    (await selectQuotaSettings(sql, tenant)) ??
    reject('QUOTA_NOT_CONFIGURED', { company: tenant.company, branch: tenant.branch });
  const { day } = (await selectCurrentDay(sql, tenant.companyId, tenant.branchId)) ?? reject('NO_OPEN_DAY');
  const month = monthOfDay(day);
  const previous = addMonths(month, -1);
  const { closed } = await baselineOf(sql, tenant, month);
  if (closed !== month && closed !== previous) reject('MONTH_NOT_CONSOLIDATED', { month: slashOf(previous) });
  const balance = await readTrialBalance(sql, tenant, closed);
  const result = balance.sectionBalance('REVENUE') + balance.sectionBalance('EXPENSE');
  const creditOf = (accountId: AccountId): Centavos =>
    -(balance.rows.find(({ account }) => account.id === accountId)?.balance ?? 0n);
  const netEquity = creditOf(settings.netEquityAccountId) - (settings.includeOpenResult ? result : 0n);
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

async function readTrialBalance(sql: Sql, tenant: Tenant, month: Month): Promise<TrialBalance<ListedAccount>> {
  const { baseline, accounts: movements } = await readMonth(sql, tenant, month);
  const accounts = await selectListedAccounts(sql, baseline.chartId);
  const facts = { accounts, movements, sectionOf: sectionsOf(accounts) };
  return trialBalance(facts, { considerClosing: true, showZeroBalances: false }, 'APART');
}

/** The quotas in circulation on that day, or the balance of the account that holds them, whichever side it is on. */
async function quantityOn(
  sql: Sql,
  tenant: Tenant,
  day: Day,
  settings: QuotaSettings,
  creditOf: (accountId: AccountId) => Centavos,
): Promise<bigint> {
  if (settings.quotaQuantityAccountId === null)
    return scaledFromDecimal(await selectQuantityOn(sql, tenant, day), QUANTITY_DECIMALS)!;
  const balance = creditOf(settings.quotaQuantityAccountId);
  return scaledFromDecimal(decimalOf(magnitudeOf(balance)), QUANTITY_DECIMALS)!;
}
