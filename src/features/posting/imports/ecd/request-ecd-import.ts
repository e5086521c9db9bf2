import type { CompanyId } from '../../../../accounting/ids.ts';
import { reject } from '../../../../accounting/problem.ts';
import { recordRef } from '../../../../accounting/record-name.ts';
import type { Context } from '../../../../platform/context.ts';
import type { Tenant } from '../../../access/access.ts';
import { recordAudit } from '../../../access/audit.sql.ts';
import { requireChartToImport } from '../../../master-data/chart/import-chart.ts';
import { selectBooks } from '../../../master-data/companies/books.read.sql.ts';
import { rejectNoBooks } from '../../../master-data/companies/require-books.ts';
import { insertJob } from '../../../operations/jobs/jobs.sql.ts';
import { selectEarlierImport } from '../import-records.sql.ts';
import { keepFile } from '../kept-file.ts';
import type { SpooledFile } from '../spool.ts';
import { type EcdImportJob, selectEcdImportJob } from './ecd.read.sql.ts';
import { insertWaitingImport } from './ecd.sql.ts';
import type { EcdImportOptions } from './ecd-import.ts';

/** Keeps a bookkeeping file and queues its import; of a branch one at a time. Rejects a file that was imported already. */
export async function requestEcdImport(
  context: Context,
  tenant: Tenant,
  upload: { readonly name: string; readonly file: SpooledFile },
  options: EcdImportOptions,
): Promise<EcdImportJob> {
  const { companyId, branchId } = tenant;
  const { caller, scope } = context;
  const books = await selectBooks(context.sql, tenant);
  if (books === undefined && options.chart === undefined) rejectNoBooks(tenant);
  if (books === undefined) await requireChartToImport(context, options.chart!);
  const jobId = await context.transaction(async (sql) => {
    const earlier = await selectEarlierImport(sql, tenant, upload.file.sha256);
    if (earlier) reject('ECD_IMPORTED_BEFORE', { name: earlier.fileName, import: earlier.id }, 'file');
    const { username: by } = caller;
    const record = { fileName: upload.name, hash: upload.file.sha256, dryRun: options.dryRun, by };
    const importId = await insertWaitingImport(sql, tenant, record);
    await keepFile(sql, companyId, importId, upload.file);
    const wholeCompany = scope.companies === '*' || scope.wholeCompanies.includes(companyId);
    const { id, username, admin } = caller;
    const payload = { importId, options, caller: { id, username, admin, wholeCompany } };
    const job = await insertJob(sql, { companyId, branchId, kind: 'ECD_IMPORT', payload, requestedBy: by });
    if (job === undefined) reject('ECD_IMPORT_UNDER_WAY', { company: tenant.company, branch: tenant.branch });
    await recordAudit(sql, context, {
      ...{ action: 'REQUEST', entity: 'import', entityId: importId, ...tenant },
      after: { kind: 'ECD', ...options },
    });
    return job.id;
  });
  context.wakeJobs();
  return readEcdImport(context, companyId, jobId);
}

export async function readEcdImport(context: Context, companyId: CompanyId, id: number): Promise<EcdImportJob> {
  return (await selectEcdImportJob(context.sql, companyId, id)) ?? reject('NOT_FOUND', recordRef('Job', id));
}
