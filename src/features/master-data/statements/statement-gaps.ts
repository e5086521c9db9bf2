import { type Placement, placeAccounts } from '../../../accounting/statements/place-accounts.ts';
import type { Context } from '../../../platform/context.ts';
import { type AccountRow, selectAccountsOfChart } from '../chart/chart.read.sql.ts';
import { masksOfChart } from '../chart/masks-of-chart.ts';
import { requireStatement } from './save-statement.ts';
import { selectStatementLines } from './statements.read.sql.ts';

/** Posting accounts that stand on no line of the statement, or on several. */
export async function readStatementGaps(context: Context, id: number): Promise<Placement<AccountRow>> {
  const { chartId, kind } = await requireStatement(context.sql, context, id);
  const lines = await selectStatementLines(context.sql, id);
  const accounts = await selectAccountsOfChart(context.sql, chartId);
  return placeAccounts(kind, lines, accounts, await masksOfChart(context.sql, chartId));
}
