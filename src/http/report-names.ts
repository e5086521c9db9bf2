import type { ReportKind } from '../features/reporting/print/report-request.ts';

/** How the wire calls the kinds of report: the last part of the path that prints them. */
export const REPORT_NAMES = {
  postingListing: 'lancamentos',
  cosifGeneralBalance: 'cosifGeneralBalance',
  monthlyTrialBalance: 'monthlyTrialBalance',
  monthlyTrialCvmBalance: 'monthlyTrialCVMBalance',
  dailyTrialBalance: 'dailyTrialBalance',
  patrimonialBalance: 'patrimonialBalance',
  patrimonialCvmBalance: 'patrimonialCVMBalance',
  financialStatement: 'demonstracao',
  financialStatements: 'demonstracao',
  equityChanges: 'demonstracao',
  quotaEvolution: 'evolucaoCota',
  fundEquity: 'evolucaoPatrimonio',
  monthlyColumns: 'saldosMensais',
  ledgerBook: 'relatorioRazao',
  journal: 'relatorioDiarioGeral',
  bookTerms: 'reportTermos',
} as const satisfies Readonly<Record<ReportKind, string>>;
