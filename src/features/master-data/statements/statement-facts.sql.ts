import { type Centavos, centavosFromSql, decimalOf } from '../../../accounting/money.ts';
import { type Month, monthNumberOf, yearOf } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import type { BranchKey } from '../../access/access.ts';

/** What a fact of a month added to the equity of a line: credit-positive, as equity is published. */
export interface StatementFact {
  readonly month: number;
  readonly code: string;
  readonly lineCode: string;
  readonly description: string;
  readonly amount: Centavos;
}

/** The facts of a branch in the months from the first to the last, as they were typed. */
export async function selectStatementFacts(
  sql: Sql,
  branch: BranchKey,
  statementId: number,
  from: Month,
  to: Month,
): Promise<StatementFact[]> {
  const placeOf = (month: Month) => yearOf(month) * 12 + monthNumberOf(month);
  const rows = await sql.rows<Omit<StatementFact, 'amount'> & { amount: string }>(SQL`
    SELECT statement_fact.month, statement_fact.code, statement_fact.line_code AS "lineCode",
           statement_fact.description, statement_fact.amount
      FROM statement_fact
     WHERE statement_fact.company_id = ${branch.companyId} AND statement_fact.branch_id = ${branch.branchId}
       AND statement_fact.statement_id = ${statementId}
       AND statement_fact.year * 12 + statement_fact.month BETWEEN ${placeOf(from)} AND ${placeOf(to)}
     ORDER BY statement_fact.year, statement_fact.month, natural_sort_key(statement_fact.code),
              statement_fact.line_code`);
  return rows.map((row) => ({ ...row, amount: centavosFromSql(row.amount) }));
}

/** Writes these facts of the year in the place of all others. */
export async function replaceStatementFacts(
  sql: Sql,
  { companyId, branchId }: BranchKey,
  statementId: number,
  year: number,
  facts: readonly StatementFact[],
): Promise<void> {
  await sql.run(SQL`
    DELETE FROM statement_fact
     WHERE statement_fact.company_id = ${companyId} AND statement_fact.branch_id = ${branchId}
       AND statement_fact.statement_id = ${statementId} AND statement_fact.year = ${year}`);
  const rows = JSON.stringify(facts.map((fact) => ({ ...fact, amount: decimalOf(fact.amount) })));
  await sql.run(SQL`
    INSERT INTO statement_fact (company_id, branch_id, statement_id, year, month, code, line_code, description, amount)
    SELECT ${companyId}, ${branchId}, ${statementId}, ${year}, fact.month, fact.code, fact."lineCode",
           fact.description, fact.amount
      FROM jsonb_to_recordset(${rows}::jsonb)
           AS fact (month integer, code text, "lineCode" text, description text, amount numeric)
    RETURNING statement_fact.statement_id`);
}
