import { refuse } from '../../accounting/problem.ts';
import { named, usedBy } from '../../accounting/record-name.ts';
import type { Context } from '../../platform/context.ts';
import { EVERYTHING } from '../../platform/sql.ts';
import { HISTORY } from '../records/definitions.ts';
import { deleteRecord, present, replaceRecord } from '../records/keep-record.ts';
import type { RecordValues } from '../records/record-definition.ts';
import type { RecordOwner, RecordRow } from '../records/records.read.sql.ts';
import { selectHistoryUse } from './histories.sql.ts';

// Documents and entries keep the code of a history, and books print its text beside it: what is named stays nameable.

/** Replaces a history; its code only while nothing names it. */
export async function changeHistory(
  context: Context,
  id: number,
  owner: RecordOwner,
  values: RecordValues,
): Promise<RecordRow> {
  const { cdHistory } = await present(context.sql, HISTORY, id);
  if (values.cdHistory !== cdHistory) await refuseUsed(context, id, cdHistory as string, 'cdHistory');
  return replaceRecord(context, HISTORY, id, owner, values);
}

/** Removes a history that nothing names. */
export async function deleteHistory(context: Context, id: number): Promise<void> {
  const { cdHistory } = await present(context.sql, HISTORY, id);
  await refuseUsed(context, id, cdHistory as string);
  await deleteRecord(context, HISTORY, id);
}

async function refuseUsed(context: Context, id: number, code: string, field?: string): Promise<void> {
  // A history of everybody's is used by companies that the caller does not see.
  const by = await selectHistoryUse(context.database.under(EVERYTHING), id);
  if (by.length > 0) refuse('IN_USE', usedBy(named('History', code), by), field);
}
