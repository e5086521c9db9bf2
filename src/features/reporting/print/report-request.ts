import type { Day } from '../../../accounting/period.ts';
import type { SheetSelection } from '../statements/read-balance-sheet.ts';
import type { DaysSelection } from '../statements/read-daily-trial-balance.ts';
import type { EquitySelection } from '../statements/read-equity-changes.ts';
import type { FinancialStatementSelection } from '../statements/read-financial-statement.ts';
import type { FundEquitySelection } from '../statements/read-fund-equity.ts';
import type { JournalSelection } from '../statements/read-journal.ts';
import type { LedgerSelection } from '../statements/read-ledger.ts';
import type { MonthSelection } from '../statements/read-month-balances.ts';
import type { MonthlySelection } from '../statements/read-monthly-columns.ts';
import type { ListingSelection } from '../statements/read-posting-listing.ts';
import type { QuotaSpan } from '../statements/read-quota-evolution.ts';
import type { BalanceSelection } from '../statements/statement-source.ts';

export interface MonthReportRequest extends MonthSelection {
  readonly kind: 'monthlyTrialBalance' | 'monthlyTrialCvmBalance' | 'cosifGeneralBalance';
}

/** Bound as the book of trial balances where it has terms. */
export interface DailyTrialBalanceRequest extends DaysSelection, Partial<BookBinding> {
  readonly kind: 'dailyTrialBalance';
}

export interface PatrimonialRequest extends SheetSelection {
  readonly kind: 'patrimonialBalance' | 'patrimonialCvmBalance';
}

/** `financialStatements`: of so many periods side by side that the page is turned. */
export interface FinancialStatementRequest extends FinancialStatementSelection {
  readonly kind: 'financialStatement' | 'financialStatements';
  readonly showZeroBalances: boolean;
  /** The deepest level shown. */
  readonly level?: number | undefined;
}

export interface MonthlyColumnsRequest extends MonthlySelection {
  readonly kind: 'monthlyColumns';
}

export interface EquityChangesRequest extends EquitySelection {
  readonly kind: 'equityChanges';
}

export interface QuotaEvolutionRequest extends QuotaSpan {
  readonly kind: 'quotaEvolution';
}

export interface FundEquityRequest extends FundEquitySelection {
  readonly kind: 'fundEquity';
}

export interface PostingListingRequest extends ListingSelection {
  readonly kind: 'postingListing';
}

/** What may be bound with a book. */
export type AnnexRequest =
  | MonthReportRequest
  | Omit<DailyTrialBalanceRequest, keyof BookBinding>
  | PatrimonialRequest
  | FinancialStatementRequest;

/** How a book is numbered and bound. */
export interface BookBinding {
  readonly bookNumber?: number | undefined;
  readonly firstPage: number;
  /** Between its terms; always in volumes. */
  readonly includeTerms: boolean;
  /** It is being issued: it must continue the register (domain: issued books). */
  readonly registers?: boolean | undefined;
  /** Bound before the closing term, on folhas that run on and are counted in it. */
  readonly annexes?: readonly AnnexRequest[] | undefined;
  /** With it the book comes in volumes, each with terms of its own. */
  readonly pagesPerVolume?: number | undefined;
}

export interface LedgerBookRequest extends LedgerSelection, BookBinding {
  readonly kind: 'ledgerBook';
}

export interface JournalRequest extends JournalSelection, BookBinding {
  readonly kind: 'journal';
}

export interface TermSignatory {
  readonly name: string;
  readonly cpf?: string | undefined;
  readonly role?: string | undefined;
  readonly crc?: string | undefined;
  readonly ufCrc?: string | undefined;
  readonly legalResponsible?: boolean | undefined;
}

export interface BookTermsRequest {
  readonly kind: 'bookTerms';
  readonly which: 'OPENING' | 'CLOSING' | 'BOTH';
  readonly book: 'JOURNAL' | 'LEDGER' | 'TRIAL_BALANCES';
  readonly orderNumber: number;
  /** Folhas of the book, its terms and what is bound with it included. */
  readonly pages: number;
  /** Folhas bound with the book that are printed elsewhere, such as the balance sheet. */
  readonly annexedPages: number;
  readonly from: Day;
  readonly to: Day;
  /** What the book was printed with. */
  readonly selection: BalanceSelection;
  readonly nire?: string | undefined;
  readonly filingDate?: Day | undefined;
  readonly city?: string | undefined;
  readonly state?: string | undefined;
  readonly termDate?: Day | undefined;
  readonly signatories?: readonly TermSignatory[] | undefined;
}

export type ReportRequest =
  | MonthReportRequest
  | DailyTrialBalanceRequest
  | PatrimonialRequest
  | FinancialStatementRequest
  | MonthlyColumnsRequest
  | EquityChangesRequest
  | QuotaEvolutionRequest
  | FundEquityRequest
  | PostingListingRequest
  | LedgerBookRequest
  | JournalRequest
  | BookTermsRequest;

export type ReportKind = ReportRequest['kind'];
