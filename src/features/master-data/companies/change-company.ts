import { reject } from '../../../accounting/problem.ts';
import { recordRef } from '../../../accounting/record-name.ts';
import type { Context } from '../../../platform/context.ts';
import { type CompanyTenant, requireCompanyWideAccess } from '../../access/access.ts';
import { recordAudit } from '../../access/audit.sql.ts';
import { CONSTRAINT, violates } from '../../constraints.ts';
import { rejectWhenReferenced } from '../reject-when-referenced.ts';
import type { CompanyRow } from './companies.read.sql.ts';
import { type CompanyInput, deleteCompanyRow, lockCompany, updateCompany } from './companies.sql.ts';

export async function changeCompany(context: Context, tenant: CompanyTenant, facts: CompanyInput): Promise<CompanyRow> {
  requireCompanyWideAccess(context, tenant);
  return context
    .transaction(async (sql) => {
      const before = (await lockCompany(sql, tenant.companyId)) ?? throwAbsent(tenant.companyId);
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
      if (!violates(error, CONSTRAINT.COMPANY_CODE)) throw error;
      return reject('DUPLICATE', recordRef('Company', facts.code ?? ''), 'company');
    });
}

/** Only without branches or other references; permissions on it are deleted with it. */
export async function deleteCompany(context: Context, tenant: CompanyTenant): Promise<void> {
  requireCompanyWideAccess(context, tenant);
  await rejectWhenReferenced(recordRef('Company', tenant.company), () =>
    context.transaction(async (sql) => {
      const before = (await lockCompany(sql, tenant.companyId)) ?? throwAbsent(tenant.companyId);
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

function throwAbsent(id: number): never {
  return reject('NOT_FOUND', recordRef('Company', id));
}
