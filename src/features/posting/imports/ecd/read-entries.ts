import type { Day } from '../../../../accounting/period.ts';
import { dayOf } from '../../../reporting/filing-check/dates.ts';
import { type Ending, type LineConsumer, LineReader } from '../../../reporting/filing-check/read-lines.ts';
import type { SpooledFile } from '../spool.ts';
import { isoDay } from './ecd-contents.ts';
import { chunksOf } from './read-ecd.ts';

/** What I200 says of the lines under it. */
export interface FileEntry {
  readonly line: number;
  readonly number: string;
  readonly day: Day;
  /** 202512 */
  readonly month: number;
  readonly isClosing: boolean;
  readonly factDay: Day | null;
}

/** A line I250. */
export interface FilePosting {
  readonly line: number;
  /** As it is written. */
  readonly text: string;
  readonly entry: FileEntry;
  readonly account: string;
  readonly amount: string;
  readonly side: string;
  readonly narrationCode: string;
  readonly narration: string;
}

/** The postings of a file that was checked, in pieces; those of the months that are wanted. */
export async function* postingsOf(
  file: Pick<SpooledFile, 'path'>,
  isWanted: (month: number) => boolean,
): AsyncGenerator<readonly FilePosting[]> {
  const postings = new Postings(isWanted);
  const reader = new LineReader(postings);
  for await (const chunk of chunksOf(file)) {
    reader.feed(chunk);
    if (postings.rows.length > 0) yield postings.taken();
    if (postings.isDone) return;
  }
  reader.end();
  yield postings.taken();
}

class Postings implements LineConsumer {
  isDone = false;
  rows: FilePosting[] = [];
  #line = 0;
  #entry: FileEntry | undefined;
  readonly #isWanted: (month: number) => boolean;

  constructor(isWanted: (month: number) => boolean) {
    this.#isWanted = isWanted;
  }

  taken(): readonly FilePosting[] {
    const { rows } = this;
    this.rows = [];
    return rows;
  }

  line(text: string, _ending: Ending): void {
    this.#line++;
    if (text.startsWith('|I250|')) this.#addPosting(text);
    else if (text.startsWith('|I200|')) this.#beginEntry(text);
    else if (text.startsWith('|I990|')) this.isDone = true;
  }

  piece(): void {
    this.#line++;
  }

  #beginEntry(text: string): void {
    const [, , number = '', date = '', , kind, fact = ''] = text.split('|');
    const month = Math.trunc(dayOf(date) / 100);
    this.#entry = undefined;
    if (!this.#isWanted(month)) return;
    const day = isoDay(date)!;
    const factDay = fact === '' ? null : (isoDay(fact) ?? null);
    this.#entry = { line: this.#line, number, day, month, isClosing: kind === 'E', factDay };
  }

  #addPosting(text: string): void {
    const entry = this.#entry;
    if (entry === undefined) return;
    const [, , account = '', , amount = '', side = '', , narrationCode = '', narration = ''] = text.split('|');
    this.rows.push({ line: this.#line, text, entry, account, amount, side, narrationCode, narration });
  }
}
