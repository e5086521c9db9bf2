import type { AccountId, BranchId, ChartId } from '../../../../accounting/ids.ts';
import type { Day } from '../../../../accounting/period.ts';
import type { Sql } from '../../../../platform/database/sql.ts';
import { SQL } from '../../../../platform/database/statement.ts';

/** An account as the registers I050 and I051 show it. */
export interface EcdAccount {
  readonly id: AccountId;
  readonly code: string;
  readonly description: string;
  readonly type: 'S' | 'A';
  readonly accountClass: string;
  readonly parentId: AccountId | null;
  /** Its depth in the tree; codes skip levels. */
  readonly level: number;
  /** Since when it is as it is. */
  readonly since: Day;
  /** The account of the reference chart. */
  readonly reference: string | null;
  readonly referenceChartId: string | null;
}

/** All accounts of a chart in its order. */
export function selectEcdAccounts(sql: Sql, chartId: ChartId): Promise<EcdAccount[]> {
  return sql.rows<EcdAccount>(SQL`
    SELECT account.id, account.code, account.description, account.account_type AS type,
           account.account_class AS "accountClass", account.parent_id AS "parentId",
           1 + cardinality(account.ancestors) AS level,
           coalesce(account.start_date, (account.created_at AT TIME ZONE 'America/Sao_Paulo')::date) AS since,
           reference_account.code AS reference, reference_account.chart_id AS "referenceChartId"
      FROM account
      LEFT JOIN reference_account ON reference_account.id = account.reference_account_id
     WHERE account.chart_id = ${chartId}
     ORDER BY account.sort_key, account.code COLLATE "C"`);
}

/** A reference chart of the federal revenue service. */
export function selectReferenceCode(sql: Sql, id: string): Promise<{ readonly code: string } | undefined> {
  return sql.maybe(SQL`
    SELECT reference_chart.code FROM reference_chart WHERE reference_chart.id = ${id} AND reference_chart.institution = 'RFB'`);
}

/** Since when branches are, in São Paulo. */
export function selectBranchStarts(sql: Sql, ids: readonly BranchId[]): Promise<{ id: BranchId; since: Day }[]> {
  return sql.rows(SQL`
    SELECT branch.id, (branch.created_at AT TIME ZONE 'America/Sao_Paulo')::date AS since
      FROM branch WHERE branch.id = ANY (${ids}::bigint[])`);
}
