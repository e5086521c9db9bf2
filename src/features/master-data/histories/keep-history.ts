import { refuse } from '../../../accounting/problem.ts';
import { named, usedBy } from '../../../accounting/record-name.ts';
import type { Context } from '../../../platform/context.ts';
import { EVERYTHING } from '../../../platform/sql.ts';
import { selectTenant } from '../../access/permissions.read.sql.ts';
import { requireWholeCompany } from '../companies/whole-company.ts';
import { HISTORY } from '../records/definitions.ts';
import { createRecord, deleteRecord, present, replaceRecord } from '../records/keep-record.ts';
import type { RecordValues } from '../records/record-definition.ts';
import type { RecordOwner, RecordRow } from '../records/records.read.sql.ts';
import { selectHistoryUse } from './histories.sql.ts';

// Documents and entries keep the code of a history, and books print its text beside it: what is named stays nameable.

/** A history of a whole company is for who has the whole of it: every branch's entries may name it. */
export function createHistory(context: Context, owner: RecordOwner, values: RecordValues): Promise<RecordRow> {
  requireWholeOwner(context, owner, values.company);
  return createRecord(context, HISTORY, owner, values);
}

/** Replaces a history; its code only while nothing names it. */
export async function changeHistory(
  context: Context,
  id: number,
  owner: RecordOwner,
  values: RecordValues,
): Promise<RecordRow> {
  const { cdHistory } = await present(context.sql, HISTORY, id);
  requireWholeOwner(context, owner, values.company);
  if (values.cdHistory !== cdHistory) await refuseUsed(context, id, cdHistory as string, 'cdHistory');
  return replaceRecord(context, HISTORY, id, owner, values);
}

/** Removes a history that nothing names. */
export async function deleteHistory(context: Context, id: number): Promise<void> {
  const { cdHistory, company, branch } = await present(context.sql, HISTORY, id);
  if (typeof company === 'string' && branch === null) {
    const tenant = await selectTenant(context.sql, company, null);
    requireWholeOwner(context, { companyId: tenant?.companyId ?? null, branchId: null }, company);
  }
  await refuseUsed(context, id, cdHistory as string);
  await deleteRecord(context, HISTORY, id);
}

function requireWholeOwner(context: Context, { companyId, branchId }: RecordOwner, company: unknown): void {
  if (companyId !== null && branchId === null) requireWholeCompany(context, { companyId, company: String(company) });
}

async function refuseUsed(context: Context, id: number, code: string, field?: string): Promise<void> {
  // A history of everybody's is used by companies that the caller does not see.
  const by = await selectHistoryUse(context.database.under(EVERYTHING), id);
  if (by.length > 0) refuse('IN_USE', usedBy(named('History', code), by), field);
}
