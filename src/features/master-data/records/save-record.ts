import { reject } from '../../../accounting/problem.ts';
import { recordRef } from '../../../accounting/record-name.ts';
import type { Context } from '../../../platform/context.ts';
import { constraintOf, SQLSTATE, sqlState } from '../../../platform/database/errors.ts';
import type { Sql, Transaction } from '../../../platform/database/sql.ts';
import { recordAudit } from '../../access/audit.sql.ts';
import { rejectInUse } from '../reject-when-referenced.ts';
import type { RecordDefinition, RecordValues } from './record-definition.ts';
import { type RecordOwner, type RecordRow, selectRecord } from './records.read.sql.ts';
import { deleteRecordRow, insertRecord, updateRecord } from './records.sql.ts';

/** Creates a record; a duplicate and a reference to nothing are rejected. */
export function createRecord(
  context: Context,
  definition: RecordDefinition,
  owner: RecordOwner,
  values: RecordValues,
): Promise<RecordRow> {
  return mapConstraintErrors(definition, values, () =>
    context.transaction(async (sql) => {
      const key = await insertRecord(sql, definition, owner, values);
      const created = await getOrThrow(sql, definition, key);
      await audit(sql, context, definition, owner, 'CREATE', key, undefined, created);
      return created;
    }),
  );
}

/** Replaces the writable fields of a record. */
export function replaceRecord(
  context: Context,
  definition: RecordDefinition,
  key: number | string,
  owner: RecordOwner,
  values: RecordValues,
): Promise<RecordRow> {
  return mapConstraintErrors(definition, values, () =>
    context.transaction(async (sql) => {
      const before = await getOrThrow(sql, definition, key);
      if (!(await updateRecord(sql, definition, key, owner, values))) return throwNotFound(definition, key);
      const after = await getOrThrow(sql, definition, key);
      await audit(sql, context, definition, owner, 'UPDATE', key, before, after);
      return after;
    }),
  );
}

/** Removes a record that nothing uses. */
export function deleteRecord(context: Context, definition: RecordDefinition, key: number | string): Promise<void> {
  const remove = () =>
    context.transaction(async (sql) => {
      const before = await getOrThrow(sql, definition, key);
      const owner = (await deleteRecordRow(sql, definition, key)) ?? throwNotFound(definition, key);
      await audit(sql, context, definition, owner, 'DELETE', key, before, undefined);
    });
  return mapConstraintErrors(definition, {}, remove, key);
}

/** The record, or 404. */
export async function getOrThrow(sql: Sql, definition: RecordDefinition, key: number | string): Promise<RecordRow> {
  return (await selectRecord(sql, definition, key)) ?? throwNotFound(definition, key);
}

function throwNotFound(definition: RecordDefinition, key: number | string): never {
  return reject('NOT_FOUND', recordRef(definition.name, key));
}

async function mapConstraintErrors<T>(
  definition: RecordDefinition,
  values: RecordValues,
  work: () => Promise<T>,
  key?: number | string,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { name, uniqueField } = definition;
    if (sqlState(error) === SQLSTATE.UNIQUE_VIOLATION) {
      const ownKey = values[uniqueField];
      reject('DUPLICATE', recordRef(name, ownKey === undefined ? undefined : String(ownKey)), uniqueField);
    }
    const constraint = constraintOf(error) ?? '';
    const column = Object.entries(definition.fields).find(([, field]) => constraint.includes(field.column))?.[0];
    const namesNothing =
      sqlState(error) === SQLSTATE.FOREIGN_KEY_VIOLATION && /insert or update/.test((error as Error).message);
    if (namesNothing) reject('INVALID_FIELD', { reason: 'REFERS_TO_NOTHING' }, column ?? uniqueField);
    return rejectInUse(error, recordRef(name, key));
  }
}

function audit(
  sql: Transaction,
  context: Context,
  definition: RecordDefinition,
  owner: RecordOwner,
  action: string,
  key: number | string,
  before: unknown,
  after: unknown,
): Promise<void> {
  return recordAudit(sql, context, {
    action,
    entity: definition.table,
    entityId: key,
    companyId: owner.companyId ?? undefined,
    branchId: owner.branchId ?? undefined,
    before,
    after,
  });
}
