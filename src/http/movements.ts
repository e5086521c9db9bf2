import { z } from 'zod';
import { dayNumberOf, monthNumberOf, yearOf } from '../accounting/period.ts';
import type { BatchRow, DocumentRow, Totals } from '../features/posting/batches/batches.read.sql.ts';
import type { EntryRow } from '../features/posting/entries/entries.read.sql.ts';
import type { EntryInput } from '../features/posting/entries/post-entry.ts';
import {
  amount,
  branchCode,
  codeText,
  companyCode,
  exactNumber,
  id,
  instant,
  moneyAnswer,
  optional,
  readOnly,
  side,
  text,
} from './fields.ts';

/** A day of the month written as text, 01 to 31. */
export const dayText = z
  .string()
  .regex(/^(0?[1-9]|[12]\d|3[01])$/, 'must be a day from 01 to 31 | deve ser um dia de 01 a 31')
  .transform(Number)
  .meta({ example: '05' });

/** Users' names are absent on what is older than they are kept. */
const stamps = {
  createdAt: instant,
  updatedAt: instant,
  createdBy: z.string().nullable(),
  updatedBy: z.string().nullable(),
};
const ignoredStamps = {
  id: readOnly,
  createdAt: readOnly,
  updatedAt: readOnly,
  createdBy: readOnly,
  updatedBy: readOnly,
};

export const batchBody = z.strictObject({
  ...ignoredStamps,
  lote: optional(codeText(10).meta({ example: '1' })),
  empresa: companyCode,
  filial: branchCode,
  ano: z.number().int().min(1900).max(9999).meta({ example: 2026 }),
  mes: z.number().int().min(1).max(12).meta({ example: 1 }),
  descricao: optional(text(200).meta({ example: 'Movimento diário' })),
});

export const batchAnswer = z.object({
  id,
  lote: z.string(),
  empresa: z.string(),
  filial: z.string(),
  ano: z.number().int(),
  mes: z.number().int(),
  descricao: z.string().nullable(),
  ...stamps,
});

export function batchToWire(row: BatchRow): z.output<typeof batchAnswer> {
  return {
    id: row.id,
    lote: row.number,
    empresa: row.company,
    filial: row.branch,
    ano: yearOf(row.month),
    mes: monthNumberOf(row.month),
    descricao: row.description,
    ...stampsOf(row),
  };
}

/** Wire names of the paths of batches, documents and entries. */
export const BATCH_FIELDS = { 'batch.month': 'mes', 'batch.number': 'lote' } as const;
export const DOCUMENT_FIELDS = {
  'document.batch': 'batchId',
  'document.day': 'diaref',
  'document.narrationCode': 'cdpadronizado',
  'document.number': 'documento',
} as const;
export const ENTRY_FIELDS = {
  'entry.account': 'contaId',
  'entry.amount': 'valor',
  'entry.day': 'day',
  'entry.document': 'documentId',
  // Its document lies in the month.
  'entry.month': 'documentId',
  'entry.narration': 'historico',
  'entry.narrationCode': 'cdhistorico',
  'entry.number': 'lancamento',
  'entry.offsetAccount': 'contrapartida',
} as const;

export const documentBody = z.strictObject({
  ...ignoredStamps,
  batchId: id,
  documento: optional(codeText(20).meta({ example: '100' })),
  diaref: optional(dayText),
  texto: optional(text(500).meta({ example: 'Aporte de cotistas' })),
  cdpadronizado: optional(text(5).meta({ example: '00010' })),
});

export const documentAnswer = z.object({
  id,
  batchId: id,
  documento: z.string(),
  diaref: z.string().nullable(),
  texto: z.string().nullable(),
  cdpadronizado: z.string().nullable(),
  ...stamps,
});

export function documentToWire(row: DocumentRow): z.output<typeof documentAnswer> {
  return {
    id: row.id,
    batchId: row.batchId,
    documento: row.number,
    diaref: row.referenceDay === null ? null : String(row.referenceDay).padStart(2, '0'),
    texto: row.text,
    cdpadronizado: row.standardNarration,
    ...stampsOf(row),
  };
}

export const entryBody = z.strictObject({
  ...ignoredStamps,
  encerramento: readOnly,
  documentId: id,
  lancamento: optional(codeText(10).meta({ example: '1' })),
  debcre: side,
  day: dayText,
  contaId: id,
  contrapartida: optional(id.meta({ example: 2 })),
  valor: amount,
  historico: optional(text(500).meta({ example: 'Aplicação de cotista' })),
  cdhistorico: optional(text(5).meta({ example: '00010' })),
});

export function entryFromWire(body: z.output<typeof entryBody>): EntryInput {
  return {
    documentId: body.documentId,
    number: body.lancamento,
    side: body.debcre,
    dayNumber: body.day,
    accountId: body.contaId,
    offsetAccountId: body.contrapartida,
    amount: body.valor,
    narration: body.historico,
    narrationCode: body.cdhistorico,
  };
}

export const entryAnswer = z.object({
  id,
  documentId: id,
  lancamento: z.string(),
  debcre: side,
  day: z.string().meta({ example: '05' }),
  contaId: id,
  contrapartida: id.nullable(),
  valor: moneyAnswer,
  historico: z.string().nullable(),
  cdhistorico: z.string().nullable(),
  encerramento: z.boolean(),
  ...stamps,
});

export function entryToWire(row: EntryRow): z.output<typeof entryAnswer> {
  return {
    id: row.id,
    documentId: row.documentId,
    lancamento: row.number,
    debcre: row.side,
    day: String(dayNumberOf(row.day)).padStart(2, '0'),
    contaId: row.accountId,
    contrapartida: row.offsetAccountId,
    valor: exactNumber(row.amount),
    historico: row.narration,
    cdhistorico: row.narrationCode,
    encerramento: row.closing,
    ...stampsOf(row),
  };
}

const sums = { totalDebit: moneyAnswer, totalCredit: moneyAnswer, difference: moneyAnswer };

export const batchSummaryAnswer = z.object({
  company: z.string(),
  branch: z.string(),
  totalBatches: z.number().int(),
  totalDocuments: z.number().int(),
  totalEntries: z.number().int(),
  logicalEntryCount: z.number().int(),
  ...sums,
});

export const documentSummaryAnswer = z.object({ batchId: id, totalDocuments: z.number().int(), ...sums });

export const entrySummaryAnswer = z.object({
  batchId: id,
  totalEntries: z.number().int(),
  logicalEntryCount: z.number().int(),
  ...sums,
  balanced: z.boolean(),
});

/** Debits, credits and debits minus credits. */
export function sumsOf({ debit, credit, difference }: Totals): z.output<z.ZodObject<typeof sums>> {
  return { totalDebit: exactNumber(debit), totalCredit: exactNumber(credit), difference: exactNumber(difference) };
}

function stampsOf(row: Pick<EntryRow, 'createdAt' | 'updatedAt' | 'createdBy' | 'updatedBy'>) {
  const { createdAt, updatedAt, createdBy, updatedBy } = row;
  return { createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString(), createdBy, updatedBy };
}
