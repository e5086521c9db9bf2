import { centavosFromSql } from '../../../../accounting/money.ts';
import { addMonths, type Month, monthNumberOf, monthOfDay } from '../../../../accounting/period.ts';
import { isCosifChart } from '../../../../accounting/statements/default-definition.ts';
import { selectAccountsOfChart } from '../../../master-data/chart/chart.read.sql.ts';
import { masksOfChart } from '../../../master-data/chart/masks-of-chart.ts';
import { selectBaseBalances } from '../../../master-data/companies/base-balances.read.sql.ts';
import { selectOptions } from '../../../master-data/companies/company-options.read.sql.ts';
import { saveBaseBalances } from '../../../master-data/companies/save-base-balances.ts';
import { createCompanyOptions } from '../../../master-data/companies/save-company-options.ts';
import type { EcdChart, EcdSession } from './ecd-session.ts';
import { signatoriesOf } from './import-master-data.ts';

/** The months of the file that are imported; of balances alone, none. */
export function monthsOf({ contents, options }: Pick<EcdSession, 'contents' | 'options'>): readonly Month[] {
  if (isBalancesOnly({ contents, options })) return [];
  return options.months === undefined ? contents.months : contents.months.slice(0, options.months);
}

/** A book B has no entries. */
export function isBalancesOnly({ contents, options }: Pick<EcdSession, 'contents' | 'options'>): boolean {
  return options.balancesOnly || contents.form === 'B';
}

/** The month that the books begin with, if they begin with this file. */
export function firstMonthOf(session: Pick<EcdSession, 'contents' | 'options'>): Month {
  const { months } = session.contents;
  return isBalancesOnly(session) ? addMonths(months.at(-1)!, 1) : months[0]!;
}

/** Options of a branch that has none: what the file says of it. */
export async function beginBooks(
  session: EcdSession,
  chart: EcdChart,
  referenceChartId: string | undefined,
): Promise<void> {
  const { sql, context, tenant, contents, created } = session;
  const { fiscalYearEnd, orderNumber } = contents;
  const isCosif = isCosifChart(await selectAccountsOfChart(sql, chart.id), await masksOfChart(sql, chart.id));
  const signatories = signatoriesOf(contents.signatories);
  await createCompanyOptions(context, tenant, {
    ...{ chart: chart.code, baseMonth: firstMonthOf(session), regulatoryLayout: isCosif ? 'COSIF' : 'NONE' },
    ...{ referenceChartId, currency: 'BRL', narrationRequired: false, memorandumMixing: 'ALLOW', blockOn: undefined },
    fiscalYearEndMonth: fiscalYearEnd === undefined ? 12 : monthNumberOf(monthOfDay(fiscalYearEnd)),
    diaryBookNumber: /^\d{1,9}$/.test(orderNumber) && Number(orderNumber) > 0 ? Number(orderNumber) : undefined,
    signatories,
  });
  created.signatories = signatories.length;
}

/** Balances before the first month, where the books begin with it; later files go on from what is there. */
export async function importOpening(session: EcdSession, chart: EcdChart): Promise<void> {
  const { sql, context, tenant, contents, findings, created } = session;
  const { baseMonth } = (await selectOptions(sql, tenant.companyId, tenant.branchId))!;
  if (baseMonth !== firstMonthOf(session)) return;
  const isLast = isBalancesOnly(session);
  const month = contents.balances.get(isLast ? contents.months.at(-1)! : contents.months[0]!)!;
  const given = [...month].flatMap(([code, balance]) => {
    const sum = isLast ? balance.final : balance.opening;
    return sum === 0n ? [] : [{ accountId: chart.accounts.get(code)!.id, balance: sum }];
  });
  const before = new Map(
    (await selectBaseBalances(sql, tenant.companyId, tenant.branchId)).map((row) => [
      row.accountId,
      centavosFromSql(row.balance),
    ]),
  );
  if (before.size > 0) {
    const isSame = before.size === given.length && given.every((each) => before.get(each.accountId) === each.balance);
    if (!isSame) findings.own('PARTIDAS_SALDOS_INICIAIS', { register: 'I155' });
    return;
  }
  if (given.length === 0) return;
  await saveBaseBalances(context, tenant, given);
  created.openingBalances = given.length;
}
