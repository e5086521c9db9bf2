import { balanceOf } from '../../../accounting/balance.ts';
import { maskedCnpj } from '../../../accounting/cnpj.ts';
import { type Centavos, decimalOf } from '../../../accounting/money.ts';
import { brazilianDate, type Day, daysBetween, monthOfDay } from '../../../accounting/period.ts';
import { reject } from '../../../accounting/problem.ts';
import { recordRef } from '../../../accounting/record-name.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import type { Tenant } from '../../access/access.ts';
import { selectListedAccounts } from '../../closing/balances/listed-accounts.read.sql.ts';
import { readDays } from '../../closing/balances/read-balances.ts';
import { type DailyQuota, selectListedQuotas } from '../../closing/quotas/daily-quotas.read.sql.ts';
import { requireBooks } from '../../master-data/companies/require-books.ts';
import { selectFiledFund } from './daily-filing.read.sql.ts';

/** A day as the securities commission publishes it; decimals in NUMERIC text. */
export interface FiledDay {
  readonly fundCnpj: string;
  readonly day: Day;
  readonly assets: string;
  /** With twelve decimals. */
  readonly quotaValue: string;
  readonly netEquity: string;
  readonly inflow: string;
  readonly outflow: string;
  readonly holders: number;
}

export interface FilingSelection {
  readonly from: Day;
  readonly to: Day;
  /** Where the movements of quotas do not say. */
  readonly holders: number | undefined;
  /** Code of the account that holds the portfolio; undefined: all assets. */
  readonly portfolio: string | undefined;
}

/** Longest span of one answer. */
const MAX_DAYS = 366;
/** Days that a problem names. */
const MAX_NAMED = 12;

/**
 * What the securities commission gets of a fund day by day: confirmed quotas that agree with the books. FILING_STALE with
 * the days that do not; FILING_HOLDERS where nobody has said how many holders there are.
 */
export async function readDailyFiling(
  sql: Sql,
  tenant: Tenant,
  { from, to, holders, portfolio }: FilingSelection,
): Promise<FiledDay[]> {
  if (from > to) reject('INVALID_DATE_RANGE', { from, to }, 'from');
  if (daysBetween(from, to) >= MAX_DAYS) reject('PERIOD_OVER_A_YEAR', {}, 'to');
  const { cnpj } =
    (await selectFiledFund(sql, tenant)) ?? reject('NOT_FOUND', recordRef('Fund settings', tenant.branch));
  const quotas = await selectListedQuotas(sql, tenant, { from, to, replaced: false, most: MAX_DAYS });
  rejectDays(
    'FILING_STALE',
    quotas.filter(({ stale }) => stale),
  );
  if (holders === undefined)
    rejectDays(
      'FILING_HOLDERS',
      quotas.filter((quota) => quota.holders === null),
    );
  const portfolioOn = await readPortfolio(
    sql,
    tenant,
    portfolio,
    quotas.map(({ day }) => day),
  );
  return quotas.map((quota) => ({
    fundCnpj: maskedCnpj(cnpj),
    day: quota.day,
    assets: decimalOf(portfolioOn.get(quota.day) ?? 0n),
    quotaValue: quota.quotaValue,
    netEquity: quota.netEquity,
    inflow: quota.inflow,
    outflow: quota.outflow,
    holders: quota.holders ?? holders!,
  }));
}

/** Balances of these days, debit-positive. */
async function readPortfolio(
  sql: Sql,
  tenant: Tenant,
  code: string | undefined,
  days: readonly Day[],
): Promise<ReadonlyMap<Day, Centavos>> {
  const { chartId } = await requireBooks(sql, tenant);
  const accounts = await selectListedAccounts(sql, chartId);
  const summed = accounts.filter((account) =>
    code === undefined ? account.type === 'A' && account.accountClass === '01' : account.code === code,
  );
  if (code !== undefined && summed.length === 0) reject('ACCOUNT_NOT_FOUND', { account: code }, 'account');
  const found = new Map<Day, Centavos>();
  for (const ofMonth of Map.groupBy(days, monthOfDay).values()) {
    for (const { day, accounts: evening } of await readDays(sql, tenant, ofMonth[0]!, ofMonth.at(-1)!)) {
      const balances = summed.map(({ id }) => evening.get(id)).filter((movement) => movement !== undefined);
      found.set(
        day,
        balances.reduce((sum, movement) => sum + balanceOf(movement), 0n),
      );
    }
  }
  return found;
}

function rejectDays(code: 'FILING_STALE' | 'FILING_HOLDERS', quotas: readonly DailyQuota[]): void {
  if (quotas.length === 0) return;
  const more = quotas.length - MAX_NAMED;
  const named = quotas.slice(0, MAX_NAMED).map(({ day }) => brazilianDate(day));
  reject(code, { days: `${named.join(', ')}${more > 0 ? ` (+${more})` : ''}` });
}
