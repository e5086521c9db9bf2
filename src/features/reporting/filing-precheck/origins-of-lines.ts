import { firstDay, lastDay, monthFromIso } from '../../../accounting/period.ts';
import type { Transaction } from '../../../platform/database/sql.ts';
import type { EcdOptions, EcdRequest, Origin } from '../filings/ecd/ecd-file.ts';
import { writeEcd } from '../filings/ecd/write-ecd.ts';

const LINE_FEED = 10;

/** Of a line: its text, and that of the last entry (I200) before it or itself. */
export interface BulkLine {
  readonly text: string;
  readonly entry: string;
}

/**
 * Some lines of a file. Lines in bulk come without the record behind them, which their text names; to have it of the few
 * that are findings, the file is written once more, from the same snapshot and so with the same lines.
 */
export async function readBulkLines(
  sql: Transaction,
  request: EcdRequest,
  { withoutEntries }: EcdOptions,
  wanted: ReadonlySet<number>,
): Promise<ReadonlyMap<number, BulkLine>> {
  const found = new Map<number, BulkLine>();
  const last = Math.max(...wanted);
  const entry = new LastEntry();
  let line = 1;
  const write = (portion: Buffer) => {
    for (let start = 0; start < portion.length && line <= last; line++) {
      const end = portion.indexOf(LINE_FEED, start);
      entry.see(portion, start, end);
      if (wanted.has(line)) found.set(line, { text: portion.toString('latin1', start, end), entry: entry.text() });
      start = end + 1;
    }
  };
  await writeEcd(sql, request, { write }, { withoutEntries });
  return found;
}

const ENTRY = Buffer.from('|I200|');

/** Copied line by line, because the portion is the writer's again after it was read. */
class LastEntry {
  #bytes = Buffer.alloc(512);
  #length = 0;

  see(portion: Buffer, start: number, end: number): void {
    if (portion.compare(ENTRY, 0, ENTRY.length, start, Math.min(end, start + ENTRY.length)) !== 0) return;
    this.#length = end - start;
    if (this.#length > this.#bytes.length) this.#bytes = Buffer.alloc(this.#length);
    portion.copy(this.#bytes, 0, start, end);
  }

  text(): string {
    return this.#bytes.toString('latin1', 0, this.#length);
  }
}

/** Registers whose first field is the account that they are of. */
const OF_ACCOUNT = new Set(['I155', 'I310', 'I355']);

/** Whose books a file is of. */
interface Books {
  readonly company: string;
  readonly onlyBranch: string | undefined;
  readonly accounts: ReadonlyMap<string, Origin>;
}

/** The record that a line names: its account; of an entry and its lines the entry. */
export function originOfBulk({ text, entry }: BulkLine, books: Books): Origin | undefined {
  const [, register, code] = text.split('|');
  if (register === undefined || code === undefined) return undefined;
  if (OF_ACCOUNT.has(register)) return books.accounts.get(code);
  return register === 'I200' || register === 'I250' ? originOfEntry(entry.split('|')[2] ?? '', books) : undefined;
}

/** [branch.]YYYYMM.batch.document.entry, as the writer numbers entries. */
const ENTRY_NUMBER =
  /^(?:(?<named>.+)\.)?(?<year>\d{4})(?<month>\d{2})\.(?<batch>[^.]+)\.(?<document>.+)\.(?<number>[^.]+)$/;

function originOfEntry(code: string, { company, onlyBranch }: Books): Origin {
  const { named, year, month: monthNumber, batch, document, number } = ENTRY_NUMBER.exec(code)?.groups ?? {};
  const branch = onlyBranch ?? named;
  const month = monthFromIso(`${year}-${monthNumber}`);
  if (branch === undefined || month === undefined) return { resource: 'entry', code, path: '/entries' };
  const period = `dataInicio=${firstDay(month)}&dataFim=${lastDay(month)}`;
  const [inBatch, inDocument, of] = [batch, document, number].map((part) => encodeURIComponent(part!));
  return {
    ...{ resource: 'entry', code },
    path: `/entries/${company}/${encodeURIComponent(branch)}?${period}&lote=${inBatch}&documento=${inDocument}&lancamento=${of}`,
  };
}
