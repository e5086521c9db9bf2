import type { ChartId } from '../../../accounting/ids.ts';
import { brazilianDate, daysOf, type Month } from '../../../accounting/period.ts';
import type { PostingFacts } from '../../../accounting/posting.ts';
import { type Problem, problem, reject } from '../../../accounting/problem.ts';
import { recordRef } from '../../../accounting/record-name.ts';
import type { Context } from '../../../platform/context.ts';
import type { Sql, Transaction } from '../../../platform/database/sql.ts';
import type { Tenant } from '../../access/access.ts';
import { recordAudit } from '../../access/audit.sql.ts';
import { recordEvents } from '../../integration/events/record-events.sql.ts';
import { rejectNoBooks } from '../../master-data/companies/require-books.ts';
import { selectBatch } from '../batches/batches.read.sql.ts';
import { selectPostingNarrations, selectPostingRules } from '../entries/entries.sql.ts';
import { lockMonthShared, requireOpen } from '../months/months.sql.ts';
import { type AccountFinder, loadAccountFinder } from './account-finder.ts';
import { type ControlTotals, checkControlTotals } from './control-totals.ts';
import {
  backendPid,
  lockContent,
  reportRowsRead,
  selectEarlierImport,
  startImportRecord,
  updateImportRecord,
  type WrittenImport,
} from './import-records.sql.ts';
import { FileProblems, type StagedRow } from './staged-row.ts';
import {
  createStaging,
  ensureDocuments,
  groupEntries,
  type ImportMark,
  insertStagedLines,
  lockStagedAccounts,
  noteWrittenLines,
  type StagedEntryProblem,
  selectClosedDayRows,
  selectStagedTotals,
  selectTakenEntries,
  stageRows,
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
  /** Rows of the file, right and wrong. */
  readonly rows: number;
  readonly lines: number;
  readonly problems: FileProblems;
}

/** A file to import, whatever its format. */
export interface MovementsFile {
  readonly kind: 'CSV' | 'IPL' | 'JSON';
  readonly name: string;
  readonly sha256: string;
  readonly dryRun: boolean;
  /** Imports a content that the branch has imported already. */
  readonly force: boolean;
  /** What the sender says that the file has. */
  readonly control?: ControlTotals | undefined;
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
 * Imports movements from any file (domain: imports and bulk): rows are read and staged before the month is locked, then
 * checked as sets, then written in one statement. One wrong row, or a dry run, and nothing is saved.
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
      const problems = new FileProblems();
      const { chartId, chart, posting } = await readBooks(sql, tenant, month);
      await createStaging(sql);
      await stageRows(sql, file.read({ month, chart, problems, posting }, record.counted));
      // Everything is read; what follows may wait for the month's lock.
      await record.report();
      requireOpen(await lockMonthShared(sql, { ...tenant, month }), month);
      await checkEntries(sql, tenant, file, posting, problems);
      const totals = await selectStagedTotals(sql);
      file.checkTotals?.({ ...totals, rows: record.rows }, problems);
      checkControlTotals(file.control, { ...totals, rows: record.rows }, problems);
      undoIfWrong(record.rows, problems);
      const batchId = await lockBatch(sql, tenant, file);
      await checkAgainstBooks(sql, tenant, batchId, { id: chartId, finder: chart }, file, problems);
      undoIfWrong(record.rows, problems);
      const mark = record.mark;
      const lines = await writeLines(sql, tenant, batchId, mark);
      if (file.dryRun) throw new Undo({ rows: record.rows, lines, problems });
      await file.finish?.(sql, batchId, mark);
      await record.done(sql, { batchId, lines, ...totals });
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
      return { rows: record.rows, lines, problems };
    });
  } catch (error) {
    if (!(error instanceof Undo)) {
      await record.rejected(error instanceof Error ? error.message.slice(0, 500) : 'failed', 0);
      throw error;
    }
    const { problems } = error.outcome;
    if (problems.count === 0) await record.done(context.outOfBand);
    else await record.rejected(`${problems.count} erro(s)`, problems.rowsAtFault);
    return error.outcome;
  }
}

/** Thrown to undo a dry run or a rejected file; carries its outcome. */
class Undo extends Error {
  readonly outcome: ImportOutcome;

  constructor(outcome: ImportOutcome) {
    super('nothing is saved');
    this.outcome = outcome;
  }
}

function undoIfWrong(rows: number, problems: FileProblems): void {
  if (problems.count > 0) throw new Undo({ rows, lines: 0, problems });
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
  async rejected(message: string, rowsRejected: number): Promise<void> {
    if (this.id === undefined) return;
    const change = { status: 'REFUSED', rowsRead: this.rows, rowsRefused: rowsRejected, message } as const;
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

/** Returns the number of lines written. */
async function writeLines(sql: Transaction, tenant: Tenant, batchId: number, mark: ImportMark): Promise<number> {
  await ensureDocuments(sql, tenant.companyId, batchId, mark);
  return insertStagedLines(sql, tenant.companyId, mark);
}

/** The books as they are while the file is read; all of its rows are checked against them. */
async function readBooks(
  sql: Transaction,
  tenant: Tenant,
  month: Month,
): Promise<{ chartId: ChartId; chart: AccountFinder; posting: PostingFacts }> {
  const { companyId, branchId } = tenant;
  const rules = (await selectPostingRules(sql, companyId, branchId, daysOf(month))) ?? rejectNoBooks(tenant);
  const { chartId, narrationRequired, mixesMemorandum } = rules;
  const chart = await loadAccountFinder(sql, chartId);
  const narrations = await selectPostingNarrations(sql, companyId, branchId, 'ALL');
  const closedDays = new Set(rules.closedDays);
  const posting: PostingFacts = {
    month,
    monthState: 'OPEN',
    narrationRequired,
    mixesMemorandum,
    isDayClosed: (day) => closedDays.has(day),
    account: (id) => chart.byId(id),
    narration: (code) => narrations.get(code),
  };
  return { chartId, chart, posting };
}

async function rejectEarlier(sql: Transaction, tenant: Tenant, hash: string): Promise<void> {
  const earlier = await selectEarlierImport(sql, tenant, hash);
  if (earlier) reject('FILE_IMPORTED_BEFORE', { name: earlier.fileName }, 'file');
}

async function checkAgainstBooks(
  sql: Transaction,
  tenant: Tenant,
  batchId: number,
  chart: { id: ChartId; finder: AccountFinder },
  file: MovementsFile,
  problems: FileProblems,
): Promise<void> {
  for (const taken of await selectTakenEntries(sql, tenant.companyId, batchId)) {
    problems.add({
      row: taken.row,
      place: file.placeOf(taken.row, 'entry'),
      problem: problem('DUPLICATE', recordRef('Entry', taken.entry)),
    });
    problems.addRows(taken.rows - 1);
  }
  for (const { stagedId, ...now } of await lockStagedAccounts(sql, chart.id)) {
    const read = chart.finder.byId(stagedId)!;
    const isSame = (Object.keys(now) as (keyof typeof now)[]).every((field) => now[field] === read[field]);
    if (!isSame) {
      const changed = problem('ACCOUNT_CHANGED', { account: read.code });
      problems.add({ row: 1, place: file.placeOf(1, 'account'), problem: changed });
    }
  }
}

/** The rules over several rows, and the days that closed while the file was read. */
async function checkEntries(
  sql: Transaction,
  tenant: Tenant,
  file: MovementsFile,
  posting: PostingFacts,
  problems: FileProblems,
): Promise<void> {
  for (const closed of await selectClosedDayRows(sql, tenant.companyId, tenant.branchId)) {
    problems.add({
      row: closed.row,
      place: file.placeOf(closed.row, 'day'),
      problem: problem('DAY_CLOSED', { day: brazilianDate(closed.day) }),
    });
  }
  const atFault = problems.entriesAtFault;
  // With this many wrong rows no entry would be reported; they are grouped for the totals.
  for (const entry of await groupEntries(sql, posting.mixesMemorandum, atFault ?? [])) {
    if (atFault === undefined) break;
    const { place, found } = entryProblem(entry);
    problems.add({ row: entry.row, place: file.placeOf(entry.row, place), problem: found });
    problems.addRows(entry.rows - 1);
  }
}

/** The first of the reasons, in the order of the rules of posting. */
function entryProblem(staged: StagedEntryProblem): { place: 'day' | 'amount' | 'account'; found: Problem } {
  const { entry, debits, credits } = staged;
  if (staged.twoDays) return { place: 'day', found: problem('ENTRY_ON_TWO_DAYS', { entry }) };
  if (!staged.balanced) return { place: 'amount', found: problem('UNBALANCED_ENTRY', { entry, debits, credits }) };
  return { place: 'account', found: problem('MEMORANDUM_MIXED', { entry }) };
}
