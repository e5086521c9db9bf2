import { z } from 'zod';
import { isAccountCode } from '../../accounting/account-code.ts';
import { blockingCodes } from '../../accounting/closing-checklist.ts';
import { BLOCKING_CODES } from '../../accounting/finding-code.ts';
import type { FourEyes } from '../../accounting/four-eyes.ts';
import { centavosFromDecimal } from '../../accounting/money.ts';
import { slashOf } from '../../accounting/period.ts';
import type { CompanyOptionsRow } from '../../features/master-data/companies/company-options.read.sql.ts';
import type { CompanyOptionsInput } from '../../features/master-data/companies/company-options.sql.ts';
import {
  branchCode,
  cnpj,
  codeText,
  companyCode,
  cpf,
  id,
  instant,
  isoDay,
  nameText,
  optional,
  readOnly,
  slashMonth,
  text,
} from '../../http/fields.ts';

export const chartCode = codeText(40).meta({ example: 'COSIF' });

const bookNumber = z.number().int().min(1).max(999_999_999).meta({ example: 1 });

const qualification = z
  .string()
  .regex(/^\d{3}$/, 'must be a code of three digits, such as 900 | deve ser um código de três algarismos, como 900')
  .meta({
    example: '900',
    description: 'COD_ASSIN of the federal revenue service: /regulatory/codes/COD_ASSIN lists them',
  });

const crcCertificate = z
  .string()
  .regex(
    /^[A-Z]{2}\/\d{4}\/\d{1,20}$/,
    'must be state/year/number, such as SP/2026/123456 | deve ser UF/ano/número, como SP/2026/123456',
  )
  .meta({ example: 'SP/2026/123456' });

const signatory = z.strictObject({
  name: nameText(200).meta({ example: 'Maria da Silva' }),
  cpf: optional(cpf),
  cnpj: optional(cnpj.meta({ example: null })),
  role: optional(text(200).meta({ example: 'Contadora' })),
  crc: optional(text(20).meta({ example: '1SP123456/O-0' })),
  ufCrc: optional(text(2).meta({ example: 'SP' })),
  email: optional(text(200).meta({ example: 'maria@exemplo.com.br' })),
  phone: optional(text(40).meta({ example: '1130000000' })),
  qualification: optional(qualification),
  crcCertificate: optional(crcCertificate),
  crcValidTo: optional(isoDay.meta({ example: '2027-12-31' })),
  legalResponsible: optional(z.boolean().meta({ example: true })),
});

/** Maximum number of signatories of a branch. */
const MAX_SIGNATORIES = 50;

const batchLimit = z
  .string()
  .regex(/^\d{1,13}(\.\d{2})?$/, 'must be an amount such as "100000.00" | deve ser um valor como "100000.00"')
  .transform((text) => centavosFromDecimal(text)!)
  .meta({ example: null });

const accountPrefix = text(40, 1)
  .refine(
    isAccountCode,
    'must be the beginning of account codes, such as 1.5 | deve ser o início de códigos de conta, como 1.5',
  )
  .meta({ example: '1.5' });

/** Maximum number of pairs of an institution. */
const MAX_PAIRS = 50;

const eliminationPairs = z
  .array(z.strictObject({ debit: accountPrefix, credit: accountPrefix.meta({ example: '4.5' }) }))
  .max(MAX_PAIRS)
  .meta({
    description:
      'prefixes of the accounts by which branches owe one another: they cancel in the papers of the institution (those of the head office count); absent: 1.5 against 4.5 in the layout COSIF, none in others',
  });

const fourEyesBody = z.strictObject({
  monthClose: z.boolean().default(false).meta({ example: false }),
  reopening: z.boolean().default(false).meta({ example: false }),
  archiving: z.boolean().default(false).meta({ example: false }),
  quotas: z.boolean().default(false).meta({ example: false }),
  reprocessing: z
    .boolean()
    .default(false)
    .meta({ example: false, description: 'confirmed quotas of days that are computed anew' }),
  batchLimit: optional(batchLimit).meta({ description: 'total debits above which a batch waits; absent: no limit' }),
});

export const companyOptionsBody = z.strictObject({
  id: readOnly,
  createdAt: readOnly,
  updatedAt: readOnly,
  company: companyCode,
  branch: branchCode,
  chartCode,
  baseYearMonth: slashMonth,
  accountMask: optional(text(40).meta({ example: '9.9.9.99.99.99-D' })),
  regulatoryLayout: optional(z.enum(['COSIF', 'CVM', 'NONE'])),
  planRef_uuid: optional(z.uuid().meta({ example: null })),
  fiscalYearEndMonth: optional(z.number().int().min(1).max(12).meta({ example: 12 })),
  currency: optional(
    z
      .string()
      .regex(/^[A-Z]{3}$/, 'must be three capital letters | deve ter três letras maiúsculas')
      .meta({ example: 'BRL' }),
  ),
  historyRequired: optional(z.boolean().meta({ example: false })),
  memorandumMixing: optional(z.enum(['REFUSE', 'ALLOW']).meta({ example: 'REFUSE' })),
  nextBatchNumber: optional(bookNumber),
  diaryBookNumber: optional(bookNumber),
  ledgerBookNumber: optional(bookNumber),
  signatories: optional(z.array(signatory).max(MAX_SIGNATORIES)),
  blockOn: optional(
    z
      .array(z.enum(BLOCKING_CODES))
      .max(BLOCKING_CODES.length)
      .meta({ example: ['UNBALANCED_DOCUMENTS', 'CLOSURE_SETTINGS_MISSING'] }),
  ),
  eliminationPairs: optional(eliminationPairs),
  fourEyes: optional(fourEyesBody).meta({
    description: 'what waits for the approval of a second person; absent: as before. Letting less wait waits itself',
  }),
});

/** What only the bookkeeping file (ECD) wants of a signatory is absent where nobody said it. */
const signatoryAnswer = z.object({
  name: z.string(),
  cpf: z.string().nullable(),
  role: z.string().nullable(),
  crc: z.string().nullable(),
  ufCrc: z.string().nullable(),
  email: z.string().nullable(),
  legalResponsible: z.boolean().nullable(),
  cnpj: z.string().optional(),
  phone: z.string().optional(),
  qualification: z.string().optional(),
  crcCertificate: z.string().optional(),
  crcValidTo: z.string().optional(),
});

export const companyOptionsAnswer = z.object({
  id,
  company: z.string().meta({ example: '0001' }),
  branch: z.string().meta({ example: '0001' }),
  chartCode: z.string().meta({ example: 'COSIF' }),
  baseYearMonth: z.string().meta({ example: '01/2026' }),
  accountMask: z.string().nullable().meta({ example: '9.9.9.99.99.99-D' }),
  regulatoryLayout: z.enum(['COSIF', 'CVM', 'NONE']),
  planRef_uuid: z.string().nullable().meta({ example: null }),
  fiscalYearEndMonth: z.number().int(),
  currency: z.string().meta({ example: 'BRL' }),
  historyRequired: z.boolean(),
  memorandumMixing: z.enum(['REFUSE', 'ALLOW']),
  nextBatchNumber: z.number().int().nullable(),
  diaryBookNumber: z.number().int().nullable(),
  ledgerBookNumber: z.number().int().nullable(),
  signatories: z.array(signatoryAnswer),
  blockOn: z.array(z.enum(BLOCKING_CODES)),
  /** null: those of the layout. */
  eliminationPairs: z.array(z.object({ debit: z.string(), credit: z.string() })).nullable(),
  fourEyes: z.object({
    monthClose: z.boolean(),
    reopening: z.boolean(),
    archiving: z.boolean(),
    quotas: z.boolean(),
    reprocessing: z.boolean(),
    batchLimit: z.string().nullable().meta({ example: '100000.00' }),
  }),
  createdAt: instant,
  updatedAt: instant,
});

export function companyOptionsFromWire(body: z.output<typeof companyOptionsBody>): CompanyOptionsInput {
  return {
    chart: body.chartCode,
    baseMonth: body.baseYearMonth,
    accountMask: body.accountMask || undefined,
    regulatoryLayout: body.regulatoryLayout ?? 'NONE',
    referenceChartId: body.planRef_uuid,
    fiscalYearEndMonth: body.fiscalYearEndMonth ?? 12,
    currency: body.currency ?? 'BRL',
    narrationRequired: body.historyRequired ?? false,
    memorandumMixing: body.memorandumMixing ?? 'REFUSE',
    nextBatchNumber: body.nextBatchNumber,
    diaryBookNumber: body.diaryBookNumber,
    ledgerBookNumber: body.ledgerBookNumber,
    signatories: body.signatories ?? [],
    blockOn: body.blockOn,
    eliminationPairs: body.eliminationPairs,
    fourEyes: body.fourEyes && fourEyesFromWire(body.fourEyes),
  };
}

export function companyOptionsToWire(row: CompanyOptionsRow): z.output<typeof companyOptionsAnswer> {
  return {
    id: row.id,
    company: row.company,
    branch: row.branch,
    chartCode: row.chart,
    baseYearMonth: slashOf(row.baseMonth),
    accountMask: row.accountMask,
    regulatoryLayout: row.regulatoryLayout,
    planRef_uuid: row.referenceChartId,
    fiscalYearEndMonth: row.fiscalYearEndMonth,
    currency: row.currency,
    historyRequired: row.narrationRequired,
    memorandumMixing: row.memorandumMixing,
    nextBatchNumber: row.nextBatchNumber,
    diaryBookNumber: row.diaryBookNumber,
    ledgerBookNumber: row.ledgerBookNumber,
    signatories: row.signatories.map(({ cpf, role, crc, ufCrc, email, legalResponsible, ...more }) => ({
      ...more,
      cpf: cpf ?? null,
      role: role ?? null,
      crc: crc ?? null,
      ufCrc: ufCrc ?? null,
      email: email ?? null,
      legalResponsible: legalResponsible ?? null,
    })),
    blockOn: [...blockingCodes(row.regulatoryLayout, row.blockOn)],
    eliminationPairs: row.eliminationPairs?.map(({ debit, credit }) => ({ debit, credit })) ?? null,
    fourEyes: {
      monthClose: row.fourEyes.includes('MONTH_CLOSE'),
      reopening: row.fourEyes.includes('REOPENING'),
      archiving: row.fourEyes.includes('ARCHIVING'),
      quotas: row.fourEyes.includes('QUOTA'),
      reprocessing: row.fourEyes.includes('QUOTA_REPROCESSING'),
      batchLimit: row.batchLimit,
    },
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function fourEyesFromWire(given: z.output<typeof fourEyesBody>): FourEyes {
  const kinds = [
    ...(given.monthClose ? ['MONTH_CLOSE' as const] : []),
    ...(given.reopening ? ['REOPENING' as const] : []),
    ...(given.archiving ? ['ARCHIVING' as const] : []),
    ...(given.quotas ? ['QUOTA' as const] : []),
    ...(given.reprocessing ? ['QUOTA_REPROCESSING' as const] : []),
  ];
  return { kinds, batchLimit: given.batchLimit };
}
