import { refuse } from '../../../accounting/problem.ts';
import { named } from '../../../accounting/record-name.ts';
import type { Context } from '../../../platform/context.ts';
import { constraintOf, sqlState } from '../../../platform/sql.ts';
import type { CompanyTenant } from '../../access/access.ts';
import { recordAudit } from '../../access/audit.sql.ts';
import { refuseWhenReferenced } from '../refuse-when-referenced.ts';
import type { CompanyRow } from './companies.read.sql.ts';
import { type CompanyFacts, deleteCompanyRow, lockCompany, updateCompany } from './companies.sql.ts';
import { requireWholeCompany } from './whole-company.ts';

export async function changeCompany(context: Context, tenant: CompanyTenant, facts: CompanyFacts): Promise<CompanyRow> {
  requireWholeCompany(context, tenant);
  return context
    .transaction(async (sql) => {
      const before = (await lockCompany(sql, tenant.companyId)) ?? gone(tenant.companyId);
      const after = await updateCompany(sql, tenant.companyId, facts);
      await recordAudit(sql, context, {
        action: 'UPDATE',
        entity: 'company',
        entityId: tenant.companyId,
        companyId: tenant.companyId,
        before,
        after,
      });
      return after;
    })
    .catch((error) => {
      if (sqlState(error) !== '23505' || constraintOf(error) !== 'company_code_key') throw error;
      return refuse('DUPLICATE', named('Company', facts.code ?? ''), 'company');
    });
}

/** Only without branches, or whatever else names the company; permissions on it go with it. */
export async function deleteCompany(context: Context, tenant: CompanyTenant): Promise<void> {
  requireWholeCompany(context, tenant);
  await refuseWhenReferenced(named('Company', tenant.company), () =>
    context.transaction(async (sql) => {
      const before = (await lockCompany(sql, tenant.companyId)) ?? gone(tenant.companyId);
      await deleteCompanyRow(sql, tenant.companyId);
      await recordAudit(sql, context, {
        action: 'DELETE',
        entity: 'company',
        entityId: tenant.companyId,
        companyId: tenant.companyId,
        before,
      });
    }),
  );
  context.rightsChanged();
}

function gone(id: number): never {
  return refuse('NOT_FOUND', named('Company', id));
}
