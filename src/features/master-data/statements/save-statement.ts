import type { Day } from '../../../accounting/period.ts';
import { type Problem, problem, reject, throwIfAny } from '../../../accounting/problem.ts';
import { recordRef } from '../../../accounting/record-name.ts';
import type { Context } from '../../../platform/context.ts';
import type { Transaction } from '../../../platform/database/sql.ts';
import { recordAudit } from '../../access/audit.sql.ts';
import { selectChart } from '../chart/chart.read.sql.ts';
import { type HeldChart, lockChart } from '../chart/chart.sql.ts';
import { requireChartChange } from '../chart/chart-owner.ts';
import { rejectWhenReferenced } from '../reject-when-referenced.ts';
import { validityProblems } from '../validity.ts';
import { type StatementRow, selectStatementsOfChart, selectVisibleStatement } from './statements.read.sql.ts';
import { deleteStatementRow, insertStatement, type StatementInput, updateStatement } from './statements.sql.ts';

export interface NewStatement extends StatementInput {
  readonly chart: string;
}

/** A definition without lines yet, over a chart that the caller may change. */
export async function createStatement(context: Context, input: NewStatement): Promise<StatementRow> {
  return context.transaction(async (sql) => {
    const chart = await lockChangedChart(sql, context, input.chart);
    return addStatement(sql, context, chart, input);
  });
}

/** Replaces name, code and validity; its lines are of its kind and chart, which stay. */
export async function changeStatement(context: Context, id: number, input: NewStatement): Promise<StatementRow> {
  return context.transaction(async (sql) => {
    const { before, chart } = await lockStatement(sql, context, id);
    if (input.chart !== before.chart) reject('INVALID_FIELD', { reason: 'CANNOT_CHANGE' }, 'chart');
    if (input.kind !== before.kind) reject('INVALID_FIELD', { reason: 'CANNOT_CHANGE' }, 'kind');
    throwIfAny(await versionProblems(sql, chart, input, id));
    await updateStatement(sql, id, input);
    const after = await requireStatement(sql, context, id);
    await auditStatement(sql, context, chart, { action: 'UPDATE', entityId: id, before, after });
    return after;
  });
}

/** Removes a definition with its lines, unless facts of a branch name it. */
export async function deleteStatement(context: Context, id: number): Promise<void> {
  await context.transaction(async (sql) => {
    const { before, chart } = await lockStatement(sql, context, id);
    await rejectWhenReferenced(recordRef('Statement', before.code), () => deleteStatementRow(sql, id));
    await auditStatement(sql, context, chart, { action: 'DELETE', entityId: id, before });
  });
}

/** Adds a definition to a locked chart. */
export async function addStatement(
  sql: Transaction,
  context: Context,
  chart: HeldChart,
  input: StatementInput,
): Promise<StatementRow> {
  throwIfAny(await versionProblems(sql, chart, input));
  const id = await insertStatement(sql, chart.id, input);
  const after = await requireStatement(sql, context, id);
  await auditStatement(sql, context, chart, { action: 'CREATE', entityId: id, after });
  return after;
}

/** The chart, locked against others who change it or its definitions: 404 where the caller does not see it, 403 where it is another's. */
export async function lockChangedChart(sql: Transaction, context: Context, code: string): Promise<HeldChart> {
  const seen = await selectChart(sql, context.caller.id, code);
  const held = seen?.visible ? await lockChart(sql, code) : undefined;
  if (held === undefined) reject('NOT_FOUND', recordRef('Chart', code), 'chart');
  requireChartChange(context, held, 'chart');
  return held;
}

/** The definition and its chart, locked for a change. */
export async function lockStatement(
  sql: Transaction,
  context: Context,
  id: number,
): Promise<{ before: StatementRow; chart: HeldChart }> {
  const { chart: code } = await requireStatement(sql, context, id);
  const chart = await lockChangedChart(sql, context, code);
  return { before: await requireStatement(sql, context, id), chart };
}

/** A definition over a chart that the caller sees. */
export async function requireStatement(
  sql: Context['sql'],
  context: Pick<Context, 'caller'>,
  id: number,
): Promise<StatementRow> {
  return (
    (await selectVisibleStatement(sql, context.caller.id, id)) ?? reject('NOT_FOUND', recordRef('Statement', id), 'id')
  );
}

/** Who owns the chart owns what is done to its definitions. */
export function auditStatement(
  sql: Transaction,
  context: Context,
  { ownerCompanyId }: HeldChart,
  entry: { action: string; entityId: number; before?: unknown; after?: unknown },
): Promise<void> {
  return recordAudit(sql, context, { ...entry, entity: 'statement', companyId: ownerCompanyId ?? undefined });
}

/** A validity that ends before it begins, or that shares days with another version of the same code. */
async function versionProblems(
  sql: Transaction,
  chart: HeldChart,
  { kind, code, validFrom, validTo }: StatementInput,
  ownId?: number,
): Promise<Problem[]> {
  const problems = validityProblems(validFrom, validTo);
  if (problems.length > 0) return problems;
  const versions = await selectStatementsOfChart(sql, chart.id, kind);
  return versions
    .filter(
      (each) => each.id !== ownId && each.code === code && sharesDays(each, { validFrom, validTo: validTo ?? null }),
    )
    .map((each) => problem('STATEMENT_VERSIONS_OVERLAP', { code, from: each.validFrom }, 'validFrom'));
}

interface Validity {
  readonly validFrom: Day;
  readonly validTo: Day | null;
}

function sharesDays(one: Validity, other: Validity): boolean {
  return (
    (other.validTo === null || one.validFrom <= other.validTo) &&
    (one.validTo === null || other.validFrom <= one.validTo)
  );
}
