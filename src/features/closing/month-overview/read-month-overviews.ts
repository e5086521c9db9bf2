import type { BranchId, CompanyId } from '../../../accounting/ids.ts';
import { type Month, monthRange } from '../../../accounting/period.ts';
import type { MonthState } from '../../../accounting/posting.ts';
import type { Transaction } from '../../../platform/database/sql.ts';
import type { JobRow } from '../../operations/jobs/jobs.sql.ts';
import {
  type CountedDays,
  type MonthsPlace,
  type OfMonth,
  type OpenedMonth,
  type PostedFigures,
  type PrintedOfMonth,
  type RunOfRules,
  selectBatchCounts,
  selectDaysOf,
  selectImportCounts,
  selectLastRuns,
  selectOpenedMonthsOf,
  selectPostedFigures,
  selectPrintedReports,
  selectRunsOfRules,
} from './month-overview.read.sql.ts';

/** A month of a branch at a glance: how far it is, and what stands in it. */
export interface MonthOverview extends OfMonth {
  readonly state: MonthState;
  /** undefined: not opened. */
  readonly opened: OpenedMonth | undefined;
  readonly lastRun: JobRow<'CONSOLIDATION'> | undefined;
  readonly days: Omit<CountedDays, keyof OfMonth>;
  readonly batches: number;
  readonly posted: Omit<PostedFigures, keyof OfMonth>;
  readonly imports: { readonly done: number; readonly refused: number };
  readonly runsOfRules: readonly RunOfRules[];
  readonly printed: readonly PrintedOfMonth[];
}

/**
 * The months at a glance, branch by branch in the order given, each with all its months: eight statements, however many
 * branches; all but one of them go out together. Lines are read of open months alone; a close keeps the figures of its month.
 */
export async function readMonthOverviews(
  sql: Transaction,
  companyId: CompanyId,
  branchIds: readonly BranchId[],
  span: { readonly from: Month; readonly to: Month },
): Promise<MonthOverview[]> {
  const place: MonthsPlace = { companyId, branchIds, ...span };
  const [opened, days, batches, runs, rules, printed] = await sql.pipelined((reads) =>
    Promise.all([
      selectOpenedMonthsOf(reads, place),
      selectDaysOf(reads, place),
      selectBatchCounts(reads, place),
      selectLastRuns(reads, place),
      selectRunsOfRules(reads, place),
      selectPrintedReports(reads, place),
    ]),
  );
  const posted = await selectPostedFigures(sql, place);
  const imports = await selectImportCounts(sql, place);
  const found = { days: byMonth(days), batches: byMonth(batches), imports: byMonth(imports), runs: byMonth(runs) };
  const [openedAt, postedIn] = [byMonth(opened), byMonth(posted)];
  const [rulesOf, printedOf] = [Map.groupBy(rules, keyOf), Map.groupBy(printed, keyOf)];
  return branchIds.flatMap((branchId) =>
    monthRange(span.from, span.to).map((month): MonthOverview => {
      const key = keyOf({ branchId, month });
      const here = openedAt.get(key);
      const { done = 0, refused = 0 } = found.imports.get(key) ?? {};
      return {
        branchId,
        month,
        state: here?.state ?? 'NOT_OPENED',
        opened: here,
        lastRun: found.runs.get(key)?.job,
        days: daysOf(found.days.get(key), here),
        batches: found.batches.get(key)?.batches ?? 0,
        posted: keptFigures(here) ?? postedIn.get(key) ?? NOTHING_POSTED,
        imports: { done, refused },
        runsOfRules: rulesOf.get(key) ?? [],
        printed: printedOf.get(key) ?? [],
      };
    }),
  );
}

function keyOf({ branchId, month }: OfMonth): string {
  return `${branchId} ${month}`;
}

function byMonth<Row extends OfMonth>(rows: readonly Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [keyOf(row), row]));
}

const NO_DAYS = { days: 0, closedDays: 0, businessDays: 0, closedBusinessDays: 0, currentDay: null };
const NOTHING_POSTED = { entries: 0, debits: '0.00', difference: '0.00' };

/** No day of a closed month is closed any more. */
function daysOf(counted: CountedDays | undefined, opened: OpenedMonth | undefined): MonthOverview['days'] {
  if (counted === undefined) return NO_DAYS;
  return opened?.state === 'OPEN' ? counted : { ...counted, currentDay: null };
}

function keptFigures(opened: OpenedMonth | undefined): MonthOverview['posted'] | undefined {
  const { entries = null, debits = null } = opened ?? {};
  return entries === null || debits === null ? undefined : { entries, debits, difference: '0.00' };
}
