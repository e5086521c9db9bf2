import { z } from 'zod';
import type { Ordering, Storage, Totals } from '../../features/posting/batches/batches.read.sql.ts';
import type { EntryRow } from '../../features/posting/entries/entries.read.sql.ts';
import type { Config } from '../../platform/config.ts';
import type { PageRequest } from '../../platform/page-request.ts';
import {
  booleanText,
  exactNumber,
  id,
  instant,
  messageAnswer,
  moneyAnswer,
  readOnly,
  text,
  wholeText,
} from '../fields.ts';
import { pageQuery } from '../paging.ts';
import { rejectRequest } from '../request-error.ts';

// What batches, documents and entries share on the wire; both master data and movements serve them, identically.

/** A day of the month written as text, 01 to 31. */
export const dayText = z
  .string()
  .regex(/^(0?[1-9]|[12]\d|3[01])$/, 'must be a day from 01 to 31 | deve ser um dia de 01 a 31')
  .transform(Number)
  .meta({ example: '05' });

/** User names are absent on records older than their recording. */
export const stamps = {
  createdAt: instant,
  updatedAt: instant,
  createdBy: z.string().nullable(),
  updatedBy: z.string().nullable(),
};

/** Absent where no import made the record. */
export const importStamp = {
  importId: id.optional().meta({ example: 1, description: 'The import that made it' }),
};

export const ignoredStamps = {
  id: readOnly,
  createdAt: readOnly,
  updatedAt: readOnly,
  createdBy: readOnly,
  updatedBy: readOnly,
};

export const sums = { totalDebit: moneyAnswer, totalCredit: moneyAnswer, difference: moneyAnswer };

/** Debits, credits and debits minus credits. */
export function sumsOf({ debit, credit, difference }: Totals): z.output<z.ZodObject<typeof sums>> {
  return { totalDebit: exactNumber(debit), totalCredit: exactNumber(credit), difference: exactNumber(difference) };
}

/** What lists of batches and documents show beside the records, where they are asked for it. */
export const totalsQuery = {
  totais: booleanText.optional().meta({ description: 'true: each with its counts and sums' }),
};

/** Conditions of such lists. */
export const textQuery = text(100, 1)
  .optional()
  .meta({ example: 'folha', description: 'Part of number or text, in any case, with or without accents' });

export const totalsAnswer = {
  totalEntries: z.number().int().optional().meta({ description: 'Lines; these fields with totais=true' }),
  logicalEntryCount: z.number().int().optional(),
  totalDebit: moneyAnswer.optional(),
  totalCredit: moneyAnswer.optional(),
  difference: moneyAnswer.optional(),
};

export function totalsToWire(totals: Totals | undefined) {
  if (totals === undefined) return {};
  return { totalEntries: totals.lines, logicalEntryCount: totals.entries, ...sumsOf(totals) };
}

export function stampsOf(row: Pick<EntryRow, 'createdAt' | 'updatedAt' | 'createdBy' | 'updatedBy'>) {
  const { createdAt, updatedAt, createdBy, updatedBy } = row;
  return { createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString(), createdBy, updatedBy };
}

export function importStampOf({ importId }: Pick<EntryRow, 'importId'>): { importId?: number } {
  return importId === null ? {} : { importId };
}

export const movementsPage = {
  page: pageQuery(1).page,
  size: wholeText(1, 1_000).optional().meta({ type: 'integer', description: 'When absent: MOVEMENTS_PAGE_SIZE (100)' }),
};

export const history = booleanText
  .optional()
  .meta({ description: 'true: reads what archiving has moved to the archive' });

export const fromArchive = z.strictObject({ history });

export const deleted = messageAnswer;

/** Maximum number of records that one request deletes. */
const MAX_DELETED = 1_000;

const idList = z.array(id).min(1).max(MAX_DELETED);

export const deleteBody = z
  .union([z.strictObject({ ids: idList }).meta({ title: 'Ids' }), idList])
  .transform((body) => ({
    ids: [...new Set(Array.isArray(body) ? body : body.ids)],
  }));

/** `history=true` reads the archive. */
export function batchRecord({ history }: { history?: boolean | undefined }) {
  return history ? 'archivedBatch' : 'batch';
}

export function documentRecord({ history }: { history?: boolean | undefined }) {
  return history ? 'archivedDocument' : 'document';
}

export function storageOf({ history }: { history?: boolean | undefined }): Storage {
  return history ? 'ARCHIVED' : 'LIVE';
}

/** 'field,asc' over a closed list of fields. */
export function orderingOf(
  sort: string | undefined,
  orders: Readonly<Record<string, Ordering['by']>>,
): Ordering | undefined {
  if (sort === undefined) return undefined;
  const [field = '', direction = 'asc', ...more] = sort.split(',').map((each) => each.trim());
  const by = Object.hasOwn(orders, field) ? orders[field] : undefined;
  const upper = direction.toUpperCase();
  if (by === undefined || (upper !== 'ASC' && upper !== 'DESC') || more.length > 0) {
    const names = Object.keys(orders).join(', ');
    const reason = { reason: { en: `use ${names} with asc or desc`, pt: `use ${names} com asc ou desc` } };
    return rejectRequest('INVALID_FIELD', reason, 'sort');
  }
  return { by, direction: upper };
}

export function sliceOf({ page, size }: { page: number; size?: number | undefined }, config: Config): PageRequest {
  return { page, size: size ?? config.movementsPageSize };
}
