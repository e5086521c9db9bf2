import { type Problem, problem, reject, throwIfAny } from '../../../accounting/problem.ts';
import { recordRef, usedBy } from '../../../accounting/record-name.ts';
import { type Context, withTransaction } from '../../../platform/context.ts';
import { REFERENCE_ACCOUNT } from '../records/definitions.ts';
import type { RecordValues } from '../records/record-definition.ts';
import type { RecordRow } from '../records/records.read.sql.ts';
import { createRecord, deleteRecord, getOrThrow, replaceRecord } from '../records/save-record.ts';
import { countReferenceAccountsBelow, lockReferenceChart, selectReferenceLevels } from './reference-charts.sql.ts';

const ANY_BRANCH = { companyId: null, branchId: null };

/** Creates an account of a reference chart, or replaces the one of `key`, where its parent and level allow it. */
export function saveReferenceAccount(context: Context, values: RecordValues, key?: string): Promise<RecordRow> {
  return context.transaction(async (sql) => {
    const inside = withTransaction(context, sql);
    const account = factsOf(values);
    if (!(await lockReferenceChart(sql, account.chartId))) {
      reject('INVALID_FIELD', { reason: 'NO_REFERENCE_CHART' }, 'planRef_uuid');
    }
    const before = key === undefined ? undefined : factsOf(await getOrThrow(sql, REFERENCE_ACCOUNT, key));
    if (before && (['chartId', 'code', 'level'] as const).some((fact) => before[fact] !== account[fact])) {
      if (before.chartId !== account.chartId) await lockReferenceChart(sql, before.chartId);
      await rejectWithAccountsBelow(inside, before.chartId, key!, before.code);
    }
    const { chartId, code, parentCode, level } = account;
    const above = parentCode === undefined ? undefined : await selectReferenceLevels(sql, chartId, parentCode);
    throwIfAny(parentCode === code ? [cycleProblem(code)] : parentProblems(parentCode, level, above));
    return key === undefined
      ? createRecord(inside, REFERENCE_ACCOUNT, ANY_BRANCH, values)
      : replaceRecord(inside, REFERENCE_ACCOUNT, key, ANY_BRANCH, values);
  });
}

/** Removes an account that nothing hangs under and nothing is mapped to. */
export function deleteReferenceAccount(context: Context, key: string): Promise<void> {
  return context.transaction(async (sql) => {
    const inside = withTransaction(context, sql);
    const { chartId, code } = factsOf(await getOrThrow(sql, REFERENCE_ACCOUNT, key));
    await lockReferenceChart(sql, chartId);
    await rejectWithAccountsBelow(inside, chartId, key, code);
    await deleteRecord(inside, REFERENCE_ACCOUNT, key);
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

async function rejectWithAccountsBelow(context: Context, chartId: string, key: string, code: string): Promise<void> {
  const below = await countReferenceAccountsBelow(context.sql, chartId, key, code);
  if (below > 0) reject('IN_USE', usedBy(recordRef('Reference account', code), ['child accounts']), 'code');
}

function factsOf(values: RecordValues) {
  return {
    chartId: values.planRef_uuid as string,
    code: values.code as string,
    level: values.level as number,
    parentCode: (values.parentCode as string | null | undefined) || undefined,
  };
}
