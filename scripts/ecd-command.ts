import { firstDay, lastDay, monthOf } from '../src/accounting/period.ts';
import { readProfile } from '../src/features/master-data/regulatory/regulatory-profile.ts';
import { type CheckedBooks, writeCheckedBooks } from '../src/features/reporting/filing-precheck/write-checked-books.ts';
import type { EcdBook, EcdRequest } from '../src/features/reporting/filings/ecd/ecd-file.ts';
import { orderNumberOf } from '../src/features/reporting/filings/order-number.ts';
import { type Config, StartError } from '../src/platform/config.ts';
import type { Context } from '../src/platform/context.ts';
import type { Transaction } from '../src/platform/database/sql.ts';
import { companyOf, foundRows } from './filing-words.ts';
import { operand } from './operand.ts';
import { writeWholeFile } from './whole-file.ts';

export const ECD_OPTIONS = {
  book: { type: 'string' },
  number: { type: 'string' },
  out: { type: 'string' },
  'with-errors': { type: 'boolean', default: false },
} as const;

interface EcdWords {
  readonly book?: string | undefined;
  readonly number?: string | undefined;
  readonly out?: string | undefined;
  readonly 'with-errors': boolean;
}

/** `npm run admin -- ecd …`: a year's bookkeeping file, checked as it is written; one with errors is not kept unasked. */
export const ECD_COMMANDS = {
  ecd: {
    usage: 'ecd <company> <year> --out <file> [--book G|B] [--number <order number>] [--with-errors]',
    words: 2,
    needsBooks: true,
    run: async (
      context: Context,
      words: readonly string[],
      options: EcdWords,
      { config }: { readonly config: Pick<Config, 'largestEcd'> },
    ): Promise<number> => {
      const path = operand('--out', options.out);
      const checked = await context.snapshot(async (sql) => {
        const asked = await requestOf(sql, words, options);
        const request = { ...asked, orderNumber: await orderNumberOf(sql, asked) };
        const { largestEcd: largestFile } = config;
        return writeWholeFile(path, (makeFile) => writeCheckedBooks(sql, request, makeFile, { largestFile }), {
          isWanted: (done) => isWanted(done, options),
        });
      });
      for (const row of foundRows(checked)) console.log(row);
      console.log(endOf(checked, options));
      return isWanted(checked, options) ? 0 : 1;
    },
  },
} as const;

async function requestOf(sql: Transaction, [word, year]: readonly string[], options: EcdWords): Promise<EcdRequest> {
  const { companyId, company } = await companyOf(sql, word);
  const [first, last] = [monthOf(Number(operand('year', year)), 1), monthOf(Number(year), 12)];
  if (first === undefined || last === undefined) throw new StartError('a year is a number, such as 2025');
  const { ecdBook } = await readProfile(sql, { companyId, company });
  return {
    ...{ companyId, company, from: firstDay(first), to: lastDay(last) },
    book: bookOf(options.book) ?? ecdBook,
    orderNumber: options.number === undefined ? undefined : orderNumber(options.number),
  };
}

function bookOf(text: string | undefined): EcdBook | undefined {
  if (text === undefined || text === 'G' || text === 'B') return text;
  throw new StartError('--book is G or B');
}

function orderNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new StartError('--number is a whole number above zero');
  return Number(text);
}

function isWanted({ written, errors }: CheckedBooks, options: EcdWords): boolean {
  return written && (errors === 0 || options['with-errors']);
}

function endOf(checked: CheckedBooks, options: EcdWords): string {
  const { lines, bytes, sha256, books, isZip } = checked;
  const inMonths = isZip ? `, ${books.length} livros num ZIP` : '';
  return isWanted(checked, options)
    ? `linhas ${lines}, bytes ${bytes}, sha256 ${sha256}${inMonths}`
    : 'arquivo não gerado';
}
