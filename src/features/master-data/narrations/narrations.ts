import { reject } from '../../../accounting/problem.ts';
import { recordRef, usedBy } from '../../../accounting/record-name.ts';
import type { Context } from '../../../platform/context.ts';
import { SQL } from '../../../platform/database/statement.ts';
import { requireCompanyWideAccess } from '../../access/access.ts';
import { ELEVATION } from '../../access/elevation-reasons.ts';
import { selectTenant } from '../../access/permissions.read.sql.ts';
import { defaulted, optional, required } from '../records/fields.ts';
import type { RecordDefinition, RecordInput, RecordOwner, RecordRow } from '../records/record-definition.ts';
import { requireRecord } from '../records/records.read.sql.ts';
import { addRecord, removeRecord, replaceRecord } from '../records/save-record.ts';
import { selectNarrationUse } from './narrations.sql.ts';

export const STANDARD_NARRATION = {
  name: 'Narration',
  table: 'standard_narration',
  owner: 'EITHER',
  orderBy: SQL`natural_sort_key(standard_narration.code), standard_narration.id`,
  uniqueField: 'code',
  fields: {
    code: required.code(5, { example: '00010' }),
    description: required.text(500, { example: 'Aplicação de cotista {0}' }),
    requiresComplement: defaulted.flag(),
    side: optional.oneOf(['D', 'C'], { example: 'D' }),
    active: defaulted.flag({ example: true }),
  },
} as const satisfies RecordDefinition;

type NarrationInput = RecordInput<typeof STANDARD_NARRATION>;
type NarrationRow = RecordRow<typeof STANDARD_NARRATION>;

// Documents and entries store the code of a narration, and books print its text: a used narration must not disappear.

/** A narration of a whole company needs access to the whole company: every branch's entries may name it. */
export function createNarration(
  context: Context,
  owner: RecordOwner,
  input: NarrationInput,
  company: unknown,
): Promise<NarrationRow> {
  requireWholeOwner(context, owner, company);
  return context.transaction((sql) => addRecord(sql, context, STANDARD_NARRATION, owner, input));
}

/** Replaces a narration; its code only while nothing names it. */
export async function changeNarration(
  context: Context,
  id: number,
  owner: RecordOwner,
  input: NarrationInput,
  company: unknown,
): Promise<NarrationRow> {
  const { code } = await requireRecord(context.sql, STANDARD_NARRATION, id);
  requireWholeOwner(context, owner, company);
  if (input.code !== code) await rejectUsed(context, id, code, 'code');
  return context.transaction((sql) => replaceRecord(sql, context, STANDARD_NARRATION, id, owner, input));
}

/** Removes a narration that nothing names. */
export async function deleteNarration(context: Context, id: number): Promise<void> {
  const { code, company, branch } = await requireRecord(context.sql, STANDARD_NARRATION, id);
  if (typeof company === 'string' && branch === null) {
    const tenant = await selectTenant(context.sql, company, null);
    requireWholeOwner(context, { companyId: tenant?.companyId ?? null, branchId: null }, company);
  }
  await rejectUsed(context, id, code);
  await context.transaction((sql) => removeRecord(sql, context, STANDARD_NARRATION, id));
}

function requireWholeOwner(context: Context, { companyId, branchId }: RecordOwner, company: unknown): void {
  if (companyId !== null && branchId === null)
    requireCompanyWideAccess(context, { companyId, company: String(company) });
}

async function rejectUsed(context: Context, id: number, code: string, field?: string): Promise<void> {
  const by = await context.elevated(ELEVATION.sharedNarration, (system) => selectNarrationUse(system, id));
  if (by.length > 0) reject('IN_USE', usedBy(recordRef('Narration', code), by), field);
}
