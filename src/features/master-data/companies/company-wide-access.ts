import { reject } from '../../../accounting/problem.ts';
import type { Context } from '../../../platform/context.ts';
import type { CompanyTenant } from '../../access/access.ts';

/** A company's own data and its set of branches are changed by those who have the whole of it, not one branch. */
export function requireCompanyWideAccess(context: Pick<Context, 'scope'>, tenant: CompanyTenant): void {
  const { companies, wholeCompanies } = context.scope;
  if (companies !== '*' && !wholeCompanies.includes(tenant.companyId)) {
    reject('TENANT_DENIED', { company: tenant.company, branch: '*' });
  }
}
