import type { ChartId } from '../../../accounting/ids.ts';
import type { Day } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';

export interface NewReferenceAccount {
  readonly code: string;
  readonly description: string;
  readonly validFrom: Day;
  readonly validTo: Day | undefined;
  readonly orderNumber: number | undefined;
  readonly type: 'S' | 'A';
  readonly parentCode: string | undefined;
  readonly level: number;
  readonly nature: string;
}

/** Locks the chart against deletion and concurrent changes of its accounts. */
export function lockReferenceChart(sql: Sql, id: string): Promise<{ id: string; code: string } | undefined> {
  return sql.maybe(SQL`
    SELECT reference_chart.id, reference_chart.code FROM reference_chart WHERE reference_chart.id = ${id}
       FOR NO KEY UPDATE`);
}

/** Codes of the chart's accounts with their levels; a renewed account is listed once for each validity. */
export function selectReferencePlaces(sql: Sql, chartId: string): Promise<{ code: string; level: number }[]> {
  return sql.rows(SQL`
    SELECT DISTINCT reference_account.code, reference_account.level FROM reference_account
     WHERE reference_account.chart_id = ${chartId}`);
}

/** Levels of the accounts of that code. */
export async function selectReferenceLevels(sql: Sql, chartId: string, code: string): Promise<number[]> {
  const rows = await sql.rows<{ level: number }>(SQL`
    SELECT DISTINCT reference_account.level FROM reference_account
     WHERE reference_account.chart_id = ${chartId} AND reference_account.code = ${code}`);
  return rows.map((row) => row.level);
}

/** Accounts that hang under the one of that key and no other of its code. */
export async function countReferenceAccountsBelow(
  sql: Sql,
  chartId: string,
  key: string,
  code: string,
): Promise<number> {
  const row = await sql.one<{ count: number }>(SQL`
    SELECT count(*) AS count FROM reference_account
     WHERE reference_account.chart_id = ${chartId} AND reference_account.parent_code = ${code}
       AND NOT EXISTS (SELECT 1 FROM reference_account AS other
                        WHERE other.chart_id = ${chartId} AND other.code = ${code} AND other.id <> ${key})`);
  return row.count;
}

/** Many accounts in one statement, those aside that the chart has from the same day on; returns the written ones. */
export function insertReferenceAccounts(
  sql: Sql,
  chartId: string,
  accounts: readonly NewReferenceAccount[],
): Promise<{ code: string; validFrom: Day }[]> {
  return sql.rows(SQL`
    INSERT INTO reference_account (chart_id, code, description, valid_from, valid_to, order_number, account_type,
                                   parent_code, level, nature)
    SELECT ${chartId}, added.code, added.description, added."validFrom", added."validTo", added."orderNumber",
           added.type,
           added."parentCode", added.level, added.nature
      FROM jsonb_to_recordset(${JSON.stringify(accounts)}) AS added (
           code text, description text, "validFrom" date, "validTo" date, "orderNumber" integer, type text,
           "parentCode" text, level integer, nature text)
    ON CONFLICT DO NOTHING
    RETURNING reference_account.code, reference_account.valid_from AS "validFrom"`);
}

export interface Mapping {
  readonly mapped: number;
  readonly alreadyMapped: number;
  /** Posting accounts without a reference account. */
  readonly unmapped: number;
}

/**
 * Gives every posting account of the chart that has none the reference posting account in force whose code is the
 * account's regulatory code without dots and check digit, and whose class agrees: the same digits mean another account
 * in a reference chart with its own numbering.
 */
export async function mapByCode(sql: Sql, chartId: ChartId, referenceChartId: string, today: Day): Promise<Mapping> {
  const already = await countMapped(sql, chartId);
  const mapped = await sql.run(SQL`
    UPDATE account SET reference_account_id = matched.id, updated_at = now()
      FROM (SELECT DISTINCT ON (reference_account.code) reference_account.id, reference_account.code,
                   reference_account.nature
              FROM reference_account
             WHERE reference_account.chart_id = ${referenceChartId} AND reference_account.account_type = 'A'
               AND reference_account.active
               AND (reference_account.valid_to IS NULL OR reference_account.valid_to >= ${today})
             ORDER BY reference_account.code, reference_account.valid_from DESC) AS matched
     WHERE account.chart_id = ${chartId} AND account.account_type = 'A' AND account.reference_account_id IS NULL
       AND matched.code = regexp_replace(split_part(coalesce(account.cosif_code, account.code), '-', 1), '\\D', '', 'g')
       AND matched.nature = account.account_class`);
  const after = await countMapped(sql, chartId);
  return { mapped, alreadyMapped: already.mapped, unmapped: after.unmapped };
}

function countMapped(sql: Sql, chartId: ChartId): Promise<{ mapped: number; unmapped: number }> {
  return sql.one(SQL`
    SELECT count(account.reference_account_id) AS mapped,
           count(*) FILTER (WHERE account.reference_account_id IS NULL) AS unmapped
      FROM account WHERE account.chart_id = ${chartId} AND account.account_type = 'A'`);
}
