import { monthOf } from '../../../accounting/period.ts';
import { type Problem, problem, reject, throwIfAny } from '../../../accounting/problem.ts';
import { recordRef } from '../../../accounting/record-name.ts';
import type { DefinitionLine } from '../../../accounting/statements/statement-definition.ts';
import type { Context } from '../../../platform/context.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import type { Tenant } from '../../access/access.ts';
import { recordAudit } from '../../access/audit.sql.ts';
import { requireBooks } from '../companies/require-books.ts';
import { requireStatement } from './save-statement.ts';
import { replaceStatementFacts, type StatementFact, selectStatementFacts } from './statement-facts.sql.ts';
import { type StatementRow, selectStatementLines } from './statements.read.sql.ts';

/** The facts that were typed for a year of the branch. */
export async function readStatementFacts(
  context: Context,
  tenant: Tenant,
  id: number,
  year: number,
): Promise<StatementFact[]> {
  await requireEquityStatement(context.sql, context, tenant, id);
  return selectFactsOfYear(context.sql, tenant, id, year);
}

/** Replaces the facts of a year; each names a line with accounts, and a fact stands once in a month of a line. */
export async function saveStatementFacts(
  context: Context,
  tenant: Tenant,
  id: number,
  year: number,
  facts: readonly StatementFact[],
): Promise<StatementFact[]> {
  return context.transaction(async (sql) => {
    await requireEquityStatement(sql, context, tenant, id);
    throwIfAny(factProblems(facts, await selectStatementLines(sql, id)));
    const before = await selectFactsOfYear(sql, tenant, id, year);
    await replaceStatementFacts(sql, tenant, id, year, facts);
    const after = await selectFactsOfYear(sql, tenant, id, year);
    const { companyId, branchId } = tenant;
    await recordAudit(sql, context, {
      action: 'UPDATE',
      entity: 'statement_fact',
      entityId: id,
      companyId,
      branchId,
      before: { year, facts: before },
      after: { year, facts: after },
    });
    return after;
  });
}

function selectFactsOfYear(sql: Sql, tenant: Tenant, id: number, year: number): Promise<StatementFact[]> {
  return selectStatementFacts(sql, tenant, id, monthOf(year, 1)!, monthOf(year, 12)!);
}

/** A definition of changes in equity over the branch's own chart. */
async function requireEquityStatement(sql: Sql, context: Context, tenant: Tenant, id: number): Promise<StatementRow> {
  const statement = await requireStatement(sql, context, id);
  const { chartId } = await requireBooks(sql, tenant);
  if (statement.chartId !== chartId) reject('NOT_FOUND', recordRef('Statement', id), 'id');
  if (statement.kind === 'BP' || statement.kind === 'DRE') {
    reject('STATEMENT_WITHOUT_FACTS', { statement: statement.kind }, 'id');
  }
  return statement;
}

function factProblems(facts: readonly StatementFact[], lines: readonly DefinitionLine[]): Problem[] {
  const details = new Set(lines.flatMap(({ code, indicator }) => (indicator === 'D' ? [code] : [])));
  const keys = facts.map(({ month, code, lineCode }) => JSON.stringify([month, code, lineCode]));
  return facts.flatMap(({ code, lineCode }, at) => [
    ...(details.has(lineCode) ? [] : [problem('NOT_FOUND', recordRef('Statement line', lineCode), `[${at}].lineCode`)]),
    ...(keys.indexOf(keys[at]!) === at ? [] : [problem('DUPLICATE', recordRef('Code', code), `[${at}].code`)]),
  ]);
}
