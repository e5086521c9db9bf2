import type { AccountId, ChartId } from '../../../accounting/ids.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import type { BranchKey } from '../../access/access.ts';

/** What lists, trees and searches of a chart show. */
export interface LeanAccount {
  readonly id: AccountId;
  readonly code: string;
  readonly shortCode: string;
  readonly description: string;
  readonly type: 'S' | 'A';
  readonly normalBalance: 'D' | 'C' | 'M';
  readonly accountClass: string;
  readonly level: number;
  readonly parentId: AccountId | null;
  readonly active: boolean;
  /** Of the branch in its last three opened months, up to MAX_USES; -1: none in them, some before. */
  readonly lines: number;
}

/** More lines than these are not counted. */
export const MAX_USES = 128;

/** A chart in hierarchical order; lines are counted by the ledger index, a few for each account that was ever used. */
export function selectLeanChart(
  sql: Sql,
  chartId: ChartId,
  { companyId, branchId }: BranchKey,
): Promise<LeanAccount[]> {
  return sql.rows<LeanAccount>(SQL.named('lean-chart')`
    WITH used AS MATERIALIZED (
      SELECT account_use.account_id,
             (SELECT count(*)
                FROM (SELECT 1
                        FROM entry_line
                       WHERE entry_line.company_id = ${companyId} AND entry_line.branch_id = ${branchId}
                         AND entry_line.month = ANY (ARRAY(
                               SELECT month.month FROM month
                                WHERE month.company_id = ${companyId} AND month.branch_id = ${branchId}
                                ORDER BY month.month DESC LIMIT 3))
                         AND entry_line.account_id = account_use.account_id
                       LIMIT ${MAX_USES}) AS line) AS lines
        FROM account_use
       WHERE account_use.company_id = ${companyId} AND account_use.branch_id = ${branchId})
    SELECT account.id, account.code, account.short_code AS "shortCode", account.description,
           account.account_type AS type, account.normal_balance AS "normalBalance",
           account.account_class AS "accountClass", account.level, account.parent_id AS "parentId", account.active,
           coalesce(nullif(used.lines, 0), CASE WHEN used.lines = 0 THEN -1 ELSE 0 END) AS lines
      FROM account
      LEFT JOIN used ON used.account_id = account.id
     WHERE account.chart_id = ${chartId}
     ORDER BY account.sort_key, account.code`);
}
