import { reject } from '../../accounting/problem.ts';
import { recordRef, usedBy } from '../../accounting/record-name.ts';
import type { Context } from '../../platform/context.ts';
import { ROUTINE, ROUTINE_ACCESS } from '../master-data/records/definitions.ts';
import type { RecordValues } from '../master-data/records/record-definition.ts';
import { type RecordRow, selectRecords } from '../master-data/records/records.read.sql.ts';
import { getOrThrow, replaceRecord } from '../master-data/records/save-record.ts';

/**
 * Replaces a routine; its code only while it has no accesses, because the program identifies a guarded action by the
 * code of its routine. Without `restricted` in the body the routine keeps it, or the change would open the routine.
 */
export async function changeRoutine(context: Context, id: number, values: RecordValues): Promise<RecordRow> {
  const { code, restricted } = await getOrThrow(context.sql, ROUTINE, id);
  if (values.code !== code) {
    const accesses = await selectRecords(context.sql, ROUTINE_ACCESS);
    if (accesses.some((access) => access.routineId === id)) {
      reject('IN_USE', usedBy(recordRef('Routine', code as string), ['accesses']), 'code');
    }
  }
  return replaceRecord(
    context,
    ROUTINE,
    id,
    { companyId: null, branchId: null },
    {
      ...values,
      restricted: values.restricted ?? restricted,
    },
  );
}
