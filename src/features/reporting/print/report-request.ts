import type { Day, Month } from '../../../accounting/period.ts';

/** What all balance reports let choose. */
export interface BalanceSelection {
  /** Without it, the period looks as if its result had not been closed. */
  readonly considerClosing: boolean;
  readonly showZeroBalances: boolean;
  /** The deepest level printed. */
  readonly level?: number | undefined;
  readonly accountFrom?: string | undefined;
  readonly accountTo?: string | undefined;
}

export interface MonthReportRequest extends BalanceSelection {
  readonly kind: 'monthlyTrialBalance' | 'monthlyTrialCvmBalance' | 'cosifGeneralBalance';
  readonly month: Month;
}

export interface DailyTrialBalanceRequest extends BalanceSelection {
  readonly kind: 'dailyTrialBalance';
  readonly from: Day;
  readonly to: Day;
}

export type Comparative = 'PREVIOUS_MONTH' | 'PREVIOUS_YEAR_END' | 'NONE';

export interface PatrimonialRequest extends BalanceSelection {
  readonly kind: 'patrimonialBalance' | 'patrimonialCvmBalance';
  readonly month: Month;
  readonly comparative: Comparative;
}

export interface PostingListingRequest extends BalanceSelection {
  readonly kind: 'postingListing';
  readonly from: Day;
  readonly to: Day;
  readonly batch?: string | undefined;
  readonly document?: string | undefined;
  /** Id or code of an account, summary accounts standing for all below. */
  readonly account?: number | string | undefined;
  readonly orderBy: 'DATE' | 'BATCH' | 'ACCOUNT';
}

/** How a book is numbered and bound. */
export interface BookBinding {
  readonly bookNumber?: number | undefined;
  readonly firstPage: number;
  /** Between its terms; always in volumes. */
  readonly includeTerms: boolean;
  /** With it the book comes in volumes, each with terms of its own. */
  readonly pagesPerVolume?: number | undefined;
}

export interface LedgerBookRequest extends BalanceSelection, BookBinding {
  readonly kind: 'ledgerBook';
  readonly from: Day;
  readonly to: Day;
  /** Ids or codes; none stands for all. */
  readonly accounts: readonly (number | string)[];
  readonly onlyWithMovement: boolean;
}

export interface JournalRequest extends BalanceSelection, BookBinding {
  readonly kind: 'journal';
  readonly from: Day;
  readonly to: Day;
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
  readonly which: 'ABERTURA' | 'ENCERRAMENTO' | 'AMBOS';
  readonly book: 'DIARIO' | 'RAZAO' | 'BALANCETES';
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
  | PostingListingRequest
  | LedgerBookRequest
  | JournalRequest
  | BookTermsRequest;

export type ReportKind = ReportRequest['kind'];
