import { throwIfAny } from '../../../accounting/problem.ts';
import type { Context } from '../../../platform/context.ts';
import { SQL } from '../../../platform/database/statement.ts';
import { defaulted, optional, required } from '../records/fields.ts';
import { EVERYBODY, type RecordDefinition, type RecordInput, type RecordRow } from '../records/record-definition.ts';
import { addRecord, removeRecord, replaceRecord } from '../records/save-record.ts';
import { validityProblems } from '../validity.ts';

export const REFERENCE_CHART = {
  name: 'Reference chart',
  table: 'reference_chart',
  owner: 'GLOBAL',
  orderBy: SQL`reference_chart.code`,
  uniqueField: 'code',
  fields: {
    code: required.code(40, { example: 'RFB-10' }),
    name: required.name(200, { example: 'Plano referencial de instituições financeiras' }),
    institution: optional.oneOf(['RFB', 'BCB', 'CVM', 'OUTRO']),
    version: optional.text(40),
    validFrom: optional.day({ example: '2026-01-31' }),
    validTo: optional.day({ example: '2026-01-31' }),
    active: defaulted.flag(),
  },
} as const satisfies RecordDefinition;

type ChartInput = RecordInput<typeof REFERENCE_CHART>;
type ChartRow = RecordRow<typeof REFERENCE_CHART>;

/** Creates a reference chart, or replaces the one of `key`. */
export function saveReferenceChart(context: Context, input: ChartInput, key?: string): Promise<ChartRow> {
  throwIfAny(validityProblems(input.validFrom, input.validTo));
  return context.transaction((sql) =>
    key === undefined
      ? addRecord(sql, context, REFERENCE_CHART, EVERYBODY, input)
      : replaceRecord(sql, context, REFERENCE_CHART, key, EVERYBODY, input),
  );
}

export function deleteReferenceChart(context: Context, key: string): Promise<void> {
  return context.transaction((sql) => removeRecord(sql, context, REFERENCE_CHART, key));
}
