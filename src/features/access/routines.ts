import { type Problem, problem, reject, throwIfAny } from '../../accounting/problem.ts';
import { recordRef, usedBy } from '../../accounting/record-name.ts';
import type { Context } from '../../platform/context.ts';
import { SQL } from '../../platform/database/statement.ts';
import { defaulted, optional, required } from '../master-data/records/fields.ts';
import {
  EVERYBODY,
  type RecordDefinition,
  type RecordInput,
  type RecordRow,
} from '../master-data/records/record-definition.ts';
import { requireRecord, selectRecords } from '../master-data/records/records.read.sql.ts';
import { addRecord, removeRecord, replaceRecord } from '../master-data/records/save-record.ts';
import { validityProblems } from '../master-data/validity.ts';

export const ROUTINE = {
  name: 'Routine',
  table: 'routine',
  owner: 'GLOBAL',
  orderBy: SQL`routine.code`,
  uniqueField: 'code',
  fields: {
    code: required.code(40, { example: 'AUDITORIA' }),
    name: required.name(200, { example: 'Auditoria' }),
    description: optional.text(500),
    module: optional.text(40),
    restricted: defaulted.flag(),
    active: defaulted.flag(),
  },
} as const satisfies RecordDefinition;

export const ROUTINE_ACCESS = {
  name: 'Routine access',
  table: 'routine_access',
  owner: 'GLOBAL',
  orderBy: SQL`routine_access.id`,
  uniqueField: 'routineId',
  fields: {
    routineId: required.id(),
    userId: optional.id(),
    groupId: optional.id({ example: null }),
    canRead: defaulted.flag(),
    canWrite: defaulted.flag(),
    canExecute: defaulted.flag(),
    validFrom: optional.day({ example: '2026-01-31' }),
    validTo: optional.day({ example: '2026-01-31' }),
    active: defaulted.flag(),
  },
} as const satisfies RecordDefinition;

type RoutineInput = RecordInput<typeof ROUTINE>;
type RoutineRow = RecordRow<typeof ROUTINE>;
type AccessInput = RecordInput<typeof ROUTINE_ACCESS>;
type AccessRow = RecordRow<typeof ROUTINE_ACCESS>;

export function createRoutine(context: Context, input: RoutineInput): Promise<RoutineRow> {
  return changeRights(context, () => context.transaction((sql) => addRecord(sql, context, ROUTINE, EVERYBODY, input)));
}

/**
 * Replaces a routine; its code only while it has no accesses, because the program identifies a guarded action by the
 * code of its routine. Without `restricted` in the body the routine keeps it, or the change would open the routine.
 */
export function changeRoutine(context: Context, id: number, input: RoutineInput): Promise<RoutineRow> {
  return changeRights(context, () =>
    context.transaction(async (sql) => {
      const { code, restricted } = await requireRecord(sql, ROUTINE, id);
      if (input.code !== code && (await selectRecords(sql, ROUTINE_ACCESS)).some((access) => access.routineId === id)) {
        reject('IN_USE', usedBy(recordRef('Routine', code), ['accesses']), 'code');
      }
      const kept = { ...input, restricted: input.restricted ?? restricted };
      return replaceRecord(sql, context, ROUTINE, id, EVERYBODY, kept);
    }),
  );
}

export function deleteRoutine(context: Context, id: number): Promise<void> {
  return changeRights(context, () => context.transaction((sql) => removeRecord(sql, context, ROUTINE, id)));
}

export function createRoutineAccess(context: Context, input: AccessInput): Promise<AccessRow> {
  throwIfAny(accessProblems(input));
  return changeRights(context, () =>
    context.transaction((sql) => addRecord(sql, context, ROUTINE_ACCESS, EVERYBODY, input)),
  );
}

export function changeRoutineAccess(context: Context, id: number, input: AccessInput): Promise<AccessRow> {
  throwIfAny(accessProblems(input));
  return changeRights(context, () =>
    context.transaction((sql) => replaceRecord(sql, context, ROUTINE_ACCESS, id, EVERYBODY, input)),
  );
}

export function deleteRoutineAccess(context: Context, id: number): Promise<void> {
  return changeRights(context, () => context.transaction((sql) => removeRecord(sql, context, ROUTINE_ACCESS, id)));
}

/** An access is a user's or a group's. The first thing wrong with it alone is reported. */
function accessProblems({ userId, groupId, validFrom, validTo }: AccessInput): Problem[] {
  if ((userId === undefined) === (groupId === undefined)) {
    return [problem('INVALID_FIELD', { reason: 'USER_OR_GROUP' }, 'userId')];
  }
  return validityProblems(validFrom, validTo);
}

/** Routines and their accesses decide what users may do: this process must not go on with the old ones. */
async function changeRights<T>(context: Context, work: () => Promise<T>): Promise<T> {
  const result = await work();
  context.rightsChanged();
  return result;
}
