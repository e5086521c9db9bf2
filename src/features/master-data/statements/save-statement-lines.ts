import { throwIfAny } from '../../../accounting/problem.ts';
import { recordRef } from '../../../accounting/record-name.ts';
import { placementProblems } from '../../../accounting/statements/place-accounts.ts';
import {
  type DefinitionLine,
  type GivenLine,
  levelProblems,
  treeProblems,
  withLevels,
} from '../../../accounting/statements/statement-definition.ts';
import type { Context } from '../../../platform/context.ts';
import type { Transaction } from '../../../platform/database/sql.ts';
import { selectAccountsOfChart } from '../chart/chart.read.sql.ts';
import type { HeldChart } from '../chart/chart.sql.ts';
import { masksOfChart } from '../chart/masks-of-chart.ts';
import { rejectWhenReferenced } from '../reject-when-referenced.ts';
import { auditStatement, lockStatement } from './save-statement.ts';
import { type StatementRow, selectStatementLines } from './statements.read.sql.ts';
import { replaceStatementLines } from './statements.sql.ts';

/** Most problems that one answer names. */
const MAX_REPORTED = 1_000;

/** Replaces all lines of a definition at once; rejects lines that make no statement, naming each account at fault. */
export async function saveStatementLines(
  context: Context,
  id: number,
  given: readonly GivenLine[],
): Promise<DefinitionLine[]> {
  return context.transaction(async (sql) => {
    const { before, chart } = await lockStatement(sql, context, id);
    return writeLines(sql, context, chart, before, given);
  });
}

/** Writes lines into a definition of a locked chart. */
export async function writeLines(
  sql: Transaction,
  context: Context,
  chart: HeldChart,
  statement: StatementRow,
  given: readonly GivenLine[],
): Promise<DefinitionLine[]> {
  const { id, kind, code } = statement;
  const lines = withLevels(given);
  throwIfAny([...treeProblems(kind, lines), ...levelProblems(given)].slice(0, MAX_REPORTED));
  const accounts = await selectAccountsOfChart(sql, chart.id);
  const masks = await masksOfChart(sql, chart.id);
  throwIfAny(placementProblems(kind, lines, accounts, masks).slice(0, MAX_REPORTED));
  const before = await selectStatementLines(sql, id);
  await rejectWhenReferenced(recordRef('Statement', code), () => replaceStatementLines(sql, id, lines));
  const after = await selectStatementLines(sql, id);
  await auditStatement(sql, context, chart, {
    action: 'UPDATE',
    entityId: id,
    before: { lines: before },
    after: { lines: after },
  });
  return after;
}
