import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { firstDay, lastDay, monthOf } from '../src/accounting/period.ts';
import { readProfile } from '../src/features/master-data/regulatory/regulatory-profile.ts';
import type { EcdBook, EcdRequest, EcdSink, WrittenEcd } from '../src/features/reporting/filings/ecd/ecd-file.ts';
import { writeEcd } from '../src/features/reporting/filings/ecd/write-ecd.ts';
import { StartError } from '../src/platform/config.ts';
import type { Context } from '../src/platform/context.ts';
import type { Transaction } from '../src/platform/database/sql.ts';
import { companyOf, foundRows } from './filing-words.ts';
import { operand } from './operand.ts';

export const ECD_OPTIONS = {
  book: { type: 'string' },
  number: { type: 'string' },
  out: { type: 'string' },
} as const;

interface EcdWords {
  readonly book?: string | undefined;
  readonly number?: string | undefined;
  readonly out?: string | undefined;
}

/** `npm run admin -- ecd …`: a year's bookkeeping file, written beside its name and named when it is whole. */
export const ECD_COMMANDS = {
  ecd: {
    usage: 'ecd <company> <year> --out <file> [--book G|B] [--number <order number>]',
    words: 2,
    needsBooks: true,
    run: async (context: Context, words: readonly string[], options: EcdWords): Promise<number> => {
      const path = operand('--out', options.out);
      const written = await context.snapshot(async (sql) => writeFile(sql, await requestOf(sql, words, options), path));
      for (const row of rowsOf(written)) console.log(row);
      return written.written ? 0 : 1;
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

async function writeFile(sql: Transaction, request: EcdRequest, path: string): Promise<WrittenEcd> {
  const part = `${path}.part`;
  const file = createWriteStream(part, { mode: 0o600 });
  // Without a listener a full disk would end the process; what is written finds the error on the stream.
  file.on('error', () => {});
  const sink: EcdSink = {
    async write(bytes) {
      // The stream keeps what it has not written; the writer goes on with its own buffer.
      if (!file.write(Buffer.from(bytes))) await once(file, 'drain');
    },
  };
  try {
    const written = await writeEcd(sql, request, sink);
    file.end();
    await finished(file);
    if (written.written) await rename(part, path);
    return written;
  } catch (error) {
    const { code } = error as { code?: string };
    throw file.errored === null ? error : new StartError(`${path} cannot be written (${code})`);
  } finally {
    file.destroy();
    await rm(part, { force: true });
  }
}

function rowsOf({ written, lines, bytes, sha256, ...found }: WrittenEcd): string[] {
  return [...foundRows(found), written ? `linhas ${lines}, bytes ${bytes}, sha256 ${sha256}` : 'arquivo não gerado'];
}
