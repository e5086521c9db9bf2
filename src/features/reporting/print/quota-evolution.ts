import { withoutRedundantZeros } from '../../../accounting/money.ts';
import { brazilianDate, daysBetween } from '../../../accounting/period.ts';
import { brazilian, type Plot, type TableRow } from '../../../platform/render/rows.ts';
import { readQuotaEvolution, type ShownQuota } from '../statements/read-quota-evolution.ts';
import { daysInWords, headValues } from './report-head.ts';
import type { QuotaEvolutionRequest } from './report-request.ts';
import type { ReportContent, ReportSource } from './report-source.ts';
import { chunkRows } from './table-rows.ts';

/** The quotas of a fund day by day, with what they varied by; on paper below a curve of their values. */
export async function quotaEvolution(source: ReportSource, request: QuotaEvolutionRequest): Promise<ReportContent> {
  const { entity, quotas } = await readQuotaEvolution(source, request);
  const stale = quotas.filter((each) => each.stale).map(({ day }) => brazilianDate(day));
  const head = headValues({ entity, state: 'CLOSED' }, daysInWords(request.from, request.to), source.now);
  return {
    values: { ...head, notice: stale.length === 0 ? '' : 'HÁ COTAS DESATUALIZADAS' },
    warnings: stale.length === 0 ? [] : [`ATENÇÃO: cotas que não conferem mais com os livros: ${listed(stale)}`],
    plot: plotOf(quotas),
    withoutOnPages: stale.length === 0 ? ['status'] : [],
    rows: chunkRows(quotas.length === 0 ? [WITHOUT_QUOTAS] : quotas.map(quotaRow)),
  };
}

const WITHOUT_QUOTAS: TableRow = { kind: 'note', cells: { text: 'Sem cotas confirmadas no período' } };

/** Days that a warning names. */
const MAX_NAMED = 12;

function listed(days: readonly string[]): string {
  const more = days.length - MAX_NAMED;
  return `${days.slice(0, MAX_NAMED).join(', ')}${more > 0 ? ` e mais ${more}` : ''}`;
}

function quotaRow(quota: ShownQuota): TableRow {
  return {
    kind: 'detail',
    date: quota.day,
    cells: {
      day: brazilianDate(quota.day),
      equity: quota.netEquity,
      quotas: quota.numberOfQuotas,
      inflow: quota.inflow,
      outflow: quota.outflow,
      quota: quota.quotaValue,
      status: quota.stale ? 'Desatualizada' : 'Confirmada',
      dayVariation: variation(quota.dayVariation),
      monthVariation: variation(quota.monthVariation),
      yearVariation: variation(quota.yearVariation),
      twelveMonths: variation(quota.twelveMonthsVariation),
      holders: quota.holders === null ? '' : String(quota.holders),
    },
  };
}

/** Four decimals, the rest cut off, as it was computed. */
function variation(percent: string | null): string {
  return percent === null ? '' : percent.replace(/(\.\d{4})\d*$/, '$1');
}

/** A curve needs two points. */
function plotOf(quotas: readonly ShownQuota[]): Plot | undefined {
  const [first] = quotas;
  if (first === undefined || quotas.length < 2) return undefined;
  return {
    title: 'Valor da cota (R$)',
    points: quotas.map(({ day, quotaValue }) => ({
      at: daysBetween(first.day, day),
      value: Number(quotaValue),
      label: brazilianDate(day),
      text: brazilian(withoutRedundantZeros(quotaValue)),
    })),
  };
}
