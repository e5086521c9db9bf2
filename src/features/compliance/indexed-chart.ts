import { LRUCache } from 'lru-cache';
import type { ChartId } from '../../accounting/ids.ts';
import { type ChartIndex, indexChart } from '../../accounting/rule-language/chart-index.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { masksOfChart } from '../master-data/chart/masks-of-chart.ts';
import { selectChartAccounts, selectChartStamp } from './books.read.sql.ts';

const indexed = new LRUCache<ChartId, { stamp: string; chart: ChartIndex }>({ max: 20 });

/** A chart made ready for rules; built again when one of its accounts, or the masks its codes are read by, changed. */
export async function loadIndexedChart(sql: Sql, chartId: ChartId): Promise<ChartIndex> {
  const masks = await masksOfChart(sql, chartId);
  const stamp = `${await selectChartStamp(sql, chartId)} ${JSON.stringify(masks)}`;
  const known = indexed.get(chartId);
  if (known?.stamp === stamp) return known.chart;
  const chart = indexChart(await selectChartAccounts(sql, chartId), masks);
  indexed.set(chartId, { stamp, chart });
  return chart;
}
