import { bookTerms } from './book-terms.ts';
import { cosifGeneralBalance } from './cosif-general-balance.ts';
import { dailyTrialBalance } from './daily-trial-balance.ts';
import { equityChanges } from './equity-changes.ts';
import { financialStatement } from './financial-statement.ts';
import { fundEquity } from './fund-equity.ts';
import { journal } from './journal.ts';
import { ledgerBook } from './ledger-book.ts';
import { monthlyColumns } from './monthly-columns.ts';
import { monthlyTrialBalance } from './monthly-trial-balance.ts';
import { monthlyTrialCvmBalance } from './monthly-trial-cvm-balance.ts';
import { patrimonialBalance, patrimonialCvmBalance } from './patrimonial-balance.ts';
import { postingListing } from './posting-listing.ts';
import { quotaEvolution } from './quota-evolution.ts';
import type { ReportKind, ReportRequest } from './report-request.ts';
import type { ReportContent, ReportSource } from './report-source.ts';

/** The report of that kind. Throws where the books cannot show it. */
export function makeReport(source: ReportSource, request: ReportRequest): Promise<ReportContent> {
  const make = REPORTS[request.kind] as (source: ReportSource, request: ReportRequest) => Promise<ReportContent>;
  return make(source, request);
}

/** The requests that carry this kind. */
type RequestOf<Kind extends ReportKind, Each = ReportRequest> = Each extends { kind: infer Kinds }
  ? Kind extends Kinds
    ? Each
    : never
  : never;

const REPORTS: {
  readonly [Kind in ReportKind]: (source: ReportSource, request: RequestOf<Kind>) => Promise<ReportContent>;
} = {
  postingListing,
  cosifGeneralBalance,
  monthlyColumns,
  monthlyTrialBalance,
  monthlyTrialCvmBalance,
  dailyTrialBalance,
  patrimonialBalance,
  patrimonialCvmBalance,
  financialStatement,
  financialStatements: financialStatement,
  equityChanges,
  quotaEvolution,
  fundEquity,
  ledgerBook,
  journal,
  bookTerms,
};
