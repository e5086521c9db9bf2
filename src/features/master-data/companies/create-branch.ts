import { refuse } from '../../../accounting/problem.ts';
import { named } from '../../../accounting/record-name.ts';
import type { Context } from '../../../platform/context.ts';
import { constraintOf, sqlState } from '../../../platform/sql.ts';
import type { CompanyTenant } from '../../access/access.ts';
import { recordAudit } from '../../access/audit.sql.ts';
import type { BranchRow } from './companies.read.sql.ts';
import { type BranchFacts, insertBranch } from './companies.sql.ts';
import { requireWholeCompany } from './whole-company.ts';

export async function createBranch(context: Context, tenant: CompanyTenant, facts: BranchFacts): Promise<BranchRow> {
  requireWholeCompany(context, tenant);
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
    .catch((error) => refuseTakenCode(error, facts));
}

/** Another branch of the company has the code. */
export function refuseTakenCode(error: unknown, facts: BranchFacts): never {
  if (sqlState(error) !== '23505' || constraintOf(error) !== 'branch_company_id_code_key') throw error;
  return refuse('DUPLICATE', named('Branch', facts.code), 'branch');
}
