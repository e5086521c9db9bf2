import type { Context } from '../../../platform/context.ts';
import type { ReportedTenant } from '../../access/access.ts';
import { readReportedBooks } from '../../master-data/companies/institution.ts';
import { type FinancialStatementSelection, readFinancialStatement } from './read-financial-statement.ts';

/** The statement as figures, of one snapshot of the books. */
export function showFinancialStatement(
  context: Context,
  asked: ReportedTenant,
  selection: FinancialStatementSelection,
): ReturnType<typeof readFinancialStatement> {
  return context.snapshot(async (sql) =>
    readFinancialStatement({ sql, tenant: await readReportedBooks(sql, asked) }, selection),
  );
}
