import type { Context } from '../../../platform/context.ts';
import type { RecordDefinition, RecordInput, RecordKey, RecordOwner, RecordRow } from './record-definition.ts';
import { addRecord, removeRecord, replaceRecord } from './save-record.ts';

// The use cases of records without rules: what the fields and the table allow, is allowed.

export function createRecord<Definition extends RecordDefinition>(
  context: Context,
  definition: Definition,
  owner: RecordOwner,
  input: RecordInput<Definition>,
): Promise<RecordRow<Definition>> {
  return context.transaction((sql) => addRecord(sql, context, definition, owner, input));
}

export function changeRecord<Definition extends RecordDefinition>(
  context: Context,
  definition: Definition,
  key: RecordKey,
  owner: RecordOwner,
  input: RecordInput<Definition>,
): Promise<RecordRow<Definition>> {
  return context.transaction((sql) => replaceRecord(sql, context, definition, key, owner, input));
}

export function deleteRecord(context: Context, definition: RecordDefinition, key: RecordKey): Promise<void> {
  return context.transaction((sql) => removeRecord(sql, context, definition, key));
}
