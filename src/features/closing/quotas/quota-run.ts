import type { CompanyId } from '../../../accounting/ids.ts';
import type { Day } from '../../../accounting/period.ts';
import { reject } from '../../../accounting/problem.ts';
import { recordRef } from '../../../accounting/record-name.ts';
import type { Context } from '../../../platform/context.ts';
import { type CompanyTenant, requireCompanyWideAccess } from '../../access/access.ts';
import { recordAudits } from '../../access/audit.sql.ts';
import { insertJob } from '../../operations/jobs/jobs.sql.ts';
import { type QuotaRun, selectQuotaRun, selectReachedFunds, selectRunUnderWay } from './quota-run.read.sql.ts';

/**
 * Queues the calculation of the quotas of a day of every fund that the caller reaches, a job for each company (domain: quota, 8).
 * One of a company that is under way is no second time begun.
 */
export async function requestQuotaRuns(
  context: Context,
  company: CompanyTenant | undefined,
  asked: { readonly day: Day; readonly confirmed: boolean },
): Promise<QuotaRun[]> {
  const jobs = await context.transaction(async (sql) => {
    if (company) requireCompanyWideAccess(context, company);
    const { companies, wholeCompanies } = context.scope;
    // The outcome names all funds of a company: it is for those who reach it as a whole.
    const reached = (await selectReachedFunds(sql, company?.companyId)).filter(
      ({ companyId }) => companies === '*' || wholeCompanies.includes(companyId),
    );
    if (company && reached.length === 0) reject('NO_FUNDS', { company: company.company });
    const keys: { companyId: CompanyId; id: number }[] = [];
    for (const { companyId, branchIds } of reached) {
      const payload = { ...asked, branchIds };
      const requestedBy = context.caller.username;
      const job = await insertJob(sql, { companyId, kind: 'QUOTAS', payload, requestedBy });
      if (!job) reject('QUOTA_RUN_UNDER_WAY', { job: await selectRunUnderWay(sql, companyId) });
      keys.push({ companyId, id: job.id });
    }
    await recordAudits(
      sql,
      context,
      keys.map(({ companyId, id }) => ({
        action: 'REQUEST',
        entity: 'quota_run',
        entityId: id,
        companyId,
        after: asked,
      })),
    );
    return keys;
  });
  context.wakeJobs();
  return Promise.all(jobs.map(({ companyId, id }) => readQuotaRun(context, companyId, id)));
}

export async function readQuotaRun(context: Context, companyId: CompanyId, id: number): Promise<QuotaRun> {
  return (await selectQuotaRun(context.sql, companyId, id)) ?? reject('NOT_FOUND', recordRef('Job', id));
}
