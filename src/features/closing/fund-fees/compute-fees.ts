import type { LogicalEntry } from '../../../accounting/entry.ts';
import { administrationFee, bandParts } from '../../../accounting/fund-fee.ts';
import { type Centavos, centavosFromSql, decimalOf } from '../../../accounting/money.ts';
import { MARK_DECIMALS, performanceFee } from '../../../accounting/performance-fee.ts';
import {
  addDays,
  brazilianDate,
  type Day,
  daysBetween,
  monthNumberOf,
  monthOfDay,
} from '../../../accounting/period.ts';
import { monthProblem } from '../../../accounting/posting.ts';
import { BusinessError, reject } from '../../../accounting/problem.ts';
import { scaledToDecimal } from '../../../accounting/quota.ts';
import type { Context } from '../../../platform/context.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import type { Tenant } from '../../access/access.ts';
import { readBusinessDays } from '../../master-data/calendar/business-days.ts';
import { isDayAvailable } from '../../master-data/calendar/calendar.read.sql.ts';
import { selectMonthState } from '../../posting/months/months.read.sql.ts';
import { lockTemplate, selectTemplate } from '../../posting/templates/templates.sql.ts';
import { readFeeBase } from './fee-base.ts';
import { templateEntries } from './fee-entries.ts';
import {
  type ChargedFee,
  type FeeAccrualRow,
  type FeeOfDay,
  selectChargedFees,
  selectLastAccruals,
} from './fund-fees.read.sql.ts';
import { LONGEST_BREAK, readPerformanceState } from './performance-state.ts';

/** A fee of a day with what posts it; no entries where there is nothing to post. */
export interface ProposedFee {
  readonly fee: FeeOfDay;
  readonly entries: readonly LogicalEntry[];
  /** Text of the template. */
  readonly description: string;
}

/** What the fees of a day would be (domain: fund fees); nothing is stored. */
export function previewFees(context: Context, tenant: Tenant, day: Day): Promise<ProposedFee[]> {
  return context.snapshot((sql) => proposeFees(sql, tenant, day, 'READ'));
}

/** The fees of a day, with everything that speaks against accruing them. */
export async function proposeFees(sql: Sql, tenant: Tenant, day: Day, lock: 'LOCKED' | 'READ'): Promise<ProposedFee[]> {
  const fees = await selectChargedFees(sql, tenant, day, lock);
  if (fees.length === 0) reject('FEES_NOT_CONFIGURED', { day: brazilianDate(day) }, 'day');
  await rejectClosedDay(sql, tenant, day);
  const around = await readBusinessDays(sql, tenant, addDays(day, -LONGEST_BREAK), addDays(day, LONGEST_BREAK));
  const at = around.indexOf(day);
  if (at < 0) reject('FEE_DAY_NOT_BUSINESS', { day: brazilianDate(day) }, 'day');
  const baseDay = around[at - 1] ?? addDays(day, -1);
  const lasts = await selectLastAccruals(sql, tenant);
  const standing = fees.map((fee) => lasts.find(({ kind, day }) => kind === fee.kind && day >= fee.startDay));
  for (const last of standing) if (last) await rejectOutOfTurn(sql, tenant, last.day, day, baseDay);
  const base = await readFeeBase(sql, tenant, baseDay);
  const proposed: ProposedFee[] = [];
  for (const [index, fee] of fees.entries()) {
    const isLastOfMonth = around[at + 1] !== undefined && monthOfDay(around[at + 1]!) > monthOfDay(day);
    const found = await feeOf(sql, tenant, fee, standing[index], { day, baseDay, base, isLastOfMonth });
    proposed.push(await withEntries(sql, tenant, found, lock));
  }
  return proposed;
}

interface FeeDay {
  readonly day: Day;
  readonly baseDay: Day;
  readonly base: Centavos;
  readonly isLastOfMonth: boolean;
}

function feeOf(
  sql: Sql,
  tenant: Tenant,
  fee: ChargedFee,
  last: FeeAccrualRow | undefined,
  of: FeeDay,
): Promise<FeeOfDay> | FeeOfDay {
  return fee.kind === 'ADMINISTRATION' ? administrationOf(fee, of) : performanceOf(sql, tenant, fee, last, of);
}

/** On 252 days each business day counts as one; on 365 it counts the days since the business day before. */
function administrationOf({ bands, dayBasis, templateCode }: ChargedFee, { day, baseDay, base }: FeeDay): FeeOfDay {
  const days = dayBasis === 252 ? 1 : daysBetween(baseDay, day);
  const parts = bandParts(base, bands).map(({ band, amount }) => ({
    from: decimalOf(band.from),
    to: band.to === undefined ? null : decimalOf(band.to),
    rate: percentText(band.rate),
    base: decimalOf(amount),
  }));
  const amount = decimalOf(administrationFee(base, bands, days, dayBasis));
  const terms = { dayBasis, bands: parts };
  const figures = { mark: null, provision: null, becameDue: null };
  return { kind: 'ADMINISTRATION', day, baseDay, base: decimalOf(base), days, amount, terms, ...figures, templateCode };
}

async function performanceOf(
  sql: Sql,
  tenant: Tenant,
  fee: ChargedFee,
  last: FeeAccrualRow | undefined,
  { day, baseDay, base, isLastOfMonth }: FeeDay,
): Promise<FeeOfDay> {
  const before = await readPerformanceState(sql, tenant, fee, last, baseDay);
  const becomesDue = isLastOfMonth && fee.crystallizationMonths.includes(monthNumberOf(monthOfDay(day)));
  const { due, change, state } = performanceFee(base, before, fee.rate, becomesDue);
  return {
    kind: 'PERFORMANCE',
    day,
    baseDay,
    base: decimalOf(base),
    days: 1,
    amount: decimalOf(change),
    terms: { rate: percentText(fee.rate), benchmarkShare: percentText(fee.benchmarkShare) },
    mark: scaledToDecimal(state.mark, MARK_DECIMALS),
    provision: decimalOf(state.provision),
    becameDue: decimalOf(becomesDue ? due : 0n),
    templateCode: fee.templateCode,
  };
}

async function withEntries(sql: Sql, tenant: Tenant, fee: FeeOfDay, lock: 'LOCKED' | 'READ'): Promise<ProposedFee> {
  const { templateCode: code, day, kind } = fee;
  const template = await (lock === 'LOCKED' ? lockTemplate : selectTemplate)(sql, tenant, code);
  const amount = centavosFromSql(fee.amount);
  const name = kind === 'ADMINISTRATION' ? 'taxa de administração' : 'taxa de performance';
  const narration = `${amount < 0n ? 'Reversão' : 'Apropriação'} de ${name} de ${brazilianDate(day)}`;
  const entries = amount === 0n ? [] : templateEntries(template, { code, amount, day, narration });
  return { fee, entries, description: narration };
}

async function rejectClosedDay(sql: Sql, { companyId, branchId }: Tenant, day: Day): Promise<void> {
  const month = monthOfDay(day);
  const state = (await selectMonthState(sql, companyId, branchId, month)) ?? 'NOT_OPENED';
  const found = monthProblem(state, month, 'day');
  if (found) throw new BusinessError(found);
  if (!(await isDayAvailable(sql, companyId, branchId, month, day)))
    reject('DAY_CLOSED', { day: brazilianDate(day) }, 'day');
}

/** Days are accrued one after the other, so that none is forgotten and each stands on the one before. */
async function rejectOutOfTurn(sql: Sql, tenant: Tenant, last: Day, day: Day, baseDay: Day): Promise<void> {
  if (last === day) reject('FEE_POSTED_BEFORE', { day: brazilianDate(day) }, 'day');
  if (last > day) reject('FEE_LATER_DAY', { day: brazilianDate(day), later: brazilianDate(last) }, 'day');
  if (last === baseDay) return;
  const [missing] = await readBusinessDays(sql, tenant, addDays(last, 1), baseDay);
  reject('FEE_DAY_MISSING', { day: brazilianDate(day), missing: brazilianDate(missing ?? baseDay) }, 'day');
}

function percentText(rate: bigint): string {
  return scaledToDecimal(rate, 6);
}
