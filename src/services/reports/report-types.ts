import {
  bookTerms,
  bookTermsBody,
  dailyTrialBalance,
  dailyTrialBalanceBody,
  journal,
  journalBody,
  ledgerBook,
  ledgerBookBody,
  monthReport,
  monthReportBody,
  patrimonial,
  patrimonialBody,
  postingListing,
  postingListingBody,
} from './report-requests.ts';

/** Each report by the last segment of its path: the shape of its request and what that requests. */
export const REPORT_TYPES = {
  lancamentos: { schema: postingListingBody, asked: postingListing },
  cosifGeneralBalance: { schema: monthReportBody, asked: monthReport('cosifGeneralBalance') },
  monthlyTrialBalance: { schema: monthReportBody, asked: monthReport('monthlyTrialBalance') },
  monthlyTrialCVMBalance: { schema: monthReportBody, asked: monthReport('monthlyTrialCvmBalance') },
  dailyTrialBalance: { schema: dailyTrialBalanceBody, asked: dailyTrialBalance },
  patrimonialBalance: { schema: patrimonialBody, asked: patrimonial('patrimonialBalance') },
  patrimonialCVMBalance: { schema: patrimonialBody, asked: patrimonial('patrimonialCvmBalance') },
  relatorioRazao: { schema: ledgerBookBody, asked: ledgerBook },
  relatorioDiarioGeral: { schema: journalBody, asked: journal },
  reportTermos: { schema: bookTermsBody, asked: bookTerms },
} as const;

export type ReportType = keyof typeof REPORT_TYPES;
