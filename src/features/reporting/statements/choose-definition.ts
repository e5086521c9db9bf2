import type { ChartId } from '../../../accounting/ids.ts';
import { brazilianDate, lastDay, type Month } from '../../../accounting/period.ts';
import { reject } from '../../../accounting/problem.ts';
import { recordRef } from '../../../accounting/record-name.ts';
import { DEFAULT_CODE } from '../../../accounting/statements/default-definition.ts';
import type { StatementKind } from '../../../accounting/statements/statement-definition.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { type StatementRow, selectStatementsOfChart } from '../../master-data/statements/statements.read.sql.ts';

export interface DefinitionChoice {
  /** At whose end the definition holds. */
  readonly month: Month;
  /** Its code or id; without it, the only one that holds, else the default one. */
  readonly definition?: string | number | undefined;
}

/** The definition of the kind that the branch's chart has for the month. Rejects a chart without one. */
export async function chooseDefinition(
  sql: Sql,
  chartId: ChartId,
  kind: StatementKind,
  { month, definition }: DefinitionChoice,
): Promise<StatementRow> {
  const all = await selectStatementsOfChart(sql, chartId, kind);
  if (typeof definition === 'number') {
    return (
      all.find(({ id }) => id === definition) ?? reject('NOT_FOUND', recordRef('Statement', definition), 'definition')
    );
  }
  const day = lastDay(month);
  const valid = all.filter(({ validFrom, validTo }) => validFrom <= day && (validTo === null || day <= validTo));
  const named = definition === undefined ? valid : valid.filter(({ code }) => code === definition);
  const found = named.length > 1 ? named.find(({ code }) => code === DEFAULT_CODE) : named[0];
  if (found !== undefined) return found;
  if (named.length === 0) reject('STATEMENT_MISSING', { statement: kind, day: brazilianDate(day) }, 'definition');
  return reject(
    'STATEMENT_AMBIGUOUS',
    { statement: kind, codes: named.map(({ code }) => code).join(', ') },
    'definition',
  );
}
