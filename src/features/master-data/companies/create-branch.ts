import { reject } from '../../../accounting/problem.ts';
import { recordRef } from '../../../accounting/record-name.ts';
import type { Context } from '../../../platform/context.ts';
import { type CompanyTenant, requireCompanyWideAccess } from '../../access/access.ts';
import { recordAudit } from '../../access/audit.sql.ts';
import { CONSTRAINT, violates } from '../../constraints.ts';
import type { BranchRow } from './companies.read.sql.ts';
import { type BranchInput, insertBranch } from './companies.sql.ts';

export async function createBranch(context: Context, tenant: CompanyTenant, facts: BranchInput): Promise<BranchRow> {
  requireCompanyWideAccess(context, tenant);
  return context
    .transaction(async (sql) => {
      const branch = await insertBranch(sql, tenant.companyId, facts);
      await recordAudit(sql, context, {
        action: 'CREATE',
        entity: 'branch',
        entityId: branch.id,
        companyId: tenant.companyId,
        branchId: branch.id,
        after: branch,
      });
      return branch;
    })
    .catch((error) => rejectTakenCode(error, facts));
}

/** Another branch of the company has the code. */
export function rejectTakenCode(error: unknown, facts: BranchInput): never {
  if (!violates(error, CONSTRAINT.BRANCH_CODE)) throw error;
  return reject('DUPLICATE', recordRef('Branch', facts.code), 'branch');
}
