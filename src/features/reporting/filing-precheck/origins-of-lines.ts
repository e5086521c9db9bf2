import type { Transaction } from '../../../platform/database/sql.ts';
import type { EcdOptions, EcdRequest, Origin } from '../filings/ecd/ecd-file.ts';
import { writeEcd } from '../filings/ecd/write-ecd.ts';

const LINE_FEED = 10;

/**
 * The texts of some lines of a file. Lines in bulk come without the record behind them, which their text names; to have it of the few
 * that are findings, the file is written once more, from the same snapshot and so with the same lines.
 */
export async function readBulkLines(
  sql: Transaction,
  request: EcdRequest,
  { withoutEntries }: EcdOptions,
  wanted: ReadonlySet<number>,
): Promise<ReadonlyMap<number, string>> {
  const found = new Map<number, string>();
  const last = Math.max(...wanted);
  let line = 1;
  const write = (portion: Buffer) => {
    if (line > last) return;
    for (let start = 0; start < portion.length && line <= last; line++) {
      const end = portion.indexOf(LINE_FEED, start);
      if (wanted.has(line)) found.set(line, portion.toString('latin1', start, end));
      start = end + 1;
    }
  };
  await writeEcd(sql, request, { write }, { withoutEntries });
  return found;
}

/** Registers whose first field is the account that they are of. */
const OF_ACCOUNT = new Set(['I155', 'I250', 'I310', 'I355']);

/** The record that a line names: its account, or the entry by its number. */
export function originOfBulk(text: string, accounts: ReadonlyMap<string, Origin>): Origin | undefined {
  const [, register, code] = text.split('|');
  if (register === undefined || code === undefined) return undefined;
  if (OF_ACCOUNT.has(register)) return accounts.get(code);
  return register === 'I200' ? { resource: 'entry', code, path: '/entry' } : undefined;
}
