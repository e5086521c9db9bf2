import type { AccountMask } from '../../../accounting/account-code.ts';
import type { ChartId } from '../../../accounting/ids.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import { regulatoryMask } from './account-mask.ts';

/**
 * Masks that the options of the owner's branches prescribe for its codes; those of other users of the chart apply to
 * them alone.
 */
export async function selectMasksOfChart(sql: Sql, chartId: ChartId): Promise<string[]> {
  const rows = await sql.rows<{ mask: string }>(SQL`
    SELECT DISTINCT company_options.account_mask AS mask FROM company_options
      JOIN chart ON chart.id = company_options.chart_id
     WHERE company_options.chart_id = ${chartId} AND company_options.account_mask IS NOT NULL
       AND (chart.owner_company_id IS NULL OR chart.owner_company_id = company_options.company_id)`);
  return rows.map((row) => row.mask);
}

/** The regulators' masks as this installation knows them; the longest first, so that a code is read by all of it. */
export async function selectRegulatoryMasks(sql: Sql): Promise<AccountMask[]> {
  const rows = await sql.rows<{ name: string; mask: string; separated: boolean }>(SQL.named('account-masks')`
    SELECT account_mask.name, account_mask.mask, account_mask.separated FROM account_mask
     ORDER BY length(account_mask.mask) DESC, account_mask.name`);
  return rows.flatMap(({ name, mask, separated }) => regulatoryMask(name, mask, separated) ?? []);
}

/** Class and side of a regulatory code by its first segment, where known. */
export interface AccountGroup {
  readonly name: string;
  readonly accountClass: string;
}

export function selectGroup(sql: Sql, mask: string, code: string): Promise<AccountGroup | undefined> {
  return sql.maybe<AccountGroup>(SQL`
    SELECT account_group.name, account_group.account_class AS "accountClass" FROM account_group
     WHERE account_group.mask_name = ${mask} AND account_group.code = ${code}`);
}
