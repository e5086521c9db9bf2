import { type AccountMask, codeSortKey, digitsOnly, segmentsKey } from '../../../accounting/account-code.ts';
import type { AccountId, ChartId, CompanyId } from '../../../accounting/ids.ts';
import type { Day } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { type Row, SQL } from '../../../platform/database/statement.ts';
import { ACCOUNT_COLUMNS, type AccountRow, OWNER_COLUMNS, usedInBooks } from './chart.read.sql.ts';
import type { ChartOwner } from './chart-owner.ts';

export interface AccountInput {
  readonly code: string;
  /** Absent: generated on creation, kept on a change. */
  readonly shortCode?: string | undefined;
  readonly description: string;
  readonly type: 'S' | 'A';
  readonly normalBalance: 'D' | 'C' | 'M';
  readonly accountClass: string;
  /** Absent: found by the code. */
  readonly parentId?: AccountId | undefined;
  readonly contra: boolean;
  readonly cosifCode?: string | undefined;
  readonly cofiCode?: string | undefined;
  readonly estbanCode?: string | undefined;
  readonly referenceAccountId?: string | undefined;
  readonly startDate?: Day | undefined;
  readonly endDate?: Day | undefined;
  readonly active: boolean;
}

/** What the tree stores with an account. */
export interface Position {
  readonly level: number;
  readonly parentId: AccountId | null;
  /** From the root to the parent. */
  readonly ancestors: readonly AccountId[];
}

/** Serializes changes of a chart's structure; posting and reading do not wait for them. */
export function lockChart(sql: Sql, code: string): Promise<HeldChart | undefined> {
  return sql.maybe<HeldChart>(
    SQL`SELECT chart.id, chart.code, ${OWNER_COLUMNS} FROM chart WHERE chart.code = ${code} FOR NO KEY UPDATE`,
  );
}

export interface HeldChart extends ChartOwner {
  readonly id: ChartId;
  readonly code: string;
}

/** undefined when the code is taken. */
export function insertChart(sql: Sql, code: string, createdBy: number): Promise<HeldChart | undefined> {
  return sql.maybe<HeldChart>(SQL`
    INSERT INTO chart (code, created_by) VALUES (${code}, nullif(${createdBy}::bigint, 0))
    ON CONFLICT DO NOTHING RETURNING chart.id, chart.code, ${OWNER_COLUMNS}`);
}

/** Codes of all charts; they are few, and a new one is rare. */
export async function selectChartCodes(sql: Sql): Promise<string[]> {
  const rows = await sql.rows<{ code: string }>(SQL`SELECT chart.code FROM chart`);
  return rows.map((row) => row.code);
}

export async function updateChartOwner(
  sql: Sql,
  chartId: ChartId,
  { ownerCompanyId, installation, shared }: Omit<ChartOwner, 'createdBy'>,
): Promise<void> {
  await sql.run(SQL`
    UPDATE chart SET owner_company_id = ${ownerCompanyId}, installation = ${installation}, shared = ${shared}
     WHERE chart.id = ${chartId}`);
}

export async function countAccounts(sql: Sql, chartId: ChartId): Promise<number> {
  const row = await sql.one<{ count: number }>(
    SQL`SELECT count(*) AS count FROM account WHERE account.chart_id = ${chartId}`,
  );
  return row.count;
}

/** All accounts of one chart into another, empty one, with tree, codes and flags; returns how many. */
export async function copyAccounts(sql: Sql, fromId: number, toId: number): Promise<number> {
  const copied = await sql.run(SQL`
    WITH source AS MATERIALIZED (
      SELECT account.*, nextval(pg_get_serial_sequence('account', 'id')) AS new_id
        FROM account WHERE account.chart_id = ${fromId}
    ), path AS (
      SELECT source.id, array_agg(above.new_id ORDER BY step.place) AS ancestors
        FROM source
       CROSS JOIN unnest(source.ancestors) WITH ORDINALITY AS step (id, place)
        JOIN source AS above ON above.id = step.id
       GROUP BY source.id
    )
    INSERT INTO account (id, chart_id, code, short_code, description, account_type, normal_balance, account_class, level,
                         parent_id, ancestors, sort_key, segments_key, digits, contra, cosif_code, cofi_code,
                         estban_code, reference_account_id, start_date, end_date, active)
    SELECT source.new_id, ${toId}, source.code, source.short_code, source.description, source.account_type, source.normal_balance,
           source.account_class, source.level, parent.new_id, coalesce(path.ancestors, '{}'), source.sort_key,
           source.segments_key, source.digits, source.contra, source.cosif_code, source.cofi_code,
           source.estban_code, source.reference_account_id, source.start_date, source.end_date, source.active
      FROM source
      LEFT JOIN path ON path.id = source.id
      LEFT JOIN source AS parent ON parent.id = source.parent_id`);
  await sql.run(SQL`
    UPDATE chart SET next_short_code = source.next_short_code FROM chart AS source
     WHERE chart.id = ${toId} AND source.id = ${fromId}`);
  return copied;
}

/** A chart without accounts that neither options nor statements name leaves its code free. */
export async function deleteEmptyChart(sql: Sql, chartId: ChartId): Promise<void> {
  await sql.run(SQL`
    DELETE FROM chart
     WHERE chart.id = ${chartId} AND NOT EXISTS (SELECT 1 FROM account WHERE account.chart_id = ${chartId})
       AND NOT EXISTS (SELECT 1 FROM company_options WHERE company_options.chart_id = ${chartId})
       AND NOT EXISTS (SELECT 1 FROM statement WHERE statement.chart_id = ${chartId})`);
}

export interface TreeAccount {
  readonly id: AccountId;
  readonly code: string;
  readonly type: 'S' | 'A';
  readonly normalBalance: 'D' | 'C' | 'M';
  readonly accountClass: string;
  readonly level: number;
  readonly parentId: AccountId | null;
  readonly ancestors: AccountId[];
  readonly segmentsKey: string;
}

const TREE_COLUMNS = SQL`account.id, account.code, account.account_type AS type, account.normal_balance AS "normalBalance",
  account.account_class AS "accountClass", account.level,
  account.parent_id AS "parentId", account.ancestors, account.segments_key AS "segmentsKey"`;

/** The accounts at these places of the tree. */
export function selectByPlace(sql: Sql, chartId: ChartId, places: readonly string[]): Promise<TreeAccount[]> {
  return sql.rows<TreeAccount>(SQL`
    SELECT ${TREE_COLUMNS} FROM account
     WHERE account.chart_id = ${chartId} AND account.segments_key = ANY (${places}::text[])`);
}

/** Locks the account FOR UPDATE, which waits for postings in progress. */
export function lockAccount(sql: Sql, chartId: ChartId, id: AccountId): Promise<TreeAccount | undefined> {
  return sql.maybe<TreeAccount>(
    SQL`SELECT ${TREE_COLUMNS} FROM account WHERE account.chart_id = ${chartId} AND account.id = ${id} FOR UPDATE`,
  );
}

/** Why an account may not change, over all companies; the caller has locked it. */
export interface AccountUse {
  readonly entries: boolean;
  readonly baseBalances: boolean;
  readonly children: boolean;
  readonly closureSettings: boolean;
  readonly quotaConfigurations: boolean;
  readonly entryTemplates: boolean;
  readonly controlBalances: boolean;
}

export function selectAccountUse(sql: Sql, id: AccountId): Promise<AccountUse> {
  return sql.one<AccountUse>(SQL`
    SELECT EXISTS (SELECT 1 FROM account_use WHERE account_use.account_id = ${id} AND ${usedInBooks()}) AS entries,
           EXISTS (SELECT 1 FROM base_balance WHERE base_balance.account_id = ${id}) AS "baseBalances",
           EXISTS (SELECT 1 FROM account WHERE account.parent_id = ${id}) AS children,
           EXISTS (SELECT 1 FROM closure_settings
                    WHERE ${id} IN (closure_settings.credit_result_account_id,
                                 closure_settings.debit_result_account_id,
                                 closure_settings.profit_account_id, closure_settings.loss_account_id)
                       OR closure_settings.excluded_accounts @> to_jsonb(${id}::bigint)) AS "closureSettings",
           EXISTS (SELECT 1 FROM quota_configuration
                    WHERE ${id} IN (quota_configuration.net_equity_account_id,
                                 quota_configuration.quota_quantity_account_id)) AS "quotaConfigurations",
           EXISTS (SELECT 1 FROM entry_template
                    WHERE entry_template.lines @> jsonb_build_array(jsonb_build_object('accountId', ${id}::bigint))
                       OR entry_template.lines @> jsonb_build_array(jsonb_build_object('offsetAccountId',
                         ${id}::bigint))
                  ) AS "entryTemplates",
           EXISTS (SELECT 1 FROM control_balance WHERE control_balance.account_id = ${id}) AS "controlBalances"`);
}

/** Whether any branch has lines of the account or of one below it, those of archived months included. */
export async function isInBooks(sql: Sql, id: AccountId): Promise<boolean> {
  const { inBooks } = await sql.one<{ inBooks: boolean }>(SQL`
    SELECT EXISTS (
      SELECT 1 FROM account_use
       WHERE account_use.account_id IN (
               SELECT account.id FROM account
                WHERE account.chart_id = (SELECT asked.chart_id FROM account AS asked WHERE asked.id = ${id})
                  AND (account.id = ${id} OR ${id} = ANY (account.ancestors)))
         AND ${usedInBooks()}) AS "inBooks"`);
  return inBooks;
}

/** A free short code of the chart; the caller has locked the chart. */
export async function takeShortCode(sql: Sql, chartId: ChartId): Promise<string> {
  for (;;) {
    const { shortCode, taken } = await sql.one<{ shortCode: string; taken: boolean }>(SQL`
      UPDATE chart SET next_short_code = chart.next_short_code + 1 WHERE chart.id = ${chartId}
      RETURNING (chart.next_short_code - 1)::text AS "shortCode",
                EXISTS (SELECT 1 FROM account
                         WHERE account.chart_id = ${chartId}
                           AND account.short_code = (chart.next_short_code - 1)::text) AS taken`);
    if (!taken) return shortCode;
  }
}

/** Generated codes continue above the highest numeric code. */
export async function raiseShortCode(sql: Sql, chartId: ChartId, shortCode: string): Promise<void> {
  if (!/^\d{1,15}$/.test(shortCode)) return;
  await sql.run(SQL`
    UPDATE chart SET next_short_code = greatest(chart.next_short_code, ${shortCode}::bigint + 1)
     WHERE chart.id = ${chartId}`);
}

export function insertAccount(
  sql: Sql,
  chartId: ChartId,
  facts: AccountInput & { readonly shortCode: string },
  position: Position,
  masks: readonly AccountMask[],
): Promise<AccountRow> {
  const row = columnsOf(facts, position, masks);
  return sql.one<AccountRow>(SQL`
    WITH added AS (
      INSERT INTO account (chart_id, ${SQL.columns(row)}) VALUES (${chartId}, ${SQL.values(row)})
      RETURNING account.*
    )
    SELECT ${ACCOUNT_COLUMNS} FROM added AS account JOIN chart ON chart.id = account.chart_id`);
}

export function updateAccount(
  sql: Sql,
  chartId: ChartId,
  id: AccountId,
  facts: AccountInput & { readonly shortCode: string },
  position: Position,
  masks: readonly AccountMask[],
): Promise<AccountRow> {
  return sql.one<AccountRow>(SQL`
    WITH changed AS (
      UPDATE account SET ${SQL.assignments(columnsOf(facts, position, masks))}, updated_at = now()
       WHERE account.chart_id = ${chartId} AND account.id = ${id}
      RETURNING account.*
    )
    SELECT ${ACCOUNT_COLUMNS} FROM changed AS account JOIN chart ON chart.id = account.chart_id`);
}

export async function makeSummaryAccount(sql: Sql, id: AccountId): Promise<void> {
  await sql.run(SQL`UPDATE account SET account_type = 'S', updated_at = now() WHERE account.id = ${id}`);
}

/**
 * Moves the accounts below the place of a new account from the account above it to the new one, with their subtrees.
 * '-' and '.' sort before '/', so the range of the index holds them all.
 */
export async function adoptAccountsBelow(
  sql: Sql,
  chartId: ChartId,
  adopter: TreeAccount,
): Promise<readonly { readonly id: AccountId; readonly code: string }[]> {
  const moved = await sql.rows<{ id: AccountId; code: string }>(SQL`
    UPDATE account SET parent_id = ${adopter.id}, updated_at = now()
     WHERE account.chart_id = ${chartId} AND account.parent_id IS NOT DISTINCT FROM ${adopter.parentId}
       AND account.id <> ${adopter.id}
       AND account.segments_key > ${adopter.segmentsKey} AND account.segments_key < ${adopter.segmentsKey} || '/'
       AND (starts_with(account.segments_key, ${adopter.segmentsKey} || '.')
       OR starts_with(account.segments_key, ${adopter.segmentsKey} || '-'))
    RETURNING account.id, account.code`);
  if (moved.length > 0) {
    await moveSubtrees(
      sql,
      chartId,
      moved.map((row) => row.id),
      [...adopter.ancestors, adopter.id],
    );
  }
  return moved;
}

export async function setParent(sql: Sql, chartId: ChartId, id: AccountId, parentId: AccountId): Promise<void> {
  await sql.run(SQL`
    UPDATE account SET parent_id = ${parentId}, updated_at = now() WHERE account.chart_id = ${chartId}
    AND account.id = ${id}`);
}

/** Gives the accounts new ancestors, and all below them the same change. */
export async function moveSubtrees(
  sql: Sql,
  chartId: ChartId,
  ids: readonly AccountId[],
  ancestors: readonly AccountId[],
): Promise<void> {
  await sql.run(SQL`
    UPDATE account
       SET ancestors = ${ancestors}::bigint[] || account.ancestors[coalesce(array_position(account.ancestors, top.id),
                                                                  cardinality(account.ancestors) + 1):],
           updated_at = now()
      FROM unnest(${ids}::bigint[]) AS top (id)
     WHERE account.chart_id = ${chartId} AND (account.id = top.id OR top.id = ANY (account.ancestors))`);
}

/** All accounts of the chart, with locks against deletion during an import. */
export function lockTree(sql: Sql, chartId: ChartId): Promise<TreeAccount[]> {
  return sql.rows<TreeAccount>(
    SQL`SELECT ${TREE_COLUMNS} FROM account WHERE account.chart_id = ${chartId} ORDER BY account.id FOR KEY SHARE`,
  );
}

export async function nextAccountIds(sql: Sql, count: number): Promise<AccountId[]> {
  const rows = await sql.rows<{ id: AccountId }>(
    SQL`SELECT nextval(pg_get_serial_sequence('account', 'id')) AS id FROM generate_series(1, ${count})`,
  );
  return rows.map((row) => row.id);
}

export async function selectShortCodes(sql: Sql, chartId: ChartId): Promise<{ taken: string[]; next: number }> {
  return sql.one(SQL`
    SELECT chart.next_short_code AS next,
           ARRAY(SELECT account.short_code FROM account WHERE account.chart_id = ${chartId}) AS taken
      FROM chart WHERE chart.id = ${chartId}`);
}

export async function setNextShortCode(sql: Sql, chartId: ChartId, next: number): Promise<void> {
  await sql.run(SQL`UPDATE chart SET next_short_code = ${next} WHERE chart.id = ${chartId}`);
}

export interface NewAccountRow extends Omit<AccountInput, 'parentId'>, Position {
  readonly id: AccountId;
  readonly shortCode: string;
  readonly sortKey: string;
  readonly segmentsKey: string;
  readonly digits: string;
}

/** Many accounts in one statement: 4,032 of them take 0.2 s, one by one 5 s. */
export async function insertAccounts(sql: Sql, chartId: ChartId, rows: readonly NewAccountRow[]): Promise<void> {
  await sql.run(SQL`
    INSERT INTO account (chart_id, id, code, short_code, description, account_type, normal_balance, account_class, contra,
                         cosif_code, cofi_code, estban_code, start_date, end_date, active, level, parent_id,
                         ancestors, sort_key, segments_key, digits)
    SELECT ${chartId}, added.id, added.code, added."shortCode", added.description, added.type, added."normalBalance",
           added."accountClass", added.contra, added."cosifCode", added."cofiCode", added."estbanCode",
           added."startDate", added."endDate", added.active, added.level, added."parentId", added.ancestors,
           added."sortKey", added."segmentsKey", added.digits
      FROM jsonb_to_recordset(${JSON.stringify(rows)}) AS added (
           id bigint, code text, "shortCode" text, description text, type text, "normalBalance" text, "accountClass" text,
           contra boolean, "cosifCode" text, "cofiCode" text, "estbanCode" text, "startDate" date,
           "endDate" date, active boolean, level integer, "parentId" bigint, ancestors bigint[], "sortKey" text,
           "segmentsKey" text, digits text)`);
}

export async function deleteAccountRow(sql: Sql, chartId: ChartId, id: AccountId): Promise<void> {
  await sql.run(SQL`DELETE FROM account WHERE account.chart_id = ${chartId} AND account.id = ${id}`);
  const users = await sql.rows<{ companyId: CompanyId }>(SQL`
    SELECT DISTINCT account_use.company_id AS "companyId" FROM account_use WHERE account_use.account_id = ${id}`);
  for (const { companyId } of users) {
    await sql.run(SQL`
      DELETE FROM account_use WHERE account_use.company_id = ${companyId} AND account_use.account_id = ${id}`);
  }
}

function columnsOf(
  facts: AccountInput & { readonly shortCode: string },
  position: Position,
  masks: readonly AccountMask[],
): Row {
  return {
    code: facts.code,
    short_code: facts.shortCode,
    description: facts.description,
    account_type: facts.type,
    normal_balance: facts.normalBalance,
    account_class: facts.accountClass,
    contra: facts.contra,
    cosif_code: facts.cosifCode ?? null,
    cofi_code: facts.cofiCode ?? null,
    estban_code: facts.estbanCode ?? null,
    reference_account_id: facts.referenceAccountId ?? null,
    start_date: facts.startDate ?? null,
    end_date: facts.endDate ?? null,
    active: facts.active,
    level: position.level,
    parent_id: position.parentId,
    ancestors: position.ancestors,
    sort_key: codeSortKey(facts.code, masks),
    segments_key: segmentsKey(facts.code, masks),
    digits: digitsOnly(facts.code),
  };
}
