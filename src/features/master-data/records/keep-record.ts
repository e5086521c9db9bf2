import { refuse } from '../../../accounting/problem.ts';
import { named } from '../../../accounting/record-name.ts';
import type { Context } from '../../../platform/context.ts';
import { constraintOf, type Sql, sqlState, type Transaction } from '../../../platform/sql.ts';
import { recordAudit } from '../../access/audit.sql.ts';
import { refuseInUse } from '../refuse-when-referenced.ts';
import type { RecordDefinition, RecordValues } from './record-definition.ts';
import { type RecordOwner, type RecordRow, selectRecord } from './records.read.sql.ts';
import { deleteRecordRow, insertRecord, updateRecord } from './records.sql.ts';

/** Creates a record; a duplicate and a reference to nothing are refused. */
export function createRecord(
  context: Context,
  definition: RecordDefinition,
  owner: RecordOwner,
  values: RecordValues,
): Promise<RecordRow> {
  return keeping(definition, values, () =>
    context.transaction(async (sql) => {
      const key = await insertRecord(sql, definition, owner, values);
      const created = await present(sql, definition, key);
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
  return keeping(definition, values, () =>
    context.transaction(async (sql) => {
      const before = await present(sql, definition, key);
      if (!(await updateRecord(sql, definition, key, owner, values))) return refuseAbsent(definition, key);
      const after = await present(sql, definition, key);
      await audit(sql, context, definition, owner, 'UPDATE', key, before, after);
      return after;
    }),
  );
}

/** Removes a record that nothing uses. */
export function deleteRecord(context: Context, definition: RecordDefinition, key: number | string): Promise<void> {
  const remove = () =>
    context.transaction(async (sql) => {
      const before = await present(sql, definition, key);
      const owner = (await deleteRecordRow(sql, definition, key)) ?? refuseAbsent(definition, key);
      await audit(sql, context, definition, owner, 'DELETE', key, before, undefined);
    });
  return keeping(definition, {}, remove, key);
}

/** The record, or 404. */
export async function present(sql: Sql, definition: RecordDefinition, key: number | string): Promise<RecordRow> {
  return (await selectRecord(sql, definition, key)) ?? refuseAbsent(definition, key);
}

function refuseAbsent(definition: RecordDefinition, key: number | string): never {
  return refuse('NOT_FOUND', named(definition.name, key));
}

async function keeping<T>(
  definition: RecordDefinition,
  values: RecordValues,
  work: () => Promise<T>,
  key?: number | string,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { name, uniqueField } = definition;
    if (sqlState(error) === '23505') {
      const ownKey = values[uniqueField];
      refuse('DUPLICATE', named(name, ownKey === undefined ? undefined : String(ownKey)), uniqueField);
    }
    const constraint = constraintOf(error) ?? '';
    const column = Object.entries(definition.fields).find(([, field]) => constraint.includes(field.column))?.[0];
    const namesNothing = sqlState(error) === '23503' && /insert or update/.test((error as Error).message);
    if (namesNothing) refuse('INVALID_FIELD', NAMES_NOTHING, column ?? uniqueField);
    return refuseInUse(error, named(name, key));
  }
}

const NAMES_NOTHING = { reason: 'refers to nothing that exists', reasonPt: 'não corresponde a nada que exista' };

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
