import { z } from 'zod';
import type { Context } from '../../../../platform/context.ts';
import { contextOn, withTransaction } from '../../../../platform/context.ts';
import type { Tenant } from '../../../access/access.ts';
import type { JobHandler, JobWork } from '../../../operations/jobs/jobs.ts';
import { backendPid } from '../import-records.sql.ts';
import { withKeptFile } from '../kept-file.ts';
import { selectTenantOf } from './ecd.read.sql.ts';
import { beginImport, forgetFile } from './ecd.sql.ts';
import { recordingFailure, recordOutcome } from './import-ecd-now.ts';
import { runEcdImport } from './run-ecd-import.ts';

/** Imports the file that the job's import keeps, in the transaction of the job: books, record and the job's end are one commit. */
export const ecdImportJob: JobHandler<'ECD_IMPORT'> = {
  payload: z.object({
    importId: z.number(),
    caller: z.object({ id: z.number(), username: z.string(), admin: z.boolean(), wholeCompany: z.boolean() }),
    options: z.object({
      dryRun: z.boolean(),
      chart: z.string().optional() as z.ZodType<string | undefined>,
      hierarchy: z.enum(['ARQUIVO', 'CODIGO']),
      costCentre: z.enum(['SOMAR', 'RECUSAR']),
      balancesOnly: z.boolean(),
      months: z.number().optional() as z.ZodType<number | undefined>,
    }),
  }),
  async run({ companyId, branchId, payload }, work) {
    const { sql, describe } = work;
    const { importId, options, caller } = payload;
    const tenant = await selectTenantOf(sql, companyId, branchId!);
    const context = contextOf(work, tenant, caller);
    await beginImport(context.outOfBand, companyId, importId, await backendPid(sql));
    const mark = { importId, by: caller.username };
    // The job fails, or begins anew: then the record does too.
    const outcome = await recordingFailure({ context, tenant, mark, describe }, () =>
      withKeptFile(sql, companyId, importId, (file) =>
        runEcdImport({ context, sql, tenant, file, options, describe, mark, tell: work.report }),
      ),
    );
    const { result, written } = outcome;
    await recordOutcome(sql, tenant, importId, outcome);
    if (written === undefined) await forgetFile(sql, companyId, importId);
    return result;
  },
};

/** What the caller may do, and all of it within the job's transaction. */
function contextOf(
  { database, sql, now, log }: JobWork<'ECD_IMPORT'>,
  { companyId, branchId }: Tenant,
  { wholeCompany, ...caller }: { id: number; username: string; admin: boolean; wholeCompany: boolean },
): Context {
  const scope = { companies: [companyId], wholeCompanies: wholeCompany ? [companyId] : [], branches: [branchId] };
  const nothing = () => {};
  const rest = { caller, wakeJobs: nothing, rightsChanged: nothing, now, address: 'job', log };
  return withTransaction(contextOn(database, scope, rest), sql);
}
