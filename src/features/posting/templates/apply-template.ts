import { balanceOf } from '../../../accounting/balance.ts';
import { monthOfDay } from '../../../accounting/period.ts';
import { reject, throwIfAny } from '../../../accounting/problem.ts';
import { recordRef, usedBy } from '../../../accounting/record-name.ts';
import type { Context } from '../../../platform/context.ts';
import type { Transaction } from '../../../platform/database/sql.ts';
import type { Tenant } from '../../access/access.ts';
import { recordAudit } from '../../access/audit.sql.ts';
import { readDays } from '../../closing/balances/read-balances.ts';
import { CONSTRAINT, violates } from '../../constraints.ts';
import { postDocument } from '../entries/post-document.ts';
import { lockOpenBooks } from '../months/months.sql.ts';
import { entriesOfTemplate } from './entries-of-template.ts';
import { selectLastTemplateUse, type TemplateUseRow } from './templates.read.sql.ts';
import {
  deleteTemplateUseRow,
  insertTemplateUse,
  lockTemplate,
  type NewTemplateUse,
  type TemplateRow,
} from './templates.sql.ts';

/** Stores amounts for a template; with status LANCADO posts its document and entries in the same transaction. */
export async function applyTemplate(
  context: Context,
  tenant: Tenant,
  data: Omit<NewTemplateUse, 'batchId' | 'documentId'>,
): Promise<TemplateUseRow> {
  return context
    .transaction(async (sql) => {
      const template =
        (await lockTemplate(sql, tenant, data.code)) ??
        reject('NOT_FOUND', recordRef('Entry template', data.code), 'template.code');
      const posted = data.status === 'LANCADO' ? await post(sql, context, tenant, template, data) : undefined;
      const id = await insertTemplateUse(sql, tenant, {
        ...data,
        batchId: posted?.batchId ?? null,
        documentId: posted?.documentId ?? null,
      });
      const created = await selectLastTemplateUse(sql, tenant, { id });
      await recordAudit(sql, context, {
        action: 'CREATE',
        entity: 'standard_release_data',
        entityId: id,
        ...tenant,
        after: created,
      });
      return created!;
    })
    .catch((error) => {
      if (!violates(error, CONSTRAINT.DOCUMENT_NUMBER)) throw error;
      return reject('DUPLICATE', recordRef('Document', data.documentNumber ?? ''), 'document.number');
    });
}

/** Removes a use of a template that has posted nothing. */
export async function deleteTemplateUse(context: Context, tenant: Tenant, id: number): Promise<void> {
  await context.transaction(async (sql) => {
    const data = await selectLastTemplateUse(sql, tenant, { id });
    if (!data) reject('NOT_FOUND', recordRef('Template use', id));
    if (data.status === 'LANCADO') reject('IN_USE', usedBy(recordRef('Template use', id), ['a posted document']));
    await deleteTemplateUseRow(sql, tenant.companyId, id);
    await recordAudit(sql, context, {
      action: 'DELETE',
      entity: 'standard_release_data',
      entityId: id,
      ...tenant,
      before: data,
    });
  });
}

async function post(
  sql: Transaction,
  context: Context,
  tenant: Tenant,
  template: TemplateRow,
  data: Omit<NewTemplateUse, 'batchId' | 'documentId'>,
): Promise<{ batchId: number; documentId: number }> {
  const needsBalances = template.lines.some((line) => line.valueType === 'SALDO_CONTA');
  if (needsBalances) await lockOpenBooks(sql, tenant.companyId, tenant.branchId);
  const [evening] = needsBalances ? await readDays(sql, tenant, data.day, data.day) : [];
  const { entries, problems } = entriesOfTemplate(template.lines, data.amounts, data.day, (accountId) => {
    const movement = evening?.accounts.get(accountId);
    return movement ? balanceOf(movement) : 0n;
  });
  throwIfAny(problems);
  return postDocument(sql, context, tenant, {
    day: data.day,
    batchNumber: data.batchNumber,
    documentNumber: data.documentNumber ?? template.documentNumber ?? undefined,
    text: `${template.description} ${monthOfDay(data.day)}`,
    entries,
  });
}
