import type { CompanyId } from '../../../../accounting/ids.ts';
import { reject } from '../../../../accounting/problem.ts';
import { recordRef } from '../../../../accounting/record-name.ts';
import type { Context } from '../../../../platform/context.ts';
import type { Tenant } from '../../../access/access.ts';
import { insertJob } from '../../../operations/jobs/jobs.sql.ts';
import { keepFile } from '../kept-file.ts';
import { type EcdImportJob, selectEcdImportJob } from './ecd.read.sql.ts';
import { insertWaitingImport } from './ecd.sql.ts';
import type { EcdImportOptions } from './ecd-import.ts';
import { type EcdUpload, requireEcdImport } from './import-ecd-now.ts';

/** Keeps a bookkeeping file and queues its import; of a branch one at a time. Rejects a file that was imported already. */
export async function requestEcdImport(
  context: Context,
  tenant: Tenant,
  upload: EcdUpload,
  options: EcdImportOptions,
): Promise<EcdImportJob> {
  const { companyId, branchId } = tenant;
  const { caller, scope } = context;
  await requireEcdImport(context, tenant, upload, options);
  const jobId = await context.transaction(async (sql) => {
    const { username: by } = caller;
    const record = { fileName: upload.name, hash: upload.file.sha256, dryRun: options.dryRun, by };
    const importId = await insertWaitingImport(sql, tenant, record);
    await keepFile(sql, companyId, importId, upload.file);
    const wholeCompany = scope.companies === '*' || scope.wholeCompanies.includes(companyId);
    const { id, username, admin } = caller;
    const payload = { importId, options, caller: { id, username, admin, wholeCompany } };
    const job = await insertJob(sql, { companyId, branchId, kind: 'ECD_IMPORT', payload, requestedBy: by });
    if (job === undefined) reject('ECD_IMPORT_UNDER_WAY', { company: tenant.company, branch: tenant.branch });
    return job.id;
  });
  context.wakeJobs();
  return readEcdImport(context, companyId, jobId);
}

export async function readEcdImport(context: Context, companyId: CompanyId, id: number): Promise<EcdImportJob> {
  return (await selectEcdImportJob(context.sql, companyId, id)) ?? reject('NOT_FOUND', recordRef('Job', id));
}
