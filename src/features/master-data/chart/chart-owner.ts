import type { CompanyId } from '../../../accounting/ids.ts';
import { reject } from '../../../accounting/problem.ts';
import type { Context } from '../../../platform/context.ts';

/** The owner of a chart: a company, the installation, or its creator until options name it. */
export interface ChartOwner {
  readonly ownerCompanyId: CompanyId | null;
  readonly installation: boolean;
  readonly shared: boolean;
  readonly createdBy: number | null;
}

type Caller = Pick<Context, 'caller' | 'scope'>;

/** Users with access to the whole owner company; for the installation's charts, administrators only. */
export function mayChangeChart({ caller, scope }: Caller, chart: ChartOwner): boolean {
  if (seesAll({ caller, scope })) return true;
  if (chart.installation) return false;
  if (chart.ownerCompanyId !== null) return scope.wholeCompanies.includes(chart.ownerCompanyId);
  return chart.createdBy === caller.id;
}

export function requireChartChange(context: Caller, chart: ChartOwner & { readonly code: string }, path: string): void {
  if (!mayChangeChart(context, chart)) reject('CHART_DENIED', { chart: chart.code }, path);
}

/** Options of the company that owns the chart name it, those of others when it is shared, or by an administrator. */
export function requireChartNaming(
  context: Caller,
  chart: ChartOwner & { readonly code: string },
  companyId: CompanyId,
): void {
  const isOwn = chart.ownerCompanyId === companyId || (isUnowned(chart) && chart.createdBy === context.caller.id);
  if (!isOwn && !chart.shared && !seesAll(context)) reject('CHART_DENIED', { chart: chart.code }, 'chart');
}

export function isUnowned({ ownerCompanyId, installation }: ChartOwner): boolean {
  return ownerCompanyId === null && !installation;
}

function seesAll({ caller, scope }: Caller): boolean {
  return caller.admin || scope.companies === '*';
}
