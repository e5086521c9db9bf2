import type { BranchId, CompanyId } from '../../../accounting/ids.ts';
import { type Day, firstDay, lastDay, type Month } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { type Fragment, SQL } from '../../../platform/database/statement.ts';
import { JOB_COLUMNS, type JobRow } from '../../operations/jobs/jobs.sql.ts';
import type { ReportKind } from '../../reporting/print/report-request.ts';
import { unmendedImport } from '../checklist/findings.read.sql.ts';
import { inTableOrder } from '../month-close/prove-entries.read.sql.ts';

/** Months of some branches of a company: each of the branches with each month of the span. */
export interface MonthsPlace {
  readonly companyId: CompanyId;
  readonly branchIds: readonly BranchId[];
  readonly from: Month;
  readonly to: Month;
}

/** What every row of a reading is of. */
export interface OfMonth {
  readonly branchId: BranchId;
  readonly month: Month;
}

export interface OpenedMonth extends OfMonth {
  readonly state: 'OPEN' | 'CLOSED';
  readonly archived: boolean;
  readonly openedAt: Date;
  readonly closedAt: Date | null;
  readonly closedBy: string | null;
  /** In force, as 64 hexadecimal digits; null: not closed, or closed before seals existed. */
  readonly seal: string | null;
  /** As its close kept them; null: they are to be summed. */
  readonly entries: number | null;
  /** NUMERIC text. */
  readonly debits: string | null;
}

const OF_MONTH = (table: string): Fragment =>
  SQL`${SQL.identifier(`${table}.branch_id`)} AS "branchId", to_char(${SQL.identifier(`${table}.month`)}, 'YYYY-MM') AS month`;

function ofMonths(table: string, { companyId, branchIds, from, to }: MonthsPlace): Fragment {
  return SQL`${SQL.identifier(`${table}.company_id`)} = ${companyId}
       AND ${SQL.identifier(`${table}.branch_id`)} = ANY (${branchIds}::bigint[])
       AND ${SQL.identifier(`${table}.month`)} BETWEEN ${firstDay(from)} AND ${firstDay(to)}`;
}

export function selectOpenedMonthsOf(sql: Sql, place: MonthsPlace): Promise<OpenedMonth[]> {
  return sql.rows<OpenedMonth>(SQL`
    SELECT ${OF_MONTH('month')}, month.state, month.archived, month.opened_at AS "openedAt",
           month.closed_at AS "closedAt", month.closed_by AS "closedBy", month.entries, month.debits,
           (SELECT encode(seal.seal, 'hex')
              FROM seal
             WHERE seal.company_id = ${place.companyId} AND seal.branch_id = month.branch_id AND seal.month = month.month
               AND month.state = 'CLOSED'
             ORDER BY seal.position DESC LIMIT 1) AS seal
      FROM month
     WHERE ${ofMonths('month', place)}`);
}

export interface CountedDays extends OfMonth {
  readonly days: number;
  readonly closedDays: number;
  readonly businessDays: number;
  readonly closedBusinessDays: number;
  /** The business day that is closed next, of months that are open. */
  readonly currentDay: Day | null;
}

export function selectDaysOf(sql: Sql, { companyId, branchIds, from, to }: MonthsPlace): Promise<CountedDays[]> {
  return sql.rows<CountedDays>(SQL`
    SELECT calendar_day.branch_id AS "branchId", to_char(calendar_day.day, 'YYYY-MM') AS month, count(*) AS days,
           count(*) FILTER (WHERE calendar_day.closed) AS "closedDays",
           count(*) FILTER (WHERE calendar_day.business_day) AS "businessDays",
           count(*) FILTER (WHERE calendar_day.business_day AND calendar_day.closed) AS "closedBusinessDays",
           min(calendar_day.day) FILTER (WHERE calendar_day.business_day AND NOT calendar_day.closed) AS "currentDay"
      FROM calendar_day
     WHERE calendar_day.company_id = ${companyId} AND calendar_day.branch_id = ANY (${branchIds}::bigint[])
       AND calendar_day.day BETWEEN ${firstDay(from)} AND ${lastDay(to)}
     GROUP BY calendar_day.branch_id, to_char(calendar_day.day, 'YYYY-MM')`);
}

/** Batches of the months, archived ones among them. */
export function selectBatchCounts(sql: Sql, place: MonthsPlace): Promise<(OfMonth & { readonly batches: number })[]> {
  return sql.rows(SQL`
    SELECT ${OF_MONTH('folder')}, count(*) AS batches
      FROM (SELECT batch.branch_id, batch.month FROM batch WHERE ${ofMonths('batch', place)}
            UNION ALL
            SELECT batch_archive.branch_id, batch_archive.month FROM batch_archive WHERE ${ofMonths('batch_archive', place)}) AS folder
     GROUP BY folder.branch_id, folder.month`);
}

export interface PostedFigures extends OfMonth {
  readonly entries: number;
  /** NUMERIC text, as what debits exceed credits by. */
  readonly debits: string;
  readonly difference: string;
}

/** Of the months whose close has kept no figures: of the open ones. */
export function selectPostedFigures(sql: Sql, place: MonthsPlace): Promise<PostedFigures[]> {
  return inTableOrder(sql, () =>
    sql.rows<PostedFigures>(SQL`
    SELECT ${OF_MONTH('entry_line')}, count(*) FILTER (WHERE entry_line.sequence = 1) AS entries,
           coalesce(sum(entry_line.amount) FILTER (WHERE entry_line.side = 'D'), 0) AS debits,
           coalesce(sum(entry_line.amount) FILTER (WHERE entry_line.side = 'D'), 0)
           - coalesce(sum(entry_line.amount) FILTER (WHERE entry_line.side = 'C'), 0) AS difference
      FROM month
      JOIN entry_line ON entry_line.company_id = month.company_id AND entry_line.branch_id = month.branch_id
       AND entry_line.month = month.month
     WHERE ${ofMonths('month', place)} AND month.entries IS NULL
     GROUP BY entry_line.branch_id, entry_line.month`),
  );
}

/** Files written, and rejected ones that no later file of the name has mended. */
export async function selectImportCounts(
  sql: Sql,
  place: MonthsPlace,
): Promise<(OfMonth & { readonly done: number; readonly refused: number })[]> {
  return sql.rows(SQL`
    SELECT ${OF_MONTH('import_record')}, count(*) FILTER (WHERE import_record.status = 'DONE') AS done,
           count(*) FILTER (WHERE ${await unmendedImport(sql, place.companyId)}) AS refused
      FROM import_record
     WHERE ${ofMonths('import_record', place)} AND NOT import_record.dry_run
     GROUP BY import_record.branch_id, import_record.month`);
}

/** The last month close that was asked for, of each month. */
export function selectLastRuns(
  sql: Sql,
  place: MonthsPlace,
): Promise<(OfMonth & { readonly job: JobRow<'CONSOLIDATION'> })[]> {
  const { companyId, branchIds, from, to } = place;
  return sql
    .rows<OfMonth & { readonly monthOfJob: Month } & JobRow<'CONSOLIDATION'>>(SQL`
    SELECT DISTINCT ON (job.branch_id, job.month) ${JOB_COLUMNS}, to_char(job.month, 'YYYY-MM') AS "monthOfJob"
      FROM job
     WHERE job.company_id = ${companyId} AND job.kind = 'CONSOLIDATION'
       AND job.month BETWEEN ${firstDay(from)} AND ${firstDay(to)} AND job.branch_id = ANY (${branchIds}::bigint[])
     ORDER BY job.branch_id, job.month, job.id DESC`)
    .then((rows) => rows.map(({ monthOfJob, ...job }) => ({ branchId: job.branchId!, month: monthOfJob, job })));
}

export interface RunOfRules extends OfMonth {
  readonly processId: number;
  readonly document: string;
  readonly passed: number;
  /** Rules that failed, and those that could not be computed. */
  readonly failed: number;
  readonly executedAt: Date;
  readonly executedBy: string;
  /** The month was opened again since, or closed again. */
  readonly stale: boolean;
}

/** The last run of each document's rules. */
export function selectRunsOfRules(sql: Sql, place: MonthsPlace): Promise<RunOfRules[]> {
  return sql.rows<RunOfRules>(SQL`
    SELECT ${OF_MONTH('last')}, last.id AS "processId", regulatory_document.code AS document, last.passed,
           last.failed + last.broken AS failed, last.executed_at AS "executedAt", last.executed_by AS "executedBy",
           last.stale
      FROM (SELECT DISTINCT ON (compliance_process.branch_id, compliance_process.month, compliance_process.document_id)
                   compliance_process.company_id, compliance_process.branch_id, compliance_process.month,
                   compliance_process.document_id, compliance_process.id, compliance_process.passed,
                   compliance_process.failed, compliance_process.broken, compliance_process.executed_at,
                   compliance_process.executed_by, ${isStale(SQL`compliance_process.executed_at`)} AS stale
              FROM compliance_process
              JOIN month ON month.company_id = compliance_process.company_id
               AND month.branch_id = compliance_process.branch_id AND month.month = compliance_process.month
             WHERE ${ofMonths('compliance_process', place)}
             ORDER BY compliance_process.branch_id, compliance_process.month, compliance_process.document_id,
                      compliance_process.id DESC) AS last
      JOIN regulatory_document ON regulatory_document.id = last.document_id
     ORDER BY regulatory_document.code`);
}

export interface PrintedOfMonth extends OfMonth {
  readonly kind: ReportKind;
  readonly printedAt: Date;
  readonly printedBy: string;
  /** Printed before the month was closed. */
  readonly stale: boolean;
}

/** Reports of the whole month and when each was printed last. */
export function selectPrintedReports(sql: Sql, place: MonthsPlace): Promise<PrintedOfMonth[]> {
  return sql.rows<PrintedOfMonth>(SQL`
    SELECT ${OF_MONTH('printed_report')}, printed_report.kind, printed_report.printed_at AS "printedAt",
           printed_report.printed_by AS "printedBy", ${isStale(SQL`printed_report.printed_at`)} AS stale
      FROM printed_report
      LEFT JOIN month ON month.company_id = printed_report.company_id AND month.branch_id = printed_report.branch_id
       AND month.month = printed_report.month
     WHERE ${ofMonths('printed_report', place)}
     ORDER BY printed_report.kind`);
}

/** What was read before the month was closed, or opened again, is of other books. */
function isStale(moment: Fragment): Fragment {
  return SQL`(month.closed_at IS NULL OR ${moment} < month.closed_at)`;
}

export interface MonthStateOf extends OfMonth {
  readonly state: 'OPEN' | 'CLOSED';
  readonly archived: boolean;
  /** A close of it waits or runs. */
  readonly closing: boolean;
}

/** The states alone, by the keys of two tables. */
export async function selectStatesOf(sql: Sql, place: MonthsPlace): Promise<MonthStateOf[]> {
  const months = await sql.rows<Omit<MonthStateOf, 'closing'>>(SQL`
    SELECT ${OF_MONTH('month')}, month.state, month.archived
      FROM month
     WHERE ${ofMonths('month', place)}
     ORDER BY month.branch_id, month.month`);
  const closing = await sql.rows<OfMonth>(SQL`
    SELECT ${OF_MONTH('job')} FROM job
     WHERE ${ofMonths('job', place)} AND job.kind = 'CONSOLIDATION' AND job.status IN ('PENDING', 'RUNNING')`);
  const keyOf = ({ branchId, month }: OfMonth) => `${branchId} ${month}`;
  const isClosing = new Set(closing.map(keyOf));
  return months.map((month) => ({ ...month, closing: isClosing.has(keyOf(month)) }));
}
