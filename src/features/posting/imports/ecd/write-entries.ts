import { centavosFromDecimal, decimalOf } from '../../../../accounting/money.ts';
import { dayNumberOf, daysOf, type Month } from '../../../../accounting/period.ts';
import { lineFindings, type PostingFacts, type PostingLine } from '../../../../accounting/posting.ts';
import { BusinessError, type Problem } from '../../../../accounting/problem.ts';
import { recordEvents } from '../../../operations/events/record-events.sql.ts';
import { selectPostingNarrations, selectPostingRules } from '../../entries/entries.sql.ts';
import { postingFacts } from '../../entries/posting-facts.ts';
import { selectBranchMonths } from '../../months/months.read.sql.ts';
import { lockMonthShared, requireOpen } from '../../months/months.sql.ts';
import { openMonth } from '../../months/open-month.ts';
import { type AccountFinder, loadAccountFinder } from '../account-finder.ts';
import { EntryRuns } from '../entry-runs.ts';
import { LineWriter } from '../line-writer.ts';
import type { SpooledFile } from '../spool.ts';
import { FileProblems, type StagedRow } from '../staged-row.ts';
import { beginStaging, ensureDocuments, type ImportedDocument, noteWrittenLines } from '../staging.sql.ts';
import { hasMovements, insertEcdBatch } from './ecd.sql.ts';
import type { EcdChart, EcdSession } from './ecd-session.ts';
import { LONGEST_NARRATION_CODE } from './import-master-data.ts';
import { monthsOf } from './import-opening.ts';
import { type FilePosting, postingsOf } from './read-entries.ts';
import { plainText } from './texts.ts';

/** What was written, beside what the session counts. */
export interface WrittenEntries {
  readonly firstBatchId: number | null;
  readonly debits: string;
  readonly credits: string;
}

/** Opens the months of the file and posts its entries into them, month by month. */
export async function writeEntries(
  session: EcdSession,
  chart: EcdChart,
  file: Pick<SpooledFile, 'path'>,
): Promise<WrittenEntries> {
  const writing = new EntryWriting(session, chart, file);
  await writing.run();
  return writing.written;
}

class EntryWriting {
  private readonly session: EcdSession;
  private readonly chart: EcdChart;
  private readonly file: Pick<SpooledFile, 'path'>;
  private debits = 0n;
  private credits = 0n;
  private firstBatchId: number | null = null;
  private isStaging = false;
  private accounts: AccountFinder | undefined;
  private month: MonthWriting | undefined;

  constructor(session: EcdSession, chart: EcdChart, file: Pick<SpooledFile, 'path'>) {
    this.session = session;
    this.chart = chart;
    this.file = file;
  }

  get written(): WrittenEntries {
    return {
      ...{ firstBatchId: this.firstBatchId, debits: decimalOf(this.debits), credits: decimalOf(this.credits) },
    };
  }

  async run(): Promise<void> {
    const { session } = this;
    const months = monthsOf(session);
    this.accounts = await loadAccountFinder(session.sql, this.chart.id);
    const numbers = months.map((month) => Number(month.replace('-', '')));
    // Months that are mixed up are read one by one.
    const passes = session.contents.isInOrder ? [numbers] : numbers.map((number) => [number]);
    let next = 0;
    for (const pass of passes) {
      for await (const rows of postingsOf(this.file, (month) => pass.includes(month))) {
        for (const row of rows) {
          while (numbers[next - 1] !== row.entry.month) await this.begin(months[next++]!);
          // The month takes nothing.
          if (this.month === undefined) return;
          this.month.add(row);
        }
        await this.month?.keepUp();
        if (session.findings.stops > 0) return this.month?.settled();
        session.tell({ step: 'LANCAMENTOS', lines: session.created.lines });
      }
    }
    // Months without entries are opened too.
    while (next < months.length && session.findings.stops === 0) await this.begin(months[next++]!);
    await this.end();
    if (session.created.lines > 0) await noteWrittenLines(session.sql, session.created.lines);
  }

  private async begin(month: Month): Promise<void> {
    await this.end();
    const { session } = this;
    if (!(await openedFor(session, month))) return;
    const begin = async () => {
      requireOpen(await lockMonthShared(session.sql, { ...session.tenant, month }), month);
      if (!this.isStaging) await beginStaging(session.sql);
      this.isStaging = true;
    };
    this.month = await MonthWriting.of(session, this.chart, this.accounts!, month, begin);
  }

  private async end(): Promise<void> {
    const { month } = this;
    if (month === undefined) return;
    this.month = undefined;
    await month.end();
    this.debits += month.debits;
    this.credits += month.credits;
    this.firstBatchId ??= month.firstBatchId;
  }
}

/** Opens the month where it is not; false: it cannot take the file. */
async function openedFor({ sql, context, tenant, findings, created }: EcdSession, month: Month): Promise<boolean> {
  const months = await selectBranchMonths(sql, tenant.companyId, tenant.branchId);
  const wrong = (detail: string) => {
    findings.own('PARTIDAS_MES_NAO_LIVRE', { register: 'I150', field: 'DT_INI', value: month, detail });
    return false;
  };
  if (months.lastClosed !== null && months.lastClosed >= month) return wrong('O mês já está consolidado.');
  if (months.lastOpened !== null && months.lastOpened >= month)
    return (await hasMovements(sql, tenant, month)) ? wrong('O mês já tem lotes.') : true;
  const reopening = { allowed: false, reason: undefined, confirmed: false };
  try {
    await openMonth(context, tenant, month, reopening);
  } catch (error) {
    if (!(error instanceof BusinessError)) throw error;
    return wrong(`O próximo mês a abrir é outro: os livros da filial começam ou seguem em outro mês.`);
  }
  created.months++;
  return true;
}

/** What separates batch, document and kind in the name of a document. */
const BETWEEN = '\u0001';

/** The entries of one month on their way into the books. */
class MonthWriting {
  firstBatchId: number | null = null;
  private readonly session: EcdSession;
  private readonly chart: EcdChart;
  private readonly month: Month;
  private readonly facts: PostingFacts;
  private readonly problems = new FileProblems();
  private readonly writer: LineWriter;
  private readonly runs: EntryRuns;
  private readonly batches = new Map<string, { readonly id: number; readonly number: string }>();
  /** By the name of their documents' batch. */
  private readonly lines = new Map<string, number>();
  private entries = 0;
  private lastEntry = 0;

  private constructor(
    session: EcdSession,
    chart: EcdChart,
    accounts: AccountFinder,
    month: Month,
    facts: PostingFacts,
    begin: () => Promise<void>,
  ) {
    this.session = session;
    this.chart = chart;
    this.month = month;
    this.facts = facts;
    this.writer = new LineWriter(session.sql, {
      ...{ tenant: session.tenant, month, chartId: chart.id, chart: accounts },
      ...{ problems: this.problems, mark: session.mark, begin },
      lockBatch: () => Promise.resolve(0),
      placeOf: () => 'I250',
      documents: (names) => this.documentsOf(names),
      isClosing: (name) => name.endsWith(`${BETWEEN}E`),
    });
    this.runs = new EntryRuns(facts, this.writer, true);
  }

  static async of(
    session: EcdSession,
    chart: EcdChart,
    accounts: AccountFinder,
    month: Month,
    begin: () => Promise<void>,
  ): Promise<MonthWriting> {
    const { companyId, branchId } = session.tenant;
    const rules = (await selectPostingRules(session.sql, companyId, branchId, daysOf(month)))!;
    const narrations = await selectPostingNarrations(session.sql, companyId, branchId, 'ALL');
    const facts = postingFacts({ month, state: 'OPEN' }, rules, {
      account: (id) => accounts.byId(id),
      narration: (code) => narrations.get(code),
    });
    return new MonthWriting(session, chart, accounts, month, facts, begin);
  }

  get debits(): bigint {
    return this.runs.debits;
  }

  get credits(): bigint {
    return this.runs.credits;
  }

  add(row: FilePosting): void {
    const staged = this.staged(row);
    if (staged === undefined) return;
    if (row.entry.line !== this.lastEntry) this.entries++;
    this.lastEntry = row.entry.line;
    this.runs.add(staged);
  }

  async keepUp(): Promise<void> {
    this.tellWrong();
    await this.writer.keepUp();
    this.tellWrong();
  }

  async end(): Promise<void> {
    const { session, writer } = this;
    this.runs.end();
    this.tellWrong();
    try {
      if (session.findings.stops > 0) return;
      await writer.finish();
      this.tellWrong();
    } finally {
      await writer.settled();
    }
    session.created.lines += writer.lines;
    session.created.entries += this.entries;
    this.tellEvents();
  }

  /** Until no statement is under way. */
  settled(): Promise<void> {
    return this.writer.settled();
  }

  private staged({ line, entry, account, amount, side, narrationCode, narration }: FilePosting): StagedRow | undefined {
    const decimal = amount.replace(',', '.');
    const centavos = centavosFromDecimal(decimal);
    if (centavos === 0n) return undefined;
    const { session } = this;
    const place = session.contents.places.of(entry.number, entry.month, dayNumberOf(entry.day), entry.isClosing);
    const [code, text] = this.narrationOf(narrationCode, narration);
    const posting: PostingLine = {
      ...{ side: side === 'C' ? 'C' : 'D', day: entry.day, accountId: this.chart.accounts.get(account)?.id },
      ...{ offsetAccountId: null, amount: centavos, narration: text, narrationCode: code },
      factDay: entry.factDay,
    };
    for (const found of lineFindings(posting, this.facts)) this.wrong(line, found.problem);
    if (posting.accountId === undefined || centavos === undefined) return undefined;
    const kind = entry.isClosing ? 'E' : 'N';
    const batch = place.batch + BETWEEN + kind;
    this.lines.set(batch, (this.lines.get(batch) ?? 0) + 1);
    return {
      ...{ row: line, document: [place.batch, place.document, kind].join(BETWEEN), entry: place.number },
      ...{ day: entry.day, side: posting.side, accountId: posting.accountId, offsetAccountId: null },
      ...{ amount: centavos, decimal, narration: text, narrationCode: code, factDay: entry.factDay },
    };
  }

  /** A code that narrations cannot have is written out. */
  private narrationOf(code: string, text: string): readonly [string | null, string | null] {
    const own = text === '' ? '' : plainText(text);
    if (code === '' || code.length <= LONGEST_NARRATION_CODE)
      return [code === '' || this.facts.narration(code) === undefined ? null : code, own || null];
    const standard = plainText(this.session.contents.narrations.get(code)?.text ?? '');
    return [null, [standard, own].filter(Boolean).join(' ') || null];
  }

  private async documentsOf(names: readonly string[]): Promise<readonly ImportedDocument[]> {
    const { session } = this;
    const byBatch = Map.groupBy(names, (name) => {
      const [batch = '', , kind = ''] = name.split(BETWEEN);
      return batch + BETWEEN + kind;
    });
    const found: ImportedDocument[] = [];
    for (const [key, ofBatch] of byBatch) {
      const batch = await this.batchOf(key);
      const numbers = new Map(ofBatch.map((name) => [name.split(BETWEEN)[1]!, name]));
      const { companyId } = session.tenant;
      const documents = await ensureDocuments(session.sql, companyId, batch.id, [...numbers.keys()], session.mark);
      session.created.documents += documents.filter(({ isNew }) => isNew).length;
      found.push(...documents.map((document) => ({ ...document, number: numbers.get(document.number)! })));
    }
    return found;
  }

  private async batchOf(key: string) {
    let batch = this.batches.get(key);
    if (batch !== undefined) return batch;
    const { sql, tenant, mark, created } = this.session;
    const [number = '', kind] = key.split(BETWEEN);
    const facts = { month: this.month, number, isClosing: kind === 'E', by: mark.by };
    batch = { id: await insertEcdBatch(sql, tenant, facts), number };
    this.firstBatchId ??= batch.id;
    this.batches.set(key, batch);
    created.batches++;
    return batch;
  }

  private tellEvents(): void {
    const { sql, tenant, mark } = this.session;
    const { month } = this;
    for (const [key, { id, number }] of this.batches) {
      const data = { source: 'IMPORT', month, batchId: id, batch: number, importId: mark.importId } as const;
      recordEvents(sql, [{ type: 'entry.posted', ...tenant, data: { ...data, lines: this.lines.get(key) ?? 0 } }]);
    }
  }

  private tellWrong(): void {
    for (const { row, problem } of this.runs.wrong.splice(0)) this.wrong(row, problem);
    for (const { row, problem } of this.problems.told.splice(0)) this.wrong(row, problem);
    if (this.session.findings.stops > 0) this.writer.stop();
  }

  private wrong(line: number, problem: Problem): void {
    const detail = this.session.describe(new BusinessError(problem));
    this.session.findings.own('PARTIDAS_LANCAMENTO_RECUSADO', { line, register: 'I250', detail });
  }
}
