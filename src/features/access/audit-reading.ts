import type { BranchId, CompanyId } from '../../accounting/ids.ts';
import type { Context } from '../../platform/context.ts';
import { recordAudit } from './audit.sql.ts';

interface Reading {
  /** DOWNLOAD: the file of a report; EXPORT: a whole listing as a file. */
  readonly action: 'DOWNLOAD' | 'EXPORT';
  readonly entity: string;
  readonly entityId?: string | number;
  readonly tenant: { readonly companyId: CompanyId; readonly branchId?: BranchId | undefined };
  /** What was requested: period, filters, form. */
  readonly asked: unknown;
}

/** An export of books is recorded in the trail before the first byte is sent. */
export async function auditReading(context: Context, { tenant, asked, ...reading }: Reading): Promise<void> {
  const { companyId, branchId } = tenant;
  await context.transaction((sql) => recordAudit(sql, context, { ...reading, companyId, branchId, after: asked }));
}
