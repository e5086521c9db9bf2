import type { ChartId } from '../../../accounting/ids.ts';
import type { Day } from '../../../accounting/period.ts';
import type { DefinitionLine, StatementKind } from '../../../accounting/statements/statement-definition.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';

export interface StatementInput {
  readonly kind: StatementKind;
  readonly code: string;
  readonly name: string;
  readonly validFrom: Day;
  readonly validTo?: Day | undefined;
}

/** Returns its id. */
export async function insertStatement(sql: Sql, chartId: ChartId, input: StatementInput): Promise<number> {
  const { kind, code, name, validFrom, validTo } = input;
  const row = await sql.one<{ id: number }>(SQL`
    INSERT INTO statement (chart_id, kind, code, name, valid_from, valid_to)
    VALUES (${chartId}, ${kind}, ${code}, ${name}, ${validFrom}, ${validTo ?? null})
    RETURNING statement.id`);
  return row.id;
}

export async function updateStatement(
  sql: Sql,
  id: number,
  { code, name, validFrom, validTo }: StatementInput,
): Promise<void> {
  await sql.run(SQL`
    UPDATE statement SET code = ${code}, name = ${name}, valid_from = ${validFrom}, valid_to = ${validTo ?? null},
           updated_at = now()
     WHERE statement.id = ${id}`);
}

/** With its lines; facts of a branch stand against it. */
export async function deleteStatementRow(sql: Sql, id: number): Promise<void> {
  await sql.run(SQL`DELETE FROM statement WHERE statement.id = ${id}`);
}

/**
 * Writes these lines in the place of all others. A line that keeps its code stays, with the facts that name it; facts
 * stand against the removal of theirs.
 */
export async function replaceStatementLines(sql: Sql, id: number, lines: readonly DefinitionLine[]): Promise<void> {
  const rows = JSON.stringify(lines.map((line, position) => ({ ...line, position })));
  const selectors = JSON.stringify(
    lines.flatMap(({ code, selectors }) => selectors.map((each, position) => ({ ...each, line: code, position }))),
  );
  await sql.run(SQL`DELETE FROM statement_selector WHERE statement_selector.statement_id = ${id}`);
  await sql.run(SQL`
    INSERT INTO statement_line (statement_id, code, indicator, level, parent_code, line_group, description, position,
                                note)
    SELECT ${id}, line.code, line.indicator, line.level, line."parentCode", line."group", line.description,
           line.position, line.note
      FROM jsonb_to_recordset(${rows}::jsonb)
           AS line (code text, indicator text, level integer, "parentCode" text, "group" text, description text,
                    position integer, note text)
    ON CONFLICT (statement_id, code) DO UPDATE
       SET indicator = excluded.indicator, level = excluded.level, parent_code = excluded.parent_code,
           line_group = excluded.line_group, description = excluded.description, position = excluded.position,
           note = excluded.note`);
  await sql.run(SQL`
    DELETE FROM statement_line
     WHERE statement_line.statement_id = ${id} AND statement_line.code <> ALL (${lines.map(({ code }) => code)}::text[])`);
  await sql.run(SQL`
    INSERT INTO statement_selector (statement_id, line_code, position, pattern, exclude)
    SELECT ${id}, chosen.line, chosen.position, chosen.pattern, chosen.exclude
      FROM jsonb_to_recordset(${selectors}::jsonb)
           AS chosen (line text, position integer, pattern text, exclude boolean)`);
  await sql.run(SQL`UPDATE statement SET updated_at = now() WHERE statement.id = ${id}`);
}
