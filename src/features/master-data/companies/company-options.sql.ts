import { firstDay, type Month } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
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
}

export function insertOptions(
  sql: Sql,
  companyId: number,
  branchId: number,
  chartId: number,
  facts: CompanyOptionsInput,
): Promise<CompanyOptionsRow> {
  return sql.one<CompanyOptionsRow>({
    text: `WITH added AS (
             INSERT INTO company_options (company_id, branch_id, chart_id, base_month, account_mask, regulatory_layout,
                                          reference_chart_id, fiscal_year_end_month, currency, narration_required,
                                          next_batch_number, diary_book_number, ledger_book_number, signatories,
                                          memorandum_mixing)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
             RETURNING company_options.*
           )
           SELECT ${OPTIONS_COLUMNS} FROM added AS company_options ${OPTIONS_JOINS}`,
    values: [companyId, branchId, ...optionsValues(chartId, facts)],
  });
}

export function updateOptions(
  sql: Sql,
  companyId: number,
  branchId: number,
  chartId: number,
  facts: CompanyOptionsInput,
): Promise<CompanyOptionsRow> {
  return sql.one<CompanyOptionsRow>({
    text: `WITH changed AS (
             UPDATE company_options
                SET chart_id = $3, base_month = $4, account_mask = $5, regulatory_layout = $6, reference_chart_id = $7,
                    fiscal_year_end_month = $8, currency = $9, narration_required = $10, next_batch_number = $11,
                    diary_book_number = $12, ledger_book_number = $13, signatories = $14,
                    memorandum_mixing = $15, updated_at = now()
              WHERE company_options.company_id = $1 AND company_options.branch_id = $2
             RETURNING company_options.*
           )
           SELECT ${OPTIONS_COLUMNS} FROM changed AS company_options ${OPTIONS_JOINS}`,
    values: [companyId, branchId, ...optionsValues(chartId, facts)],
  });
}

export async function deleteOptionsRow(sql: Sql, companyId: number, branchId: number): Promise<void> {
  await sql.run({
    text: 'DELETE FROM company_options WHERE company_options.company_id = $1 AND company_options.branch_id = $2',
    values: [companyId, branchId],
  });
}

/** What rests on a branch's chart and base month. The branch is held by the caller: no month is opened meanwhile. */
export function selectBooksOfBranch(
  sql: Sql,
  companyId: number,
  branchId: number,
): Promise<{ months: boolean; baseBalances: boolean }> {
  return sql.one({
    text: `SELECT EXISTS (SELECT 1 FROM month WHERE month.company_id = $1 AND month.branch_id = $2) AS months,
                  EXISTS (SELECT 1 FROM base_balance
                           WHERE base_balance.company_id = $1 AND base_balance.branch_id = $2) AS "baseBalances"`,
    values: [companyId, branchId],
  });
}

/** Codes of the chart with their stored places, to be held against a mask. */
export function selectCodesOfChart(sql: Sql, chartId: number): Promise<{ code: string; place: string }[]> {
  return sql.rows({
    text: `SELECT account.code, account.segments_key AS place FROM account
            WHERE account.chart_id = $1 ORDER BY account.sort_key`,
    values: [chartId],
  });
}

export async function isReferenceChart(sql: Sql, id: string): Promise<boolean> {
  const row = await sql.one<{ known: boolean }>({
    text: 'SELECT EXISTS (SELECT 1 FROM reference_chart WHERE reference_chart.id = $1) AS known',
    values: [id],
  });
  return row.known;
}

function optionsValues(chartId: number, facts: CompanyOptionsInput): unknown[] {
  return [
    chartId,
    firstDay(facts.baseMonth),
    facts.accountMask ?? null,
    facts.regulatoryLayout,
    facts.referenceChartId ?? null,
    facts.fiscalYearEndMonth,
    facts.currency,
    facts.narrationRequired,
    facts.nextBatchNumber ?? null,
    facts.diaryBookNumber ?? null,
    facts.ledgerBookNumber ?? null,
    JSON.stringify(facts.signatories),
    facts.memorandumMixing,
  ];
}
