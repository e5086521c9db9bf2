import type { AccountId, ChartId } from '../../../accounting/ids.ts';
import type { Month } from '../../../accounting/period.ts';
import type { EntryForm } from '../../../accounting/posting.ts';
import { BusinessError, type Problem, problem } from '../../../accounting/problem.ts';
import { recordRef } from '../../../accounting/record-name.ts';
import type { Transaction } from '../../../platform/database/sql.ts';
import type { Tenant } from '../../access/access.ts';
import { lockPostingAccounts } from '../entries/entries.sql.ts';
import type { AccountFinder } from './account-finder.ts';
import type { EntryRun, RunReceiver } from './entry-runs.ts';
import type { FileProblems, StagedRow } from './staged-row.ts';
import {
  copyText,
  ensureDocuments,
  type ImportedDocument,
  type ImportMark,
  insertStagedLines,
  type StagedLines,
  selectTakenEntries,
  stageRows,
  takeTurnForFirstUse,
} from './staging.sql.ts';

/** Where an import writes. */
export interface WritingPlace {
  readonly tenant: Tenant;
  readonly month: Month;
  readonly chartId: ChartId;
  readonly chart: AccountFinder;
  readonly problems: FileProblems;
  readonly mark: ImportMark;
  /** Locks the month before the first row is staged; throws when it takes none. */
  begin(): Promise<void>;
  /** Finds or makes the batch, and locks it; throws when it takes no lines. */
  lockBatch(): Promise<number>;
  placeOf(row: number, cell: 'entry' | 'account'): string;
  /** The documents of these names, where they are not numbers in the one batch. */
  documents?(names: readonly string[]): Promise<readonly ImportedDocument[]>;
  /** Whether the entries of the document close a result. */
  isClosing?(document: string): boolean;
}

/** Rows of the first statement: the database begins soon. */
const FIRST_ROWS = 20_000;

/** Rows of each other: between two statements the database waits for a program that is busy reading. */
const ROWS = 60_000;

/** Characters that are joined before they become bytes. */
const PIECE = 1 << 14;

/** Rows as COPY takes them. */
class CopyRows {
  count = 0;
  /** Those of them that are here still. */
  waiting = 0;
  private text = '';
  private pieces: Buffer[] = [];

  add(row: string): void {
    this.text += row;
    this.count++;
    this.waiting++;
    if (this.text.length > PIECE) this.cut();
  }

  append(other: CopyRows): void {
    this.text += other.text;
    this.count += other.count;
    this.waiting += other.waiting;
    if (other.pieces.length === 0 && this.text.length <= PIECE) return;
    this.text = this.text.slice(0, this.text.length - other.text.length);
    this.cut();
    this.pieces.push(...other.pieces);
    this.text = other.text;
  }

  /** The rows until now, which are then no longer here; their count stays. */
  bytes(): Buffer {
    this.cut();
    this.waiting = 0;
    const bytes = Buffer.concat(this.pieces);
    this.pieces = [];
    return bytes;
  }

  private cut(): void {
    if (this.text !== '') this.pieces.push(Buffer.from(this.text));
    this.text = '';
  }
}

/** Whole entries, to be written together. */
class Portion {
  readonly entries: EntryRun[] = [];
  readonly rows = { LINES: new CopyRows(), PAIRS: new CopyRows() };
  /** Entries before these, which their rows count as well. */
  readonly before: number;
  /** What rows that are in the staging table already stand for. */
  staged: EntryForm | undefined;

  constructor(before: number) {
    this.before = before;
  }

  /** Which rows are written first. */
  get first(): EntryForm {
    return this.staged ?? (this.rows.LINES.count > 0 ? 'LINES' : 'PAIRS');
  }

  get isFull(): boolean {
    return this.rows.LINES.count + this.rows.PAIRS.count >= (this.before === 0 ? FIRST_ROWS : ROWS);
  }
}

/**
 * Writes the rows of entries while they are read: the database writes some ten thousand, and the next are read meanwhile.
 * The entries of a statement are whole, because the trigger that proves them looks at one statement. Nothing is written
 * any more once the file has a fault.
 */
export class LineWriter implements RunReceiver {
  /** Lines written. */
  lines = 0;
  /** Faults found while writing. */
  faults = 0;
  /** Once the first lines were to be written. */
  batchId: number | undefined;
  private readonly sql: Transaction;
  private readonly place: WritingPlace;
  private portion = new Portion(0);
  /** The entry that is being read; a long one is staged in parts, before it is known what its rows stand for. */
  private open = new CopyRows();
  private isOpenStaged = false;
  private readonly codes = new Set<string>();
  private readonly accounts = new Set<AccountId>();
  private readonly lockedAccounts = new Set<AccountId>();
  private rejection: BusinessError | undefined;
  private isStopped = false;
  private writing: Promise<void> = Promise.resolve();

  constructor(sql: Transaction, place: WritingPlace) {
    this.sql = sql;
    this.place = place;
  }

  row(row: StagedRow, sequence: number): void {
    if (this.isStopped) return;
    this.open.add(copyText(row, this.portion.before + this.portion.entries.length + 1, sequence));
    this.accounts.add(row.accountId);
    if (row.offsetAccountId !== null) this.accounts.add(row.offsetAccountId);
    if (row.narrationCode !== null) this.codes.add(row.narrationCode);
  }

  end(run: EntryRun, form: EntryForm): void {
    if (this.isStopped) return;
    this.portion.entries.push(run);
    this.portion.rows[form].append(this.open);
    if (this.isOpenStaged) this.portion.staged = form;
    this.isOpenStaged = false;
    this.open = new CopyRows();
  }

  /** The file has a fault: nothing of it will be saved. */
  stop(): void {
    this.isStopped = true;
    this.portion = new Portion(0);
    this.open = new CopyRows();
  }

  /** Awaited between the chunks of a reader: writes once there is enough for a statement. */
  async keepUp(): Promise<void> {
    if (this.place.problems.count > this.faults) this.stop();
    if (this.isStopped) return;
    if (this.portion.isFull || this.open.waiting >= FIRST_ROWS) await this.next();
    if (this.open.waiting < FIRST_ROWS) return;
    await this.writing;
    await this.place.begin();
    await stageRows(this.sql, this.open.bytes());
    this.isOpenStaged = true;
  }

  /** Writes what is left. */
  async finish(): Promise<void> {
    await this.next();
    await this.writing;
    if (this.rejection && this.place.problems.count === 0) throw this.rejection;
  }

  /** Until no statement is under way. */
  async settled(): Promise<void> {
    await this.writing.catch(() => {});
  }

  /**
   * Waits for the portion that is being written, and brings the next to the database. Nothing is read meanwhile: a busy
   * program would let the database wait for each of its answers. What is left, the writing, takes by far the longest.
   */
  private async next(): Promise<void> {
    await this.writing;
    const { portion } = this;
    if (portion.entries.length === 0) return;
    this.portion = new Portion(portion.before + portion.entries.length);
    const staged = await this.stage(portion);
    if (staged === undefined) return;
    this.writing = this.insert(portion, staged);
    // Its failure is that of the next wait for it.
    this.writing.catch(() => {});
  }

  /** Locks and checks what the portion needs, and stages its first rows; undefined when it is not to be written. */
  private async stage(portion: Portion): Promise<StagedLines | undefined> {
    await this.place.begin();
    if (!(await this.hasBatch())) return undefined;
    await this.lockAccounts();
    const documents = await this.documentsOf(portion);
    await this.checkNumbers(portion, documents);
    if (this.place.problems.count > 0) return undefined;
    await stageRows(this.sql, portion.rows[portion.first].bytes());
    const { tenant, month, mark, isClosing } = this.place;
    return {
      ...{ tenant, month, mark, before: portion.before, narrationCodes: [...this.codes] },
      documentIds: portion.entries.map(({ document }) => documents.get(document)!.id),
      closings: isClosing && portion.entries.map(({ document }) => isClosing(document)),
    };
  }

  private async insert({ first, rows }: Portion, staged: StagedLines): Promise<void> {
    this.lines += await insertStagedLines(this.sql, first, staged);
    const other = first === 'LINES' ? 'PAIRS' : 'LINES';
    if (rows[other].count === 0) return;
    await stageRows(this.sql, rows[other].bytes());
    this.lines += await insertStagedLines(this.sql, other, staged);
  }

  /** A batch that takes no lines is reported only for a file without faults. */
  private async hasBatch(): Promise<boolean> {
    try {
      this.batchId ??= await this.place.lockBatch();
      return true;
    } catch (error) {
      if (!(error instanceof BusinessError)) throw error;
      this.rejection = error;
      this.stop();
      return false;
    }
  }

  /** Against deletion and change; what changed since the file's rows were checked is a fault. */
  private async lockAccounts(): Promise<void> {
    const ids = [...this.accounts].filter((id) => !this.lockedAccounts.has(id));
    this.accounts.clear();
    if (ids.length === 0) return;
    const { tenant, chart, chartId } = this.place;
    await takeTurnForFirstUse(this.sql, tenant, ids);
    const locked = new Map((await lockPostingAccounts(this.sql, chartId, ids)).map((account) => [account.id, account]));
    for (const id of ids) {
      this.lockedAccounts.add(id);
      const read = chart.byId(id)!;
      const now = locked.get(id);
      const isSame = now && (Object.keys(now) as (keyof typeof now)[]).every((field) => now[field] === read[field]);
      if (!isSame) this.fault(1, 'account', problem('ACCOUNT_CHANGED', { account: read.code }));
    }
  }

  private async documentsOf({ entries }: Portion): Promise<Map<string, ImportedDocument>> {
    const numbers = [...new Set(entries.map(({ document }) => document))];
    const { place } = this;
    const documents = place.documents
      ? await place.documents(numbers)
      : await ensureDocuments(this.sql, place.tenant.companyId, this.batchId!, numbers, place.mark);
    return new Map(documents.map((document) => [document.number, document]));
  }

  /** An entry number stands once in its document. */
  private async checkNumbers({ entries }: Portion, documents: ReadonlyMap<string, ImportedDocument>): Promise<void> {
    const asked = entries.flatMap((each) => {
      const { id, isNew } = documents.get(each.document)!;
      return isNew ? [] : { ...each, documentId: id };
    });
    if (asked.length === 0) return;
    for (const at of await selectTakenEntries(this.sql, this.place.tenant.companyId, asked)) {
      const { row, rows, entry } = asked[at]!;
      this.fault(row, 'entry', problem('DUPLICATE', recordRef('Entry', entry)));
      this.place.problems.addRows(rows - 1);
    }
  }

  private fault(row: number, cell: 'entry' | 'account', found: Problem): void {
    this.faults++;
    this.place.problems.add({ row, place: this.place.placeOf(row, cell), problem: found });
  }
}
