import { reject } from '../../../accounting/problem.ts';
import { recordRef } from '../../../accounting/record-name.ts';
import type { Context } from '../../../platform/context.ts';
import { constraintOf, SQLSTATE, sqlState, tableOf } from '../../../platform/database/errors.ts';
import type { Transaction } from '../../../platform/database/sql.ts';
import { recordAudit } from '../../access/audit.sql.ts';
import { rejectInUse } from '../reject-when-referenced.ts';
import { fieldOfForeignKey } from './field-columns.ts';
import type { RecordDefinition, RecordInput, RecordKey, RecordOwner, RecordRow } from './record-definition.ts';
import { requireRecord, throwNoRecord } from './records.read.sql.ts';
import { deleteRecordRow, insertRecord, updateRecord } from './records.sql.ts';

// The writing part of use cases: each writes one record with its trail inside the transaction of its caller, and returns
// DUPLICATE, INVALID_FIELD (a reference to nothing) or IN_USE where a constraint says so.

export function addRecord<Definition extends RecordDefinition>(
  sql: Transaction,
  context: Context,
  definition: Definition,
  owner: RecordOwner,
  input: RecordInput<Definition>,
): Promise<RecordRow<Definition>> {
  return mapConstraintErrors(definition, input, async () => {
    const key = await insertRecord(sql, definition, owner, input);
    const after = await requireRecord(sql, definition, key);
    await audit(sql, context, definition, owner, { action: 'CREATE', entityId: key, after });
    return after;
  });
}

/** Replaces the writable fields. */
export function replaceRecord<Definition extends RecordDefinition>(
  sql: Transaction,
  context: Context,
  definition: Definition,
  key: RecordKey,
  owner: RecordOwner,
  input: RecordInput<Definition>,
): Promise<RecordRow<Definition>> {
  return mapConstraintErrors(definition, input, async () => {
    const before = await requireRecord(sql, definition, key);
    if (!(await updateRecord(sql, definition, key, owner, input))) return throwNoRecord(definition, key);
    const after = await requireRecord(sql, definition, key);
    await audit(sql, context, definition, owner, { action: 'UPDATE', entityId: key, before, after });
    return after;
  });
}

export async function removeRecord(
  sql: Transaction,
  context: Context,
  definition: RecordDefinition,
  key: RecordKey,
): Promise<void> {
  try {
    const before = await requireRecord(sql, definition, key);
    const owner = (await deleteRecordRow(sql, definition, key)) ?? throwNoRecord(definition, key);
    await audit(sql, context, definition, owner, { action: 'DELETE', entityId: key, before });
  } catch (error) {
    rejectInUse(error, recordRef(definition.name, key));
  }
}

async function mapConstraintErrors<T>(
  { name, table, fields, uniqueField }: RecordDefinition,
  input: Readonly<Record<string, unknown>>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (sqlState(error) === SQLSTATE.UNIQUE_VIOLATION) {
      const ownKey = input[uniqueField];
      reject('DUPLICATE', recordRef(name, ownKey === undefined ? undefined : String(ownKey)), uniqueField);
    }
    // The record's own row violates the key: it refers to nothing. Otherwise another row refers to the record.
    const namesNothing = sqlState(error) === SQLSTATE.FOREIGN_KEY_VIOLATION && tableOf(error) === table;
    if (!namesNothing) return rejectInUse(error, recordRef(name));
    const field = fieldOfForeignKey(table, fields, constraintOf(error)) ?? uniqueField;
    return reject('INVALID_FIELD', { reason: 'REFERS_TO_NOTHING' }, field);
  }
}

function audit(
  sql: Transaction,
  context: Context,
  { table }: RecordDefinition,
  { companyId, branchId }: RecordOwner,
  entry: { action: string; entityId: RecordKey; before?: unknown; after?: unknown },
): Promise<void> {
  return recordAudit(sql, context, {
    ...entry,
    entity: table,
    companyId: companyId ?? undefined,
    branchId: branchId ?? undefined,
  });
}
