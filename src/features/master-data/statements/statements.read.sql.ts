import type { ChartId } from '../../../accounting/ids.ts';
import type { Day } from '../../../accounting/period.ts';
import type { DefinitionLine, StatementKind } from '../../../accounting/statements/statement-definition.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import { visibleCharts } from '../chart/chart.read.sql.ts';

/** The head of a definition: which statement, of which chart, from when to when. */
export interface StatementRow {
  readonly id: number;
  readonly chartId: ChartId;
  readonly chart: string;
  readonly kind: StatementKind;
  readonly code: string;
  readonly name: string;
  readonly validFrom: Day;
  readonly validTo: Day | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const STATEMENT_COLUMNS = SQL`statement.id, statement.chart_id AS "chartId", chart.code AS chart, statement.kind, statement.code,
  statement.name, statement.valid_from AS "validFrom", statement.valid_to AS "validTo",
  statement.created_at AS "createdAt", statement.updated_at AS "updatedAt"`;

const MAX_STATEMENTS = 10_000;

/** Definitions over the charts that the caller sees, or over one of them; one more than a list may hold. */
export function selectVisibleStatements(
  sql: Sql,
  callerId: number,
  chart: string | undefined,
): Promise<StatementRow[]> {
  return sql.rows<StatementRow>(SQL`
    SELECT ${STATEMENT_COLUMNS}
      FROM statement
      JOIN chart ON chart.id = statement.chart_id
     WHERE statement.chart_id IN ${visibleCharts(callerId)}
       AND (${chart ?? null}::text IS NULL OR chart.code = ${chart ?? null})
     ORDER BY chart.code, statement.kind, statement.code, statement.valid_from
     LIMIT ${MAX_STATEMENTS + 1}`);
}

export { MAX_STATEMENTS };

/** A definition over a chart that the caller sees. */
export function selectVisibleStatement(sql: Sql, callerId: number, id: number): Promise<StatementRow | undefined> {
  return sql.maybe<StatementRow>(SQL`
    SELECT ${STATEMENT_COLUMNS}
      FROM statement
      JOIN chart ON chart.id = statement.chart_id
     WHERE statement.id = ${id} AND statement.chart_id IN ${visibleCharts(callerId)}`);
}

/** The definitions of a kind over a chart, each code's versions in their order. */
export function selectStatementsOfChart(sql: Sql, chartId: ChartId, kind: StatementKind): Promise<StatementRow[]> {
  return sql.rows<StatementRow>(SQL`
    SELECT ${STATEMENT_COLUMNS}
      FROM statement
      JOIN chart ON chart.id = statement.chart_id
     WHERE statement.chart_id = ${chartId} AND statement.kind = ${kind}
     ORDER BY statement.code, statement.valid_from`);
}

/** The lines of a definition as they were given. */
export function selectStatementLines(sql: Sql, statementId: number): Promise<DefinitionLine[]> {
  return sql.rows<DefinitionLine>(SQL`
    SELECT statement_line.code, statement_line.indicator, statement_line.level,
           statement_line.parent_code AS "parentCode", statement_line.line_group AS "group",
           statement_line.description, statement_line.note,
           (SELECT coalesce(jsonb_agg(jsonb_build_object('pattern', statement_selector.pattern,
                                                         'exclude', statement_selector.exclude)
                                      ORDER BY statement_selector.position), '[]')
              FROM statement_selector
             WHERE statement_selector.statement_id = statement_line.statement_id
               AND statement_selector.line_code = statement_line.code) AS selectors
      FROM statement_line
     WHERE statement_line.statement_id = ${statementId}
     ORDER BY statement_line.position`);
}
