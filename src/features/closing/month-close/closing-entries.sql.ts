import type { AccountClass } from '../../../accounting/balance.ts';
import type { AccountId, BranchId, CompanyId } from '../../../accounting/ids.ts';
import { type Centavos, centavosFromSql, decimalOf } from '../../../accounting/money.ts';
import { type Day, firstDay, type Month } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { type Fragment, SQL } from '../../../platform/database/statement.ts';
import type { BranchKey } from '../../access/access.ts';
import type { DocumentPlace } from '../../operations/events/event-data.ts';
import { leavesOfGroups } from '../balances/balance-rules.sql.ts';
import { selectBranchGroups } from '../balances/member-states.read.sql.ts';

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

/** The last month of the own year of a fund, whose branch a row of the statement names; NULL: no fund. */
function fundClosingMonth(place: 'closure_settings' | 'company_options', companyId: CompanyId): Fragment {
  return SQL`(SELECT coalesce(${FUND_YEAR_END}, own_options.fiscal_year_end_month)
                     FROM fund_settings
                     LEFT JOIN company_options AS own_options ON own_options.company_id = ${companyId}
                      AND own_options.branch_id = fund_settings.branch_id
                    WHERE fund_settings.company_id = ${companyId}
                      AND fund_settings.branch_id = ${SQL.identifier(`${place}.branch_id`)}
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
           ${fundClosingMonth('closure_settings', branch.companyId)} AS "fundYearEnd"
      FROM closure_settings
     WHERE closure_settings.company_id = ${branch.companyId} AND closure_settings.branch_id = ${branch.branchId}
       AND closure_settings.active`);
}

/** A posting account with its balance before closing, debit-positive. */
export interface OpenAccount {
  readonly id: AccountId;
  readonly code: string;
  readonly description: string;
  readonly accountClass: AccountClass;
  readonly balance: Centavos;
}

/** Posting accounts with a balance before closing, in the order of the chart. */
export async function selectBalancesToClose(sql: Sql, branch: BranchKey, month: Month): Promise<OpenAccount[]> {
  const groups = await selectBranchGroups(sql, branch.companyId, [branch.branchId], month);
  const rows = await sql.rows<Omit<OpenAccount, 'balance'> & { balance: string }>(SQL`
    SELECT account.id, account.code, account.description, account.account_class AS "accountClass", leaf.balance
      FROM (${leavesOfGroups(groups, month)}) AS leaf
      JOIN account ON account.id = leaf.account_id
     ORDER BY account.sort_key, account.code`);
  return rows.map((row) => ({ ...row, balance: centavosFromSql(row.balance) }));
}

/** Those of the branches where a result account has a balance. */
export async function selectBranchesWithResult(
  sql: Sql,
  companyId: CompanyId,
  branchIds: readonly BranchId[],
  month: Month,
): Promise<BranchId[]> {
  const groups = await selectBranchGroups(sql, companyId, branchIds, month);
  const rows = await sql.rows<{ branchId: BranchId }>(SQL`
    SELECT DISTINCT leaf.branch_id AS "branchId"
      FROM (${leavesOfGroups(groups, month)}) AS leaf
      JOIN account ON account.id = leaf.account_id AND account.account_class = '04'`);
  return rows.map((row) => row.branchId);
}

/** When a branch without active closure settings would have to close. */
export interface YearEnd {
  readonly branchId: BranchId;
  readonly layout: 'COSIF' | 'CVM' | 'NONE';
  readonly fiscalYearEndMonth: number;
  /** Last month of a fund's own year; null: the branch is no fund. */
  readonly fundYearEnd: number | null;
}

/** Of those of the branches that have options but no closure settings, which would decide it. */
export function selectUnsettledYearEnds(
  sql: Sql,
  companyId: CompanyId,
  branchIds: readonly BranchId[],
): Promise<YearEnd[]> {
  return sql.rows<YearEnd>(SQL`
    SELECT company_options.branch_id AS "branchId", company_options.regulatory_layout AS layout,
           company_options.fiscal_year_end_month AS "fiscalYearEndMonth",
           ${fundClosingMonth('company_options', companyId)} AS "fundYearEnd"
      FROM company_options
     WHERE company_options.company_id = ${companyId} AND company_options.branch_id = ANY (${branchIds}::bigint[])
       AND NOT EXISTS (SELECT 1 FROM closure_settings
                        WHERE closure_settings.company_id = ${companyId}
                          AND closure_settings.branch_id = company_options.branch_id
                          AND closure_settings.active)`);
}

/** Whether a user's batch has the number of the one for closing entries. */
export async function isBatchTaken(sql: Sql, branch: BranchKey, month: Month, batchNumber: string): Promise<boolean> {
  const { taken } = await sql.one<{ taken: boolean }>(SQL`
    SELECT EXISTS (SELECT 1 FROM batch
                    WHERE batch.company_id = ${branch.companyId} AND batch.branch_id = ${branch.branchId}
                      AND batch.month = ${firstDay(month)} AND batch.number = ${batchNumber}) AS taken`);
  return taken;
}

const CLOSING_DOCUMENT = 'ENCERRAMENTO';

/** The batch and document that hold the closing entries; undefined when a user's batch has the number. */
export async function insertClosingDocument(
  sql: Sql,
  branch: BranchKey,
  month: Month,
  batchNumber: string,
  by: string,
): Promise<DocumentPlace | undefined> {
  const batches = await sql.run(SQL`
    INSERT INTO batch (company_id, branch_id, month, number, description, closing, created_by)
    VALUES (${branch.companyId}, ${branch.branchId}, ${firstDay(month)}, ${batchNumber}, 'Encerramento de resultado',
            true, ${by})
    ON CONFLICT (company_id, branch_id, month, number) DO NOTHING`);
  if (batches === 0) return undefined;
  const { documentId, batchId } = await sql.one<{ documentId: number; batchId: number }>(SQL`
    INSERT INTO document (company_id, branch_id, month, batch_id, number, text, created_by)
    SELECT batch.company_id, batch.branch_id, batch.month, batch.id, ${CLOSING_DOCUMENT}, 'Apuração do resultado',
           batch.created_by
      FROM batch
     WHERE batch.company_id = ${branch.companyId} AND batch.branch_id = ${branch.branchId}
       AND batch.month = ${firstDay(month)} AND batch.number = ${batchNumber}
    RETURNING document.id AS "documentId", document.batch_id AS "batchId"`);
  return { month, batchId, batch: batchNumber, documentId, document: CLOSING_DOCUMENT };
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
        ARRAY[${document.narrationCode}]) AS standard ON true
    RETURNING entry_line.id`);
}

/** SQL of the last month of a fund's own year, which is kept as DD/MM; NULL when it is not given. */
export const FUND_YEAR_END = SQL`substring(fund_settings.fiscal_year_end FROM '^[0-9]{2}/([0-9]{2})$')::integer`;
