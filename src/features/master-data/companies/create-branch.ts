import { reject } from '../../../accounting/problem.ts';
import { recordRef } from '../../../accounting/record-name.ts';
import type { Context } from '../../../platform/context.ts';
import { constraintOf, SQLSTATE, sqlState } from '../../../platform/database/errors.ts';
import { type CompanyTenant, requireCompanyWideAccess } from '../../access/access.ts';
import { recordAudit } from '../../access/audit.sql.ts';
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
  if (sqlState(error) !== SQLSTATE.UNIQUE_VIOLATION || constraintOf(error) !== 'branch_company_id_code_key')
    throw error;
  return reject('DUPLICATE', recordRef('Branch', facts.code), 'branch');
}
