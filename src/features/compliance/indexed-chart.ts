import { LRUCache } from 'lru-cache';
import { type ChartIndex, indexChart } from '../../accounting/rule-language/chart-index.ts';
import type { Sql } from '../../platform/sql.ts';
import { selectChartAccounts, selectChartStamp } from './books.read.sql.ts';

const indexed = new LRUCache<number, { stamp: string; chart: ChartIndex }>({ max: 20 });

/** Charts made ready for rules, each looked up once in the life of this function: branches of one run share theirs. */
export function chartsReadBy(sql: Sql): (chartId: number) => Promise<ChartIndex> {
  const asked = new Map<number, Promise<ChartIndex>>();
  return (chartId) => {
    const chart = asked.get(chartId) ?? indexedChart(sql, chartId);
    asked.set(chartId, chart);
    return chart;
  };
}

/** Built again when one of its accounts has changed. */
export async function indexedChart(sql: Sql, chartId: number): Promise<ChartIndex> {
  const stamp = await selectChartStamp(sql, chartId);
  const known = indexed.get(chartId);
  if (known?.stamp === stamp) return known.chart;
  const chart = indexChart(await selectChartAccounts(sql, chartId));
  indexed.set(chartId, { stamp, chart });
  return chart;
}
