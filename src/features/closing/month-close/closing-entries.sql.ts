import type { ClosingAccount } from '../../../accounting/closing-entries.ts';
import type { AccountId, ChartId } from '../../../accounting/ids.ts';
import { type Centavos, centavosFromSql, decimalOf } from '../../../accounting/money.ts';
import { addMonths, type Day, firstDay, type Month } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { type Fragment, SQL } from '../../../platform/database/statement.ts';
import type { BranchKey } from '../../access/access.ts';
import { BOOKS_COLUMNS, type Books } from '../../master-data/companies/books.read.sql.ts';

export interface StoredClosure {
  readonly closingMonths: readonly number[];
  readonly revenueGroups: readonly string[];
  readonly expenseGroups: readonly string[];
  readonly creditResultAccountId: AccountId;
  readonly debitResultAccountId: AccountId;
  readonly profitAccountId: AccountId;
  readonly lossAccountId: AccountId;
  readonly batchNumber: string;
  readonly narrationCode: string | null;
  readonly narration: string | null;
  readonly excludeAccounts: readonly AccountId[];
  /** Last month of a fund's own year; null: the branch is no fund. */
  readonly fundYearEnd: number | null;
}

/** The last month of a fund's own year; NULL: no fund. */
function fundClosingMonth({ companyId, branchId }: BranchKey): Fragment {
  return SQL`(SELECT coalesce(${FUND_YEAR_END}, company_options.fiscal_year_end_month)
                     FROM fund_settings
                     LEFT JOIN company_options ON company_options.company_id = fund_settings.company_id
                      AND company_options.branch_id = fund_settings.branch_id
                    WHERE fund_settings.company_id = ${companyId} AND fund_settings.branch_id = ${branchId}
                      AND fund_settings.active
                    ORDER BY fund_settings.id LIMIT 1)`;
}

/** Active settings of the branch. */
export function selectClosure(sql: Sql, branch: BranchKey): Promise<StoredClosure | undefined> {
  return sql.maybe<StoredClosure>(SQL`
    SELECT closure_settings.closing_months AS "closingMonths", closure_settings.revenue_groups AS "revenueGroups",
           closure_settings.expense_groups AS "expenseGroups",
           closure_settings.credit_result_account_id AS "creditResultAccountId",
           closure_settings.debit_result_account_id AS "debitResultAccountId",
           closure_settings.profit_account_id AS "profitAccountId",
           closure_settings.loss_account_id AS "lossAccountId", closure_settings.batch_number AS "batchNumber",
           closure_settings.narration_code AS "narrationCode", closure_settings.narration,
           closure_settings.excluded_accounts AS "excludeAccounts",
           ${fundClosingMonth(branch)} AS "fundYearEnd"
      FROM closure_settings
     WHERE closure_settings.company_id = ${branch.companyId} AND closure_settings.branch_id = ${branch.branchId}
       AND closure_settings.active`);
}

/** Posting accounts of the chart with their balances before closing: opening of the month plus its lines. */
export async function selectBalancesToClose(
  sql: Sql,
  branch: BranchKey,
  chartId: ChartId,
  month: Month,
  isFirst: boolean,
): Promise<{ accounts: ClosingAccount[]; balances: Map<AccountId, Centavos> }> {
  const { balance, source } = beforeClosing(branch, chartId, month, isFirst);
  const rows = await sql.rows<{ id: AccountId; code: string; balance: string }>(
    SQL`SELECT account.id, account.code, ${balance} AS balance ${source}`,
  );
  return {
    accounts: rows.map(({ id, code }) => ({ id, code, takesEntries: true })),
    balances: new Map(rows.map(({ id, balance }) => [id, centavosFromSql(balance)])),
  };
}

/** Whether any result account has a balance before closing. */
export async function hasResultBalances(
  sql: Sql,
  branch: BranchKey,
  chartId: ChartId,
  month: Month,
  isFirst: boolean,
): Promise<boolean> {
  const { balance, source } = beforeClosing(branch, chartId, month, isFirst);
  const { found } = await sql.one<{ found: boolean }>(
    SQL`SELECT EXISTS (SELECT 1 ${source} AND account.account_class = '04' AND ${balance} <> 0) AS found`,
  );
  return found;
}

function beforeClosing({ companyId, branchId }: BranchKey, chartId: ChartId, month: Month, isFirst: boolean) {
  const [first, previous] = [firstDay(month), firstDay(addMonths(month, -1))];
  return {
    balance: SQL`(coalesce(CASE WHEN ${isFirst} THEN base_balance.balance ELSE previous.balance END, 0)
                  + coalesce(moved.net, 0))::numeric(20,2)`,
    source: SQL`
      FROM account
      LEFT JOIN base_balance ON base_balance.company_id = ${companyId} AND base_balance.branch_id = ${branchId}
       AND base_balance.account_id = account.id
      LEFT JOIN monthly_balance AS previous ON previous.company_id = ${companyId} AND previous.branch_id = ${branchId}
       AND previous.month = ${previous} AND previous.account_id = account.id
      LEFT JOIN (SELECT entry_line.account_id,
                        sum(CASE entry_line.side WHEN 'D' THEN entry_line.amount ELSE -entry_line.amount END) AS net
                   FROM entry_line
                  WHERE entry_line.company_id = ${companyId} AND entry_line.branch_id = ${branchId}
                    AND entry_line.month = ${first}
                  GROUP BY entry_line.account_id) AS moved ON moved.account_id = account.id
     WHERE account.chart_id = ${chartId} AND account.account_type = 'A'`,
  };
}

/** When a branch without active closure settings would have to close, and where its books begin. */
export interface YearEnd extends Books {
  readonly layout: 'COSIF' | 'CVM' | 'NONE';
  readonly fiscalYearEndMonth: number;
  /** Last month of a fund's own year; null: the branch is no fund. */
  readonly fundYearEnd: number | null;
}

/** Undefined: the branch has closure settings, which decide it, or no options. */
export function selectUnsettledYearEnd(sql: Sql, branch: BranchKey): Promise<YearEnd | undefined> {
  return sql.maybe<YearEnd>(SQL`
    SELECT ${BOOKS_COLUMNS},
           company_options.regulatory_layout AS layout,
           company_options.fiscal_year_end_month AS "fiscalYearEndMonth",
           ${fundClosingMonth(branch)} AS "fundYearEnd"
      FROM company_options
     WHERE company_options.company_id = ${branch.companyId} AND company_options.branch_id = ${branch.branchId}
       AND NOT EXISTS (SELECT 1 FROM closure_settings
                        WHERE closure_settings.company_id = ${branch.companyId}
                          AND closure_settings.branch_id = ${branch.branchId}
                          AND closure_settings.active)`);
}

/** The batch and document that hold the closing entries; undefined when a user's batch has the number. */
export async function insertClosingDocument(
  sql: Sql,
  branch: BranchKey,
  month: Month,
  batchNumber: string,
  by: string,
): Promise<number | undefined> {
  const batches = await sql.run(SQL`
    INSERT INTO batch (company_id, branch_id, month, number, description, closing, created_by)
    VALUES (${branch.companyId}, ${branch.branchId}, ${firstDay(month)}, ${batchNumber}, 'Encerramento de resultado',
            true, ${by})
    ON CONFLICT (company_id, branch_id, month, number) DO NOTHING`);
  if (batches === 0) return undefined;
  const row = await sql.one<{ id: number }>(SQL`
    INSERT INTO document (company_id, branch_id, month, batch_id, number, text, created_by)
    SELECT batch.company_id, batch.branch_id, batch.month, batch.id, 'ENCERRAMENTO', 'Apuração do resultado',
           batch.created_by
      FROM batch
     WHERE batch.company_id = ${branch.companyId} AND batch.branch_id = ${branch.branchId}
       AND batch.month = ${firstDay(month)} AND batch.number = ${batchNumber}
    RETURNING document.id`);
  return row.id;
}

export interface ClosingLineRow {
  readonly number: string;
  readonly sequence: number;
  readonly accountId: AccountId;
  readonly offsetAccountId: AccountId | null;
  readonly side: 'D' | 'C';
  readonly amount: Centavos;
}

/** All closing entries in one statement, marked as such. */
export async function insertClosingLines(
  sql: Sql,
  branch: BranchKey,
  month: Month,
  document: { id: number; day: Day; narration: string | null; narrationCode: string | null; by: string },
  lines: readonly ClosingLineRow[],
): Promise<void> {
  await sql.run(SQL`
    INSERT INTO entry_line (company_id, branch_id, document_id, month, day, entry_number, sequence, account_id,
                            offset_account_id, side, amount, narration, narration_code, printed_narration, closing,
                            created_by)
    SELECT ${branch.companyId}, ${branch.branchId}, ${document.id}, ${firstDay(month)}, ${document.day}, line.number,
           line.sequence, line.account_id, line.offset_account_id,
           line.side::"char", line.amount, ${document.narration}, ${document.narrationCode},
             compose_narration(standard.description, ${document.narration}), true, ${document.by}
      FROM unnest(${lines.map((line) => line.number)}::text[], ${lines.map((line) => line.sequence)}::integer[],
        ${lines.map((line) => line.accountId)}::bigint[], ${lines.map((line) => line.offsetAccountId)}::bigint[],
        ${lines.map((line) => line.side)}::text[], ${lines.map((line) => decimalOf(line.amount))}::numeric[])
           AS line (number, sequence, account_id, offset_account_id, side, amount)
      LEFT JOIN standard_narrations(${branch.companyId}, ${branch.branchId},
        ARRAY[${document.narrationCode}]) AS standard ON true`);
}

/** SQL of the last month of a fund's own year, which is kept as DD/MM; NULL when it is not given. */
export const FUND_YEAR_END = SQL`substring(fund_settings.fiscal_year_end FROM '^[0-9]{2}/([0-9]{2})$')::integer`;
