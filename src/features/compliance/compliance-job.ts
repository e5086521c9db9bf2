import { z } from 'zod';
import { asId, type BranchId } from '../../accounting/ids.ts';
import type { Month } from '../../accounting/period.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { monthOfJob } from '../operations/jobs/jobs.sql.ts';
import type { JobHandler } from '../operations/jobs/jobs.ts';
import { selectBranchBooks } from './books.read.sql.ts';
import { selectRegulatoryDocuments } from './lookups.read.sql.ts';
import { selectAutorunRules, selectRulesOf } from './rules.read.sql.ts';
import { compileRules, type DocumentRules, runRules } from './run-rules.ts';

/** Runs rules over the job's branches, in the job's transaction: all processes and the job's end are one commit. */
export const complianceJob: JobHandler<'COMPLIANCE_RUN'> = {
  payload: z.object({ documentId: z.int().nullable(), branchIds: z.array(z.int().transform(asId<BranchId>)) }),
  async run(job, work) {
    const month = monthOfJob(job);
    const { documentId, branchIds } = job.payload;
    const documents = await documentsOf(work.sql, documentId, month);
    const run = { month, executedAt: work.now(), executedBy: job.requestedBy };
    const found = await selectBranchBooks(work.sql, { branchIds, readyFor: month });
    // A month reopened since has nothing to check: its next month close queues a new run.
    const branches = found.filter(({ chartId }) => chartId !== null);
    const processes: number[] = [];
    let done = 0;
    for await (const ofBranch of runRules(work.sql, branches, documents, run)) {
      processes.push(...ofBranch.map(({ id }) => id));
      done++;
      work.report({ percent: Math.floor((100 * done) / branches.length) });
    }
    return { processes };
  },
};

async function documentsOf(sql: Sql, documentId: number | null, month: Month): Promise<DocumentRules[]> {
  const documents = await selectRegulatoryDocuments(sql);
  if (documentId !== null) {
    const rules = await compileRules(await selectRulesOf(sql, documentId, month), month);
    return documents.filter(({ id }) => id === documentId).map((document) => ({ document, rules }));
  }
  const rules = await compileRules(await selectAutorunRules(sql, month), month);
  return documents
    .map((document) => ({ document, rules: rules.filter(({ rule }) => rule.documents.includes(document.id)) }))
    .filter((each) => each.rules.length > 0);
}
