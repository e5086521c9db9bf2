import { refuse } from '../../accounting/problem.ts';
import { named, usedBy } from '../../accounting/record-name.ts';
import type { Context } from '../../platform/context.ts';
import { EVERYTHING } from '../../platform/sql.ts';
import { HISTORY } from '../records/definitions.ts';
import { deleteRecord, present } from '../records/keep-record.ts';
import { selectHistoryUse } from './histories.sql.ts';

/** Removes a history that nothing names: books print its text beside the code that entries keep. */
export async function deleteHistory(context: Context, id: number): Promise<void> {
  const { cdHistory } = await present(context.sql, HISTORY, id);
  // A history of everybody's is used by companies that the caller does not see.
  const by = await selectHistoryUse(context.database.under(EVERYTHING), id);
  if (by.length > 0) refuse('IN_USE', usedBy(named('History', cdHistory as string), by));
  await deleteRecord(context, HISTORY, id);
}
