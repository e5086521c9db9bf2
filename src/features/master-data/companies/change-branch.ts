import { reject } from '../../../accounting/problem.ts';
import { recordRef } from '../../../accounting/record-name.ts';
import type { Context } from '../../../platform/context.ts';
import type { Tenant } from '../../access/access.ts';
import { recordAudit } from '../../access/audit.sql.ts';
import { rejectWhenReferenced } from '../reject-when-referenced.ts';
import { type BranchRow, selectBranch } from './companies.read.sql.ts';
import { type BranchInput, deleteBranchRow, lockBranch, updateBranch } from './companies.sql.ts';
import { rejectTakenCode } from './create-branch.ts';

export async function changeBranch(context: Context, tenant: Tenant, facts: BranchInput): Promise<BranchRow> {
  return context
    .transaction(async (sql) => {
      const before = await lockBranchOrThrow(sql, tenant);
      const after = await updateBranch(sql, tenant.companyId, tenant.branchId, facts);
      await recordAudit(sql, context, {
        action: 'UPDATE',
        entity: 'branch',
        entityId: tenant.branchId,
        ...tenant,
        before,
        after,
      });
      return after;
    })
    .catch((error) => rejectTakenCode(error, facts));
}

/** Only while nothing of the branch exists; permissions on it are deleted with it. */
export async function deleteBranch(context: Context, tenant: Tenant): Promise<void> {
  await rejectWhenReferenced(recordRef('Branch', tenant.branch), () =>
    context.transaction(async (sql) => {
      const before = await lockBranchOrThrow(sql, tenant);
      await deleteBranchRow(sql, tenant.companyId, tenant.branchId);
      await recordAudit(sql, context, {
        action: 'DELETE',
        entity: 'branch',
        entityId: tenant.branchId,
        ...tenant,
        before,
      });
    }),
  );
  context.rightsChanged();
}

async function lockBranchOrThrow(sql: Parameters<typeof lockBranch>[0], tenant: Tenant): Promise<BranchRow> {
  await lockBranch(sql, tenant.companyId, tenant.branchId);
  return (
    (await selectBranch(sql, tenant.companyId, tenant.branchId)) ??
    reject('NOT_FOUND', recordRef('Branch', tenant.branchId))
  );
}
