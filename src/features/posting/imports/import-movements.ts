import type { ChartId } from '../../../accounting/ids.ts';
import { decimalOf } from '../../../accounting/money.ts';
import { daysOf, type Month } from '../../../accounting/period.ts';
import type { PostingFacts } from '../../../accounting/posting.ts';
import { reject } from '../../../accounting/problem.ts';
import type { Context } from '../../../platform/context.ts';
import type { Sql, Transaction } from '../../../platform/database/sql.ts';
import type { Tenant } from '../../access/access.ts';
import { recordAudit } from '../../access/audit.sql.ts';
import { rejectNoBooks } from '../../master-data/companies/require-books.ts';
import { recordEvents } from '../../operations/events/record-events.sql.ts';
import { selectBatch } from '../batches/batches.read.sql.ts';
import { type PostingRules, selectPostingNarrations, selectPostingRules } from '../entries/entries.sql.ts';
import { postingFacts } from '../entries/posting-facts.ts';
import { lockMonthShared, requireOpen } from '../months/months.sql.ts';
import { type AccountFinder, loadAccountFinder } from './account-finder.ts';
import { type ControlTotals, checkControlTotals } from './control-totals.ts';
import { EntryRuns, ReadAgain } from './entry-runs.ts';
import {
  backendPid,
  lockContent,
  reportRowsRead,
  selectEarlierImport,
  startImportRecord,
  updateImportRecord,
  type WrittenImport,
} from './import-records.sql.ts';
import { keepFile } from './kept-file.ts';
import { LineWriter } from './line-writer.ts';
import type { SpooledFile } from './spool.ts';
import { FileProblems, type RowProblem, type StagedRow } from './staged-row.ts';
import {
  beginStaging,
  createGathering,
  gatheredRows,
  gatherRows,
  type ImportMark,
  noteWrittenLines,
  undoStaging,
} from './staging.sql.ts';

/** The tools of a reader: look-ups, and the collector of problems. */
export interface ReadingTools {
  readonly month: Month;
  readonly chart: AccountFinder;
  readonly problems: FileProblems;
  /** The state of the books while the file is read; what may change before the month is locked is checked again. */
  readonly posting: PostingFacts;
}

export interface ImportOutcome {
  readonly importId: number;
  /** Rows of the file, right and wrong. */
  readonly rows: number;
  readonly lines: number;
  /** Sums of the lines that the file stands for, NUMERIC text; absent for a file with faults. */
  readonly debits?: string;
  readonly credits?: string;
  readonly problems: FileProblems;
}

/** A file to import, whatever its format. */
export interface MovementsFile {
  readonly kind: 'CSV' | 'IPL' | 'JSON';
  readonly name: string;
  readonly sha256: string;
  /** Its bytes, which are kept when it is imported. */
  readonly file: SpooledFile;
  readonly dryRun: boolean;
  /** Imports a content that the branch has imported already. */
  readonly force: boolean;
  /** What the sender says that the file has. */
  readonly control?: ControlTotals | undefined;
  /** The batch that it goes into, where that is there before the file is read. */
  readonly batchId?: number;
  /** Rows in chunks; wrong ones go to the tools' problems and are not yielded. `counted` receives the progress. */
  read(tools: ReadingTools, counted: (rows: number) => void): AsyncIterable<StagedRow[]>;
  /** The place of a cell in the terms of the file's user. */
  placeOf(row: number, cell: 'entry' | 'day' | 'account' | 'amount'): string;
  /** Finds or creates the batch once all rows are valid, and locks it; returns its id. */
  batch(sql: Transaction): Promise<number>;
  /** Checks of the file as a whole, such as a trailer's totals. */
  checkTotals?(totals: { debits: string; credits: string; rows: number }, problems: FileProblems): void;
  /** Runs in the same transaction after the lines are written. */
  finish?(sql: Transaction, batchId: number, mark: ImportMark): Promise<void>;
}

/**
 * Imports movements from any file (domain: imports and bulk): rows are checked and written while they are read. One
 * wrong row, or a dry run, and nothing is saved.
 */
export async function importMovements(
  context: Context,
  tenant: Tenant,
  month: Month,
  file: MovementsFile,
): Promise<ImportOutcome> {
  const record = new RunningRecord(context, tenant, month, file);
  try {
    return await context.transaction(async (sql) => {
      if (!file.force) await rejectEarlier(sql, tenant, file.sha256);
      await record.start(sql);
      const { mark } = record;
      const { batchId, lines, debits, credits } = await new FileImport(sql, tenant, month, file, record).run();
      const sums = { debits, credits };
      const outcome = { importId: mark.importId, rows: record.rows, lines, ...sums, problems: new FileProblems() };
      if (file.dryRun) throw new Undo(outcome);
      await file.finish?.(sql, batchId, mark);
      await keepFile(sql, tenant.companyId, mark.importId, file.file);
      await record.done(sql, { batchId, lines, debits, credits });
      const { number: batch } = (await selectBatch(sql, tenant.companyId, batchId))!;
      const data = { source: 'IMPORT', month, batchId, batch, importId: mark.importId, lines } as const;
      recordEvents(sql, [{ type: 'entry.posted', ...tenant, data }]);
      await recordAudit(sql, context, {
        action: 'IMPORT',
        entity: 'batch',
        entityId: batchId,
        ...tenant,
        after: { import: mark.importId, lines },
      });
      await noteWrittenLines(sql, lines);
      return outcome;
    });
  } catch (error) {
    if (!(error instanceof Undo)) {
      await record.rejected(error instanceof Error ? error.message.slice(0, 500) : 'failed', 0);
      throw error;
    }
    const { problems } = error.outcome;
    if (problems.count === 0) await record.done(context.outOfBand);
    else await record.rejected(`${problems.count} erro(s)`, problems.rowsAtFault, problems.told);
    return error.outcome;
  }
}

type WrittenInBatch = WrittenImport & { readonly batchId: number };

/** The reading and writing of one file inside its transaction. */
class FileImport {
  private readonly sql: Transaction;
  private readonly tenant: Tenant;
  private readonly month: Month;
  private readonly file: MovementsFile;
  private readonly record: RunningRecord;
  private isMonthLocked = false;
  private isStaging = false;
  private beginning: Promise<void> | undefined;

  constructor(sql: Transaction, tenant: Tenant, month: Month, file: MovementsFile, record: RunningRecord) {
    this.sql = sql;
    this.tenant = tenant;
    this.month = month;
    this.file = file;
    this.record = record;
  }

  /** Reads the file once, or again where an entry stands apart in it or the books changed; throws Undo for one with faults. */
  async run(): Promise<WrittenInBatch> {
    for (let isScattered = false; ; ) {
      try {
        return await this.read(isScattered);
      } catch (error) {
        if (!(error instanceof ReadAgain)) throw error;
        isScattered ||= error.reason === 'SCATTERED';
        if (this.isStaging) await undoStaging(this.sql);
        this.isStaging = false;
        this.beginning = undefined;
        // From here on nothing changes any more.
        if (!this.isMonthLocked) await this.lockMonth();
      }
    }
  }

  private async read(isScattered: boolean): Promise<WrittenInBatch> {
    const { file, month, record, sql } = this;
    const problems = new FileProblems();
    const { chartId, chart, rules, posting } = await readBooks(sql, this.tenant, month);
    const writer = new LineWriter(sql, {
      ...{ tenant: this.tenant, month, chartId, chart, problems, mark: record.mark },
      begin: () => this.begin(rules),
      lockBatch: () => lockBatch(sql, this.tenant, file),
      placeOf: (row, cell) => file.placeOf(row, cell),
    });
    const runs = new EntryRuns(posting, writer, isScattered);
    try {
      const rows = file.read({ month, chart, problems, posting }, record.counted);
      for await (const chunk of isScattered ? gathered(sql, rows) : rows) {
        for (const row of chunk) runs.add(row);
        if (runs.wrong.length > 0) writer.stop();
        await writer.keepUp();
      }
      runs.end();
      // Everything is read; a closed month is reported before all faults.
      await this.begin(rules);
      reportWrongEntries(runs, file, problems);
      const totals = { debits: decimalOf(runs.debits), credits: decimalOf(runs.credits) };
      file.checkTotals?.({ ...totals, rows: record.rows }, problems);
      checkControlTotals(file.control, { ...totals, rows: record.rows }, problems);
      // Those that the writer has found are not all yet.
      if (problems.count > writer.faults) undoIfWrong(record, problems);
      await writer.finish();
      undoIfWrong(record, problems);
      return { batchId: writer.batchId!, lines: writer.lines, ...totals };
    } finally {
      await writer.settled();
    }
  }

  /** Once in each reading, before its first row is staged. */
  private begin(rules: PostingRules): Promise<void> {
    this.beginning ??= this.lockAndStage(rules);
    return this.beginning;
  }

  private async lockAndStage(rules: PostingRules): Promise<void> {
    if (!this.isMonthLocked) await this.lockMonth();
    const now = await selectPostingRules(this.sql, this.tenant.companyId, this.tenant.branchId, daysOf(this.month));
    if (JSON.stringify(now) !== JSON.stringify(rules)) throw new ReadAgain('BOOKS_CHANGED');
    await beginStaging(this.sql);
    this.isStaging = true;
  }

  private async lockMonth(): Promise<void> {
    await this.record.report();
    requireOpen(await lockMonthShared(this.sql, { ...this.tenant, month: this.month }), this.month);
    this.isMonthLocked = true;
  }
}

/** The rows of the file entry by entry, once all of them are read. */
async function* gathered(sql: Transaction, rows: AsyncIterable<StagedRow[]>): AsyncGenerator<StagedRow[]> {
  await createGathering(sql);
  for await (const chunk of rows) await gatherRows(sql, chunk);
  yield* gatheredRows(sql);
}

/** Thrown to undo a dry run or a rejected file; carries its outcome. */
class Undo extends Error {
  readonly outcome: ImportOutcome;

  constructor(outcome: ImportOutcome) {
    super('nothing is saved');
    this.outcome = outcome;
  }
}

function undoIfWrong({ mark, rows }: RunningRecord, problems: FileProblems): void {
  if (problems.count > 0) throw new Undo({ importId: mark.importId, rows, lines: 0, problems });
}

/** Interval of progress reports, in milliseconds. */
const REPORT_EVERY_MS = 1_000;

/** The record of an import while it runs. Its progress is visible to readers before the import's transaction ends. */
class RunningRecord {
  /** Rows read until now. */
  rows = 0;
  private readonly context: Context;
  private readonly tenant: Tenant;
  private readonly month: Month;
  private readonly file: MovementsFile;
  private id: number | undefined;
  private reportedAt = performance.now();

  constructor(context: Context, tenant: Tenant, month: Month, file: MovementsFile) {
    this.context = context;
    this.tenant = tenant;
    this.month = month;
    this.file = file;
  }

  /** A transaction that is tried again keeps its record. */
  async start(sql: Transaction): Promise<void> {
    const { name: fileName, sha256: hash } = this.file;
    this.id ??= await startImportRecord(this.context, this.tenant, {
      ...this.file,
      month: this.month,
      fileName,
      hash,
      backendPid: await backendPid(sql),
    });
  }

  /** What its documents and lines carry, once it has started. */
  get mark(): ImportMark {
    return { importId: this.id!, by: this.context.caller.username };
  }

  readonly counted = (rows: number): void => {
    this.rows = rows;
    if (this.id === undefined || performance.now() - this.reportedAt < REPORT_EVERY_MS) return;
    this.reportedAt = performance.now();
    void this.report().catch(() => {});
  };

  report(): Promise<void> {
    return reportRowsRead(this.context.outOfBand, this.tenant, this.id!, this.rows);
  }

  /** With what was written, in the transaction that writes it; a dry run writes nothing. */
  done(sql: Sql, written?: WrittenImport): Promise<void> {
    return updateImportRecord(sql, this.tenant, this.id!, { status: 'DONE', rowsRead: this.rows, written });
  }

  /** Writes nothing when the import has not begun. */
  async rejected(message: string, rowsRejected: number, reported: readonly RowProblem[] = []): Promise<void> {
    if (this.id === undefined) return;
    const change = {
      status: 'REFUSED',
      rowsRead: this.rows,
      rowsRefused: rowsRejected,
      message,
      // Who only tries a file has its faults in the answer.
      problems: this.file.dryRun || reported.length === 0 ? undefined : reported,
    } as const;
    await updateImportRecord(this.context.outOfBand, this.tenant, this.id, change);
  }
}

/** The file's batch, locked. Of concurrent imports of one content, only the first passes. */
async function lockBatch(sql: Transaction, tenant: Tenant, file: MovementsFile): Promise<number> {
  const batchId = await file.batch(sql);
  if (!file.force) {
    await lockContent(sql, tenant, file.sha256);
    await rejectEarlier(sql, tenant, file.sha256);
  }
  return batchId;
}

/** The books as they are while the file is read; all of its rows are checked against them. */
async function readBooks(
  sql: Transaction,
  tenant: Tenant,
  month: Month,
): Promise<{ chartId: ChartId; chart: AccountFinder; rules: PostingRules; posting: PostingFacts }> {
  const { companyId, branchId } = tenant;
  const rules = (await selectPostingRules(sql, companyId, branchId, daysOf(month))) ?? rejectNoBooks(tenant);
  const { chartId } = rules;
  const chart = await loadAccountFinder(sql, chartId);
  const narrations = await selectPostingNarrations(sql, companyId, branchId, 'ALL');
  const posting = postingFacts({ month, state: 'OPEN' }, rules, {
    account: (id) => chart.byId(id),
    narration: (code) => narrations.get(code),
  });
  return { chartId, chart, rules, posting };
}

async function rejectEarlier(sql: Transaction, tenant: Tenant, hash: string): Promise<void> {
  const earlier = await selectEarlierImport(sql, tenant, hash);
  if (earlier) reject('FILE_IMPORTED_BEFORE', { name: earlier.fileName }, 'file');
}

/** The entries that the rules reject, but for those with a wrong row: they are reported by row. */
function reportWrongEntries(runs: EntryRuns, file: MovementsFile, problems: FileProblems): void {
  const atFault = problems.entriesAtFault;
  // With this many wrong rows no entry would be reported.
  if (atFault === undefined) return;
  for (const { document, entry, row, rows, place, problem } of runs.wrong) {
    if (atFault.some((faulty) => faulty.document === document && faulty.entry === entry)) continue;
    problems.add({ row, place: file.placeOf(row, place), problem });
    problems.addRows(rows - 1);
  }
  problems.addUntold(runs.beyond);
}
