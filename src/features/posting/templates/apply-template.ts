import { balanceOf } from '../../../accounting/balance.ts';
import { type Day, monthOfDay } from '../../../accounting/period.ts';
import { factProblem } from '../../../accounting/posting.ts';
import { BusinessError, reject, throwIfAny } from '../../../accounting/problem.ts';
import { recordRef, usedBy } from '../../../accounting/record-name.ts';
import type { Context } from '../../../platform/context.ts';
import type { Transaction } from '../../../platform/database/sql.ts';
import type { Tenant } from '../../access/access.ts';
import { recordAudit } from '../../access/audit.sql.ts';
import { readDays } from '../../closing/balances/read-balances.ts';
import { CONSTRAINT, violates } from '../../constraints.ts';
import { postDocument } from '../entries/post-document.ts';
import { lockOpenBooks, lockOptions } from '../months/months.sql.ts';
import { entriesOfTemplate, type GivenAmount } from './entries-of-template.ts';
import { planReversal, postReversalOfUse } from './reverse-use.ts';
import { selectLastTemplateUse, type TemplateUseRow } from './templates.read.sql.ts';
import {
  deleteTemplateUseRow,
  insertTemplateUse,
  lockTemplate,
  lockTemplateUse,
  type TemplateRow,
  updateTemplateUse,
} from './templates.sql.ts';

/** What somebody gives for a use of a template; when POSTED it posts. */
export interface GivenUse {
  readonly code: string;
  readonly day: Day;
  readonly batchNumber: string | undefined;
  readonly documentNumber: string | undefined;
  readonly amounts: readonly GivenAmount[];
  /** Day of the fact that its entries are of, where it is another one. */
  readonly factDay: Day | undefined;
  readonly status: 'PENDING' | 'POSTED';
}

/** Stores amounts for a template; when POSTED posts its document and entries in the same transaction. */
export function applyTemplate(context: Context, tenant: Tenant, given: GivenUse): Promise<TemplateUseRow> {
  return inTransaction(context, given, async (sql) => {
    const template = await requireTemplate(sql, tenant, given.code);
    const posted = given.status === 'POSTED' ? await post(sql, context, tenant, template, given) : NOT_POSTED;
    const use = { ...given, ...posted, origin: 'MANUAL', reversedUseId: null } as const;
    const id = await insertTemplateUse(sql, tenant, use);
    const created = (await selectLastTemplateUse(sql, tenant, { id }))!;
    const trail = { action: 'CREATE', entity: 'entry_template_use', entityId: id, ...tenant, after: created };
    await recordAudit(sql, context, trail);
    if (given.status === 'POSTED' && template.automaticReversal) await planReversal(sql, context, tenant, created);
    return created;
  });
}

/** Replaces what was given for a pending use; when POSTED posts it. A reversal takes its amounts from elsewhere. */
export function changeTemplateUse(
  context: Context,
  tenant: Tenant,
  id: number,
  given: GivenUse,
): Promise<TemplateUseRow> {
  return inTransaction(context, given, async (sql) => {
    const template = await requireTemplate(sql, tenant, given.code);
    const before = await lockPendingUse(sql, tenant, id);
    if (before.code !== given.code) reject('INVALID_FIELD', { reason: 'CANNOT_CHANGE' }, 'template.code');
    const isReversal = before.origin === 'REVERSAL';
    if (isReversal && given.amounts.length > 0) reject('INVALID_FIELD', { reason: 'AMOUNTS_OF_REVERSAL' }, 'amounts');
    const isPosted = given.status === 'POSTED';
    const write = () =>
      isReversal
        ? postReversalOfUse(sql, context, tenant, before, given.day)
        : post(sql, context, tenant, template, given);
    await updateTemplateUse(sql, tenant.companyId, id, { ...given, ...(isPosted ? await write() : NOT_POSTED) });
    const after = (await selectLastTemplateUse(sql, tenant, { id }))!;
    const trail = { action: 'UPDATE', entity: 'entry_template_use', entityId: id, ...tenant, before, after };
    await recordAudit(sql, context, trail);
    if (isPosted && !isReversal && template.automaticReversal) await planReversal(sql, context, tenant, after);
    return after;
  });
}

const NOT_POSTED = { batchId: null, documentId: null };

/** Removes a use of a template that has posted nothing. */
export async function deleteTemplateUse(context: Context, tenant: Tenant, id: number): Promise<void> {
  await context.transaction(async (sql) => {
    const before = await lockPendingUse(sql, tenant, id);
    await deleteTemplateUseRow(sql, tenant.companyId, id);
    const trail = { action: 'DELETE', entity: 'entry_template_use', entityId: id, ...tenant, before };
    await recordAudit(sql, context, trail);
  });
}

function inTransaction(
  context: Context,
  { documentNumber, day, factDay }: GivenUse,
  work: (sql: Transaction) => Promise<TemplateUseRow>,
): Promise<TemplateUseRow> {
  const wrong = factDay && factProblem(day, factDay, 'entry.factDay');
  if (wrong) throw new BusinessError(wrong);
  return context.transaction(work).catch((error) => {
    if (!violates(error, CONSTRAINT.DOCUMENT_NUMBER)) throw error;
    return reject('DUPLICATE', recordRef('Document', documentNumber ?? ''), 'document.number');
  });
}

async function requireTemplate(sql: Transaction, tenant: Tenant, code: string): Promise<TemplateRow> {
  const template =
    (await lockTemplate(sql, tenant, code)) ?? reject('NOT_FOUND', recordRef('Entry template', code), 'template.code');
  // Its reversal asks whether the next month is open, which must not open meanwhile.
  if (template.automaticReversal) await lockOptions(sql, tenant, 'SHARE');
  return template;
}

async function lockPendingUse(sql: Transaction, tenant: Tenant, id: number): Promise<TemplateUseRow> {
  await lockTemplateUse(sql, tenant.companyId, id);
  const use = await selectLastTemplateUse(sql, tenant, { id });
  if (!use) return reject('NOT_FOUND', recordRef('Template use', id));
  if (use.status === 'POSTED') reject('IN_USE', usedBy(recordRef('Template use', id), ['a posted document']));
  return use;
}

async function post(
  sql: Transaction,
  context: Context,
  tenant: Tenant,
  template: TemplateRow,
  data: GivenUse,
): Promise<{ batchId: number; documentId: number }> {
  const needsBalances = template.lines.some((line) => line.valueType === 'ACCOUNT_BALANCE');
  if (needsBalances) await lockOpenBooks(sql, tenant.companyId, tenant.branchId);
  const [evening] = needsBalances ? await readDays(sql, tenant, data.day, data.day) : [];
  const { entries, problems } = entriesOfTemplate(template.lines, data.amounts, data.day, (accountId) => {
    const movement = evening?.accounts.get(accountId);
    return movement ? balanceOf(movement) : 0n;
  });
  throwIfAny(problems);
  return postDocument(sql, context, tenant, {
    source: 'TEMPLATE',
    day: data.day,
    batchNumber: data.batchNumber,
    documentNumber: data.documentNumber ?? template.documentNumber ?? undefined,
    text: `${template.description} ${monthOfDay(data.day)}`,
    entries: entries.map((entry) => ({
      ...entry,
      lines: entry.lines.map((line) => ({ ...line, factDay: data.factDay ?? null })),
    })),
  });
}
