import type { EliminationPair } from '../../../accounting/eliminations.ts';
import type { BlockingCode } from '../../../accounting/finding-code.ts';
import type { FourEyes } from '../../../accounting/four-eyes.ts';
import type { BranchId, ChartId, CompanyId } from '../../../accounting/ids.ts';
import { decimalOf } from '../../../accounting/money.ts';
import { firstDay, type Month } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { type Row, SQL } from '../../../platform/database/statement.ts';
import { type CompanyOptionsRow, OPTIONS_COLUMNS, OPTIONS_JOINS, type Signatory } from './company-options.read.sql.ts';

export interface CompanyOptionsInput {
  readonly chart: string;
  readonly baseMonth: Month;
  readonly accountMask?: string | undefined;
  readonly regulatoryLayout: 'COSIF' | 'CVM' | 'NONE';
  readonly referenceChartId?: string | undefined;
  readonly fiscalYearEndMonth: number;
  readonly currency: string;
  readonly narrationRequired: boolean;
  readonly memorandumMixing: 'REFUSE' | 'ALLOW';
  readonly nextBatchNumber?: number | undefined;
  readonly diaryBookNumber?: number | undefined;
  readonly ledgerBookNumber?: number | undefined;
  readonly signatories: readonly Signatory[];
  readonly blockOn: readonly BlockingCode[] | undefined;
  /** undefined: those of the layout. */
  readonly eliminationPairs?: readonly EliminationPair[] | undefined;
  /** What waits for a second person; undefined: as before, and nothing in new options. */
  readonly fourEyes?: FourEyes | undefined;
}

export function insertOptions(
  sql: Sql,
  companyId: CompanyId,
  branchId: BranchId,
  chartId: ChartId,
  facts: CompanyOptionsInput,
): Promise<CompanyOptionsRow> {
  return sql.one<CompanyOptionsRow>(SQL`
    WITH added AS (
      INSERT INTO company_options (company_id, branch_id, ${SQL.columns(columnsOf(chartId, facts))})
      VALUES (${companyId}, ${branchId}, ${SQL.values(columnsOf(chartId, facts))})
      RETURNING company_options.*
    )
    SELECT ${OPTIONS_COLUMNS} FROM added AS company_options ${OPTIONS_JOINS}`);
}

export function updateOptions(
  sql: Sql,
  companyId: CompanyId,
  branchId: BranchId,
  chartId: ChartId,
  facts: CompanyOptionsInput,
): Promise<CompanyOptionsRow> {
  return sql.one<CompanyOptionsRow>(SQL`
    WITH changed AS (
      UPDATE company_options SET ${SQL.assignments(columnsOf(chartId, facts))}, updated_at = now()
       WHERE company_options.company_id = ${companyId} AND company_options.branch_id = ${branchId}
      RETURNING company_options.*
    )
    SELECT ${OPTIONS_COLUMNS} FROM changed AS company_options ${OPTIONS_JOINS}`);
}

export async function deleteOptionsRow(sql: Sql, companyId: CompanyId, branchId: BranchId): Promise<void> {
  await sql.run(SQL`
    DELETE FROM company_options WHERE company_options.company_id = ${companyId}
    AND company_options.branch_id = ${branchId}`);
}

/** What depends on a branch's chart and base month. The caller has locked the branch: no month opens concurrently. */
export function selectBooksOfBranch(
  sql: Sql,
  companyId: CompanyId,
  branchId: BranchId,
): Promise<{ months: boolean; baseBalances: boolean }> {
  return sql.one(SQL`
    SELECT EXISTS (SELECT 1 FROM month WHERE month.company_id = ${companyId}
    AND month.branch_id = ${branchId}) AS months,
           EXISTS (SELECT 1 FROM base_balance
                    WHERE base_balance.company_id = ${companyId}
                      AND base_balance.branch_id = ${branchId}) AS "baseBalances"`);
}

/** Codes of the chart with their stored places, to check against a mask. */
export function selectCodesOfChart(sql: Sql, chartId: ChartId): Promise<{ code: string; place: string }[]> {
  return sql.rows(SQL`
    SELECT account.code, account.segments_key AS place FROM account
     WHERE account.chart_id = ${chartId} ORDER BY account.sort_key`);
}

export async function isReferenceChart(sql: Sql, id: string): Promise<boolean> {
  const row = await sql.one<{ known: boolean }>(
    SQL`SELECT EXISTS (SELECT 1 FROM reference_chart WHERE reference_chart.id = ${id}) AS known`,
  );
  return row.known;
}

function columnsOf(chartId: ChartId, facts: CompanyOptionsInput): Row {
  return {
    chart_id: chartId,
    base_month: firstDay(facts.baseMonth),
    account_mask: facts.accountMask ?? null,
    regulatory_layout: facts.regulatoryLayout,
    reference_chart_id: facts.referenceChartId ?? null,
    fiscal_year_end_month: facts.fiscalYearEndMonth,
    currency: facts.currency,
    narration_required: facts.narrationRequired,
    next_batch_number: facts.nextBatchNumber ?? null,
    diary_book_number: facts.diaryBookNumber ?? null,
    ledger_book_number: facts.ledgerBookNumber ?? null,
    signatories: JSON.stringify(facts.signatories),
    memorandum_mixing: facts.memorandumMixing,
    block_on: facts.blockOn ?? null,
    elimination_pairs: facts.eliminationPairs === undefined ? null : JSON.stringify(facts.eliminationPairs),
    ...(facts.fourEyes && {
      four_eyes: [...new Set(facts.fourEyes.kinds)],
      batch_limit: facts.fourEyes.batchLimit === undefined ? null : decimalOf(facts.fourEyes.batchLimit),
    }),
  };
}
