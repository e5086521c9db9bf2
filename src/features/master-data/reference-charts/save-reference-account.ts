import { type Problem, problem, reject, throwIfAny } from '../../../accounting/problem.ts';
import { recordRef, usedBy } from '../../../accounting/record-name.ts';
import type { Context } from '../../../platform/context.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import { defaulted, optional, required } from '../records/fields.ts';
import { EVERYBODY, type RecordDefinition, type RecordInput, type RecordRow } from '../records/record-definition.ts';
import { requireRecord } from '../records/records.read.sql.ts';
import { addRecord, removeRecord, replaceRecord } from '../records/save-record.ts';
import { validityProblems } from '../validity.ts';
import { countReferenceAccountsBelow, lockReferenceChart, selectReferenceLevels } from './reference-charts.sql.ts';

export const REFERENCE_ACCOUNT = {
  name: 'Reference account',
  table: 'reference_account',
  owner: 'GLOBAL',
  orderBy: SQL`reference_account.chart_id, reference_account.order_number, reference_account.code`,
  uniqueField: 'code',
  fields: {
    chartId: required.uuid({ example: '00000000-0000-4000-8000-000000000000' }),
    code: required.code(40, { example: '1.01' }),
    description: required.text(500, { example: 'Ativo circulante' }),
    validFrom: required.day({ example: '2026-01-31' }),
    validTo: optional.day({ example: '2026-01-31' }),
    orderNumber: optional.integer(0, 1_000_000),
    type: required.oneOf(['S', 'A'], { column: 'account_type' }),
    parentCode: optional.text(40, { example: null }),
    level: required.integer(1, 20),
    nature: required.text(2, { example: '01' }),
    active: defaulted.flag(),
  },
} as const satisfies RecordDefinition;

type AccountInput = RecordInput<typeof REFERENCE_ACCOUNT>;
type AccountRow = RecordRow<typeof REFERENCE_ACCOUNT>;

/** Creates an account of a reference chart, or replaces the one of `key`, where its parent and level allow it. */
export function saveReferenceAccount(context: Context, input: AccountInput, key?: string): Promise<AccountRow> {
  throwIfAny(validityProblems(input.validFrom, input.validTo));
  return context.transaction(async (sql) => {
    const { chartId, code, level } = input;
    const parentCode = input.parentCode || undefined;
    if (!(await lockReferenceChart(sql, chartId))) reject('INVALID_FIELD', { reason: 'NO_REFERENCE_CHART' }, 'chartId');
    const before = key === undefined ? undefined : await requireRecord(sql, REFERENCE_ACCOUNT, key);
    if (before && (['chartId', 'code', 'level'] as const).some((fact) => before[fact] !== input[fact])) {
      if (before.chartId !== chartId) await lockReferenceChart(sql, before.chartId);
      await rejectWithAccountsBelow(sql, before.chartId, key!, before.code);
    }
    const above = parentCode === undefined ? undefined : await selectReferenceLevels(sql, chartId, parentCode);
    throwIfAny(parentCode === code ? [cycleProblem(code)] : parentProblems(parentCode, level, above));
    return key === undefined
      ? addRecord(sql, context, REFERENCE_ACCOUNT, EVERYBODY, input)
      : replaceRecord(sql, context, REFERENCE_ACCOUNT, key, EVERYBODY, input);
  });
}

/** Removes an account that nothing hangs under and nothing is mapped to. */
export function deleteReferenceAccount(context: Context, key: string): Promise<void> {
  return context.transaction(async (sql) => {
    const { chartId, code } = await requireRecord(sql, REFERENCE_ACCOUNT, key);
    await lockReferenceChart(sql, chartId);
    await rejectWithAccountsBelow(sql, chartId, key, code);
    await removeRecord(sql, context, REFERENCE_ACCOUNT, key);
  });
}

/** An account is one level below its parent, as in every table of the Receita Federal. */
export function parentProblems(
  parentCode: string | undefined,
  level: number,
  levelsOfParent: readonly number[] = [],
): Problem[] {
  if (parentCode === undefined) return [];
  if (levelsOfParent.length === 0) {
    return [problem('INVALID_FIELD', { reason: 'NO_PARENT_ACCOUNT', parent: parentCode }, 'parentCode')];
  }
  if (levelsOfParent.includes(level - 1)) return [];
  const right = levelsOfParent[0]! + 1;
  return [problem('INVALID_FIELD', { reason: 'OTHER_LEVEL', level: right }, 'level')];
}

function cycleProblem(code: string): Problem {
  return problem('ACCOUNT_CYCLE', { account: code, parent: code }, 'parentCode');
}

async function rejectWithAccountsBelow(sql: Sql, chartId: string, key: string, code: string): Promise<void> {
  const below = await countReferenceAccountsBelow(sql, chartId, key, code);
  if (below > 0) reject('IN_USE', usedBy(recordRef('Reference account', code), ['child accounts']), 'code');
}
