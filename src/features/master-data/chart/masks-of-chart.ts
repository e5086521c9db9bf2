import type { AccountMask } from '../../../accounting/account-code.ts';
import type { ChartId } from '../../../accounting/ids.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { masksToRead } from './account-mask.ts';
import { selectMasksOfChart, selectRegulatoryMasks } from './masks.read.sql.ts';

/** Masks by which the codes of the chart were written, and are to be read. */
export async function masksOfChart(sql: Sql, chartId: ChartId): Promise<readonly AccountMask[]> {
  return masksToRead(await selectMasksOfChart(sql, chartId), await selectRegulatoryMasks(sql));
}
