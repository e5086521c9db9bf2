import type { AccountId, ChartId } from '../../../../accounting/ids.ts';
import type { Sql } from '../../../../platform/database/sql.ts';
import { SQL } from '../../../../platform/database/statement.ts';

/** The accounts of a chart that name their account of the central bank. */
export function selectCosifCodes(sql: Sql, chartId: ChartId): Promise<{ id: AccountId; cosifCode: string }[]> {
  return sql.rows(SQL`
    SELECT account.id, account.cosif_code AS "cosifCode" FROM account
     WHERE account.chart_id = ${chartId} AND account.cosif_code IS NOT NULL`);
}
