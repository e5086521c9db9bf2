import { problem } from '../../../accounting/problem.ts';
import { recordRef } from '../../../accounting/record-name.ts';
import type { Context } from '../../../platform/context.ts';
import type { Tenant } from '../../access/access.ts';
import { recordAudit } from '../../access/audit.sql.ts';
import type { FileProblems } from '../../posting/imports/staged-row.ts';
import { importTable, type TableOutcome } from '../table-imports/import-table.ts';
import type { TableFile, TableLayout, TableRow } from '../table-imports/read-table.ts';
import { RowReader } from '../table-imports/row-reader.ts';
import { type CalendarDay, upsertHolidays } from './calendar.sql.ts';

type Field = 'day' | 'name' | 'businessDay';

const LAYOUT: TableLayout<Field> = {
  columns: {
    day: ['date', 'data', 'dia'],
    name: ['holidayName', 'feriado', 'nome', 'descricao'],
    businessDay: ['businessDay', 'diaUtil'],
  },
  required: ['day', 'name'],
};

type Holiday = Omit<CalendarDay, 'closed'> & { readonly row: number };

/** Writes the holidays of a file into the branch's calendar; whether a day is closed stays as it is (domain: imports and bulk). */
export async function importHolidays(
  context: Context,
  tenant: Tenant,
  upload: { readonly file: TableFile; readonly dryRun: boolean },
): Promise<TableOutcome> {
  return importTable((work) => context.transaction(work), upload.file, upload.dryRun, {
    layout: LAYOUT,
    read: readHoliday,
    async write(sql, holidays, problems) {
      rejectTwice(holidays, problems);
      if (problems.count > 0) return;
      await upsertHolidays(sql, tenant.companyId, tenant.branchId, holidays);
      await recordAudit(sql, context, {
        action: 'IMPORT',
        entity: 'calendar_day',
        ...tenant,
        after: holidays.map(({ day, holidayName, businessDay }) => ({ day, holidayName, businessDay })),
      });
    },
  });
}

function readHoliday(row: TableRow<Field>, problems: FileProblems): Holiday | undefined {
  const cells = new RowReader(row, LAYOUT, problems);
  const day = cells.day('day');
  if (row.cells.day === '') cells.refuse('day', 'MISSING_VALUE');
  const holidayName = cells.required('name', 200);
  const businessDay = cells.flag('businessDay') ?? false;
  return cells.sound ? { row: row.row, day: day!, holidayName, businessDay } : undefined;
}

function rejectTwice(holidays: readonly Holiday[], problems: FileProblems): void {
  const seen = new Set<string>();
  for (const { row, day } of holidays) {
    if (seen.has(day)) {
      problems.add({ row, place: 'date', problem: problem('DUPLICATE', recordRef('Day', day)) });
    }
    seen.add(day);
  }
}
