import { todayInSaoPaulo } from '../../../accounting/period.ts';
import { reject } from '../../../accounting/problem.ts';
import { recordRef } from '../../../accounting/record-name.ts';
import type { Context } from '../../../platform/context.ts';
import { recordAudit } from '../../access/audit.sql.ts';
import { selectChart } from '../chart/chart.read.sql.ts';
import { lockChart } from '../chart/chart.sql.ts';
import { requireChartChange } from '../chart/chart-owner.ts';
import { lockReferenceChart, type Mapping, mapByCode } from './reference-charts.sql.ts';

/** Maps the accounts of a chart to the reference chart where the code decides it (domain: imports and bulk). */
export async function mapReferenceAccounts(
  context: Context,
  referenceChartId: string,
  chartCode: string,
): Promise<Mapping> {
  const chart =
    (await selectChart(context.sql, context.caller.id, chartCode)) ??
    reject('NOT_FOUND', recordRef('Chart', chartCode), 'chart');
  if (!chart.visible) reject('CHART_DENIED', { chart: chartCode }, 'chart');
  return context.transaction(async (sql) => {
    if (!(await lockReferenceChart(sql, referenceChartId))) {
      reject('NOT_FOUND', recordRef('Reference chart', referenceChartId));
    }
    requireChartChange(context, (await lockChart(sql, chartCode)) ?? chart, 'chart');
    const mapping = await mapByCode(sql, chart.id, referenceChartId, todayInSaoPaulo(context.now()));
    await recordAudit(sql, context, {
      action: 'UPDATE',
      entity: 'chart',
      entityId: chart.id,
      after: { referenceChartId, ...mapping },
    });
    return mapping;
  });
}
