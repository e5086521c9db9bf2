import { z } from 'zod';
import { type AccountId, asId, type BranchId, type CompanyId } from '../../../accounting/ids.ts';
import { type Day, dayFromIso, type Month, monthFromIso } from '../../../accounting/period.ts';
import type { Problem } from '../../../accounting/problem.ts';
import type { Format } from '../../../platform/render/render-table.ts';
import { INSTITUTION, type InstitutionTenant, type ReportedTenant, type Tenant } from '../../access/access.ts';
import type { PeriodsSelection } from '../statements/read-financial-statement.ts';
import type { BalanceSelection } from '../statements/statement-source.ts';
import type { CombinedPart } from './print-combined.ts';
import type { PrintedReport, ReportOutcome } from './print-task.ts';
import type {
  AnnexRequest,
  BookBinding,
  BookTermsRequest,
  DailyTrialBalanceRequest,
  EquityChangesRequest,
  FinancialStatementRequest,
  FundEquityRequest,
  JournalRequest,
  LedgerBookRequest,
  MonthlyColumnsRequest,
  MonthReportRequest,
  PatrimonialRequest,
  PostingListingRequest,
  QuotaEvolutionRequest,
  ReportRequest,
  TermSignatory,
} from './report-request.ts';

/** What a report job prints: one report, or several of one branch or of the institution in one file. */
export type ReportOrder = {
  readonly tenant: ReportedTenant;
  readonly format: Format;
  readonly head?: boolean | undefined;
} & (
  | { readonly request: ReportRequest }
  /** `labels`: the client's names of the parts. */
  | { readonly parts: readonly CombinedPart[]; readonly labels: readonly string[] }
);

export interface PrintedJob extends PrintedReport {
  readonly bytes: number;
  /** What became of each part of a combined report. */
  readonly outcomes?: readonly ReportOutcome[];
}

/** An object of all fields of the type: a new field of the type does not compile until it is read here. */
type Shape<T> = { readonly [Field in keyof T]-?: z.ZodType<T[Field]> };
const objectOf = <T>(shape: Shape<T>) => z.object(shape);

const text = z.string().optional();
const flag = z.boolean().optional();
const whole = z.int();
const month = z.custom<Month>((value) => typeof value === 'string' && monthFromIso(value) === value);
const day = z.custom<Day>((value) => typeof value === 'string' && dayFromIso(value) === value);
const account = z.union([whole.transform(asId<AccountId>), z.string()]);

const branch = objectOf<Tenant>({
  companyId: whole.transform(asId<CompanyId>),
  company: z.string(),
  branchId: whole.transform(asId<BranchId>),
  branch: z.string(),
});

const institution = objectOf<InstitutionTenant>({
  companyId: whole.transform(asId<CompanyId>),
  company: z.string(),
  branchId: z.undefined().optional(),
  branch: z.literal(INSTITUTION),
});
const tenant = z.union([institution, branch]);

const selection: Shape<BalanceSelection> = {
  considerClosing: z.boolean(),
  showZeroBalances: z.boolean(),
  level: whole.optional(),
  accountFrom: text,
  accountTo: text,
};

const monthReport = objectOf<MonthReportRequest>({
  kind: z.enum(['monthlyTrialBalance', 'monthlyTrialCvmBalance', 'cosifGeneralBalance']),
  month,
  ...selection,
});
const days = { kind: z.literal('dailyTrialBalance'), from: day, to: day, ...selection } as const;
const patrimonial = objectOf<PatrimonialRequest>({
  kind: z.enum(['patrimonialBalance', 'patrimonialCvmBalance']),
  month,
  comparative: z.enum(['PREVIOUS_MONTH', 'PREVIOUS_YEAR_END', 'NONE']),
  ...selection,
});
const periods: Shape<PeriodsSelection> = {
  month,
  length: z.enum(['MONTH', 'SEMESTER', 'YEAR']),
  periods: whole,
  comparative: z.enum(['PREVIOUS_MONTH', 'PREVIOUS_YEAR_END', 'PREVIOUS_YEAR', 'NONE']),
  considerClosing: z.boolean(),
  definition: account.optional(),
};

const financialStatement = objectOf<FinancialStatementRequest>({
  kind: z.enum(['financialStatement', 'financialStatements']),
  type: z.enum(['BP', 'DRE']),
  ...periods,
  showZeroBalances: z.boolean(),
  level: whole.optional(),
});
const annex: z.ZodType<AnnexRequest> = z.union([monthReport, z.object(days), patrimonial, financialStatement]);

const binding: Shape<BookBinding> = {
  bookNumber: whole.optional(),
  firstPage: whole,
  includeTerms: z.boolean(),
  registers: flag,
  annexes: z.array(annex).optional(),
  pagesPerVolume: whole.optional(),
};

const signatory = objectOf<TermSignatory>({
  name: z.string(),
  cpf: text,
  role: text,
  crc: text,
  ufCrc: text,
  legalResponsible: flag,
});

const bookTerms = objectOf<BookTermsRequest>({
  kind: z.literal('bookTerms'),
  which: z.enum(['OPENING', 'CLOSING', 'BOTH']),
  book: z.enum(['JOURNAL', 'LEDGER', 'TRIAL_BALANCES']),
  orderNumber: whole,
  pages: whole,
  annexedPages: whole,
  from: day,
  to: day,
  selection: z.object(selection),
  nire: text,
  filingDate: day.optional(),
  city: text,
  state: text,
  termDate: day.optional(),
  signatories: z.array(signatory).optional(),
});

const request: z.ZodType<ReportRequest> = z.discriminatedUnion('kind', [
  monthReport,
  objectOf<DailyTrialBalanceRequest>({
    ...{ ...days, ...binding },
    firstPage: binding.firstPage.optional(),
    includeTerms: flag,
  }),
  patrimonial,
  financialStatement,
  objectOf<MonthlyColumnsRequest>({
    kind: z.literal('monthlyColumns'),
    month,
    months: whole.optional(),
    mostMonths: whole.optional(),
    accounts: z.array(account),
    figure: z.enum(['BALANCE', 'MOVEMENT']),
    ...selection,
  }),
  objectOf<EquityChangesRequest>({ kind: z.literal('equityChanges'), type: z.enum(['DLPA', 'DMPL']), ...periods }),
  objectOf<QuotaEvolutionRequest>({ kind: z.literal('quotaEvolution'), from: day, to: day }),
  objectOf<FundEquityRequest>({
    kind: z.literal('fundEquity'),
    month,
    length: periods.length,
  }),
  objectOf<PostingListingRequest>({
    kind: z.literal('postingListing'),
    from: day,
    to: day,
    batch: text,
    document: text,
    account: account.optional(),
    orderBy: z.enum(['DATE', 'BATCH', 'ACCOUNT']),
    ...selection,
  }),
  objectOf<LedgerBookRequest>({
    kind: z.literal('ledgerBook'),
    from: day,
    to: day,
    accounts: z.array(account),
    onlyWithMovement: z.boolean(),
    ...binding,
    ...selection,
  }),
  objectOf<JournalRequest>({ kind: z.literal('journal'), from: day, to: day, ...binding, ...selection }),
  bookTerms,
]);

const problem = z.custom<Problem>(
  (value) => typeof value === 'object' && value !== null && 'code' in value && 'params' in value,
);

const part = z.union([z.object({ tenant, request }), z.object({ problems: z.array(problem) })]);
const common = { tenant, format: z.enum(['PDF', 'CSV', 'TXT', 'XLSX']), head: flag };

/** Reads an order that was kept as the payload of a job. */
export const reportOrder: z.ZodType<ReportOrder> = z.union([
  z.object({ ...common, request }),
  z.object({ ...common, parts: z.array(part), labels: z.array(z.string()) }),
]);
