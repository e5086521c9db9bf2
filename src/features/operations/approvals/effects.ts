import type { ApprovalKind } from '../../../accounting/four-eyes.ts';
import type { Month } from '../../../accounting/period.ts';
import { reject } from '../../../accounting/problem.ts';
import { recordRef } from '../../../accounting/record-name.ts';
import type { Context } from '../../../platform/context.ts';
import type { RoutineCode, Tenant } from '../../access/access.ts';
import { requestMonthClose } from '../../closing/month-close/request-month-close.ts';
import { type AskedQuotas, confirmDailyQuotas } from '../../closing/quotas/calculate-daily-quotas.ts';
import { confirmQuota, type ExpectedQuota } from '../../closing/quotas/calculate-quota.ts';
import { type Reprocessing, reprocessQuotas } from '../../closing/quotas/reprocess-quotas.ts';
import type { CompanyOptionsInput } from '../../master-data/companies/company-options.sql.ts';
import { changeCompanyOptions } from '../../master-data/companies/save-company-options.ts';
import { selectBranches } from '../../posting/archive/archive.sql.ts';
import { archiveOneBranch } from '../../posting/archive/archive-movements.ts';
import { openMonth } from '../../posting/months/open-month.ts';
import type { ApprovalRow } from './approvals.read.sql.ts';
import { postDraft, routinesOfDraft } from './draft-effects.ts';
import { readRequest } from './kept-request.ts';

/** What the requests of a kind do, and which routines that takes. */
export interface Effect {
  readonly routines: readonly RoutineCode[];
  /** Does what was asked, in the transaction of the context, which names the approval. */
  readonly run: (context: Context, tenant: Tenant, request: unknown) => Promise<unknown>;
}

function effect<Request>(
  routines: readonly RoutineCode[],
  run: (context: Context, tenant: Tenant, request: Request) => Promise<unknown>,
): Effect {
  return { routines, run: (context, tenant, request) => run(context, tenant, request as Request) };
}

/** By kind. Requests were written by ask-approval.ts for these very functions. */
export const EFFECTS: Readonly<Record<ApprovalKind, Effect>> = {
  MONTH_CLOSE: effect<{ month: Month }>(['CONSOLIDATION'], (context, tenant, { month }) =>
    requestMonthClose(context, tenant, month),
  ),
  REOPENING: effect<{ month: Month; reason: string; confirmed: boolean }>(
    ['MONTH_OPENING', 'REOPENING'],
    (context, tenant, { month, reason, confirmed }) =>
      openMonth(context, tenant, month, {
        allowed: true,
        reason,
        confirmed: confirmed || context.approved?.confirmed === true,
      }),
  ),
  ARCHIVING: effect<{ month: Month; send: boolean }>(['PURGING'], async (context, tenant, request) => {
    const [branch] = await selectBranches(context.sql, [tenant.branchId]);
    return archiveOneBranch(context, branch ?? reject('NOT_FOUND', recordRef('Branch', tenant.branch)), request);
  }),
  QUOTA: effect<ExpectedQuota | AskedQuotas>(['TAX_QUOTA'], (context, tenant, asked) =>
    'from' in asked ? confirmDailyQuotas(context, tenant, asked) : confirmQuota(context, tenant, asked),
  ),
  QUOTA_REPROCESSING: effect<Reprocessing>(['TAX_QUOTA'], (context, tenant, asked) =>
    reprocessQuotas(context, tenant, asked),
  ),
  OPTIONS: effect<CompanyOptionsInput>(['SETTINGS'], (context, tenant, facts) =>
    changeCompanyOptions(context, tenant, facts),
  ),
  DRAFT: { routines: [], run: postDraft },
};

/** What both who asked and who approves must be granted. */
export function routinesOf({ kind, request }: Pick<ApprovalRow, 'kind' | 'request'>): readonly RoutineCode[] {
  return kind === 'DRAFT' ? routinesOfDraft(readRequest(request)) : EFFECTS[kind].routines;
}
