import { reject } from '../../../accounting/problem.ts';
import { recordRef, usedBy } from '../../../accounting/record-name.ts';
import type { Context } from '../../../platform/context.ts';
import { requireCompanyWideAccess } from '../../access/access.ts';
import { ELEVATION } from '../../access/elevation-reasons.ts';
import { selectTenant } from '../../access/permissions.read.sql.ts';
import { HISTORY } from '../records/definitions.ts';
import type { RecordValues } from '../records/record-definition.ts';
import type { RecordOwner, RecordRow } from '../records/records.read.sql.ts';
import { createRecord, deleteRecord, getOrThrow, replaceRecord } from '../records/save-record.ts';
import { selectNarrationUse } from './narrations.sql.ts';

// Documents and entries store the code of a narration, and books print its text: a used narration must not disappear.

/** A narration of a whole company needs access to the whole company: every branch's entries may name it. */
export function createNarration(context: Context, owner: RecordOwner, values: RecordValues): Promise<RecordRow> {
  requireWholeOwner(context, owner, values.company);
  return createRecord(context, HISTORY, owner, values);
}

/** Replaces a narration; its code only while nothing names it. */
export async function changeNarration(
  context: Context,
  id: number,
  owner: RecordOwner,
  values: RecordValues,
): Promise<RecordRow> {
  const { cdHistory } = await getOrThrow(context.sql, HISTORY, id);
  requireWholeOwner(context, owner, values.company);
  if (values.cdHistory !== cdHistory) await rejectUsed(context, id, cdHistory as string, 'cdHistory');
  return replaceRecord(context, HISTORY, id, owner, values);
}

/** Removes a narration that nothing names. */
export async function deleteNarration(context: Context, id: number): Promise<void> {
  const { cdHistory, company, branch } = await getOrThrow(context.sql, HISTORY, id);
  if (typeof company === 'string' && branch === null) {
    const tenant = await selectTenant(context.sql, company, null);
    requireWholeOwner(context, { companyId: tenant?.companyId ?? null, branchId: null }, company);
  }
  await rejectUsed(context, id, cdHistory as string);
  await deleteRecord(context, HISTORY, id);
}

function requireWholeOwner(context: Context, { companyId, branchId }: RecordOwner, company: unknown): void {
  if (companyId !== null && branchId === null)
    requireCompanyWideAccess(context, { companyId, company: String(company) });
}

async function rejectUsed(context: Context, id: number, code: string, field?: string): Promise<void> {
  const by = await context.elevated(ELEVATION.sharedHistory, (system) => selectNarrationUse(system, id));
  if (by.length > 0) reject('IN_USE', usedBy(recordRef('Narration', code), by), field);
}
