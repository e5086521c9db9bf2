import type { EliminationPair } from '../../../accounting/eliminations.ts';
import type { BlockingCode } from '../../../accounting/finding-code.ts';
import type { FourEyesKind } from '../../../accounting/four-eyes.ts';
import type { BranchId, CompanyId } from '../../../accounting/ids.ts';
import type { Day } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import { assertWholeList, MAX_LISTED } from '../whole-list.ts';
import { BOOKS_COLUMNS, type Books } from './books.read.sql.ts';

export interface Signatory {
  readonly name: string;
  readonly cpf?: string | undefined;
  /** A company that signs, with a certificate of its own. */
  readonly cnpj?: string | undefined;
  readonly role?: string | undefined;
  readonly crc?: string | undefined;
  readonly ufCrc?: string | undefined;
  readonly email?: string | undefined;
  readonly phone?: string | undefined;
  /** COD_ASSIN of the federal revenue service: 900 an accountant. */
  readonly qualification?: string | undefined;
  /** The certificate of the accountant's council, UF/AAAA/number, and until when it is valid. */
  readonly crcCertificate?: string | undefined;
  readonly crcValidTo?: Day | undefined;
  readonly legalResponsible?: boolean | undefined;
}

export interface CompanyOptionsRow extends Books {
  readonly id: number;
  readonly branchId: BranchId;
  readonly company: string;
  readonly branch: string;
  readonly chart: string;
  readonly accountMask: string | null;
  readonly regulatoryLayout: 'COSIF' | 'CVM' | 'NONE';
  readonly referenceChartId: string | null;
  readonly fiscalYearEndMonth: number;
  readonly currency: string;
  readonly narrationRequired: boolean;
  readonly memorandumMixing: 'REFUSE' | 'ALLOW';
  readonly nextBatchNumber: number | null;
  readonly diaryBookNumber: number | null;
  readonly ledgerBookNumber: number | null;
  readonly signatories: readonly Signatory[];
  /** Findings of the closing checklist that stop a month close; null: those of the layout. */
  readonly blockOn: readonly BlockingCode[] | null;
  /** null: those of the layout. */
  readonly eliminationPairs: readonly EliminationPair[] | null;
  readonly fourEyes: readonly FourEyesKind[];
  /** Decimal text. */
  readonly batchLimit: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export const OPTIONS_COLUMNS = SQL`company_options.id, company_options.branch_id AS "branchId", company.code AS company,
  branch.code AS branch, ${BOOKS_COLUMNS}, chart.code AS chart, company_options.account_mask AS "accountMask",
  company_options.regulatory_layout AS "regulatoryLayout", company_options.reference_chart_id AS "referenceChartId",
  company_options.fiscal_year_end_month AS "fiscalYearEndMonth", company_options.currency,
  company_options.narration_required AS "narrationRequired", company_options.next_batch_number AS "nextBatchNumber",
  company_options.diary_book_number AS "diaryBookNumber", company_options.ledger_book_number AS "ledgerBookNumber",
  company_options.signatories, company_options.memorandum_mixing AS "memorandumMixing", company_options.block_on AS "blockOn",
  company_options.elimination_pairs AS "eliminationPairs",
  company_options.four_eyes AS "fourEyes", company_options.batch_limit::text AS "batchLimit",
  company_options.created_at AS "createdAt", company_options.updated_at AS "updatedAt"`;

export const OPTIONS_JOINS = SQL`JOIN company ON company.id = company_options.company_id
  JOIN branch ON branch.company_id = company_options.company_id AND branch.id = company_options.branch_id
  JOIN chart ON chart.id = company_options.chart_id`;

/** Options of the branches that the caller can access, of all companies or of one. */
export async function selectAllOptions(sql: Sql, companyId?: CompanyId): Promise<CompanyOptionsRow[]> {
  const rows = await sql.rows<CompanyOptionsRow>(SQL`
    SELECT ${OPTIONS_COLUMNS} FROM company_options ${OPTIONS_JOINS}
     WHERE (${companyId ?? null}::bigint IS NULL OR company_options.company_id = ${companyId ?? null})
       AND can_access(company_options.company_id, company_options.branch_id)
     ORDER BY natural_sort_key(company.code), natural_sort_key(branch.code), company_options.id
     LIMIT ${MAX_LISTED + 1}`);
  return assertWholeList(rows);
}

export function selectOptions(
  sql: Sql,
  companyId: CompanyId,
  branchId: BranchId,
): Promise<CompanyOptionsRow | undefined> {
  return sql.maybe<CompanyOptionsRow>(SQL`
    SELECT ${OPTIONS_COLUMNS} FROM company_options ${OPTIONS_JOINS}
     WHERE company_options.company_id = ${companyId} AND company_options.branch_id = ${branchId}`);
}
