import { z } from 'zod';
import type { BranchId, CompanyId } from '../../../accounting/ids.ts';
import type { Day } from '../../../accounting/period.ts';
import { BusinessError, type Problem, problem } from '../../../accounting/problem.ts';
import type { Transaction } from '../../../platform/database/sql.ts';
import type { Jobs } from '../../operations/jobs/job-kinds.ts';
import type { JobHandler, JobWork } from '../../operations/jobs/jobs.ts';
import { keepQuotas } from './calculate-daily-quotas.ts';
import { computeDailyQuotas, type FundQuotas } from './compute-daily-quotas.ts';
import { lockFunds, lockMonthsUpTo } from './daily-quotas.sql.ts';
import type { FailedFund, QuotaRunResult } from './quota-run-result.ts';

/** Funds whose quotas are computed by the same statements and kept by one commit: their months are locked that long. */
const FUNDS_AT_ONCE = 200;
/** Groups that are computed side by side. */
const GROUPS_AT_ONCE = 2;
/** Failed funds that the result names; the others are counted. */
const MAX_NAMED = 1_000;

/** Computes the quotas of a day of all the funds that were asked, group by group; each group is a commit of its own. */
export const quotaRunJob: JobHandler<'QUOTAS'> = {
  payload: z.object({
    day: z.string() as z.ZodType as z.ZodType<Day>,
    confirmed: z.boolean(),
    branchIds: z.array(z.number()) as z.ZodType as z.ZodType<BranchId[]>,
  }),
  async run({ companyId, payload, requestedBy }, work) {
    const run = new Run(companyId, { ...payload, requestedBy }, work);
    const groups: BranchId[][] = [];
    for (let at = 0; at < payload.branchIds.length; at += FUNDS_AT_ONCE) {
      groups.push(payload.branchIds.slice(at, at + FUNDS_AT_ONCE));
    }
    const next = groups.values();
    // Both take from the same groups.
    await Promise.all(
      Array.from({ length: GROUPS_AT_ONCE }, async () => {
        for (const group of next) await run.compute(group);
      }),
    );
    return run.result();
  },
};

class Run {
  private readonly companyId: CompanyId;
  private readonly asked: Jobs['QUOTAS']['payload'] & { readonly requestedBy: string };
  private readonly work: JobWork<'QUOTAS'>;
  private calculated = 0;
  private kept = 0;
  private readonly failures: FailedFund[] = [];

  constructor(companyId: CompanyId, asked: Run['asked'], work: JobWork<'QUOTAS'>) {
    this.companyId = companyId;
    this.asked = asked;
    this.work = work;
  }

  result(): QuotaRunResult {
    const { calculated, kept, failures, asked } = this;
    const inOrder = failures.toSorted((a, b) => (a.branch < b.branch ? -1 : 1));
    const funds = asked.branchIds.length;
    return { funds, calculated, kept, failed: failures.length, failures: inOrder.slice(0, MAX_NAMED) };
  }

  /** A group that fails as a whole is computed fund by fund, so that one takes no other with it. */
  async compute(group: readonly BranchId[]): Promise<void> {
    try {
      this.count(await this.inTransaction(group));
    } catch (error) {
      if (group.length === 1) this.failures.push(this.failureOf(group[0]!, error));
      else for (const branchId of group) await this.compute([branchId]);
    }
    const done = this.calculated + this.kept + this.failures.length;
    this.work.report({ done, funds: this.asked.branchIds.length, failed: this.failures.length });
  }

  private inTransaction(group: readonly BranchId[]): Promise<FundQuotas[]> {
    const scope = { companies: [this.companyId], wholeCompanies: [this.companyId], branches: [] };
    return this.work.database.transaction(scope, (sql) => this.calculate(sql, group));
  }

  private async calculate(sql: Transaction, group: readonly BranchId[]): Promise<FundQuotas[]> {
    const { day, confirmed, requestedBy } = this.asked;
    if (confirmed) {
      await lockFunds(sql, this.companyId, group);
      await lockMonthsUpTo(sql, this.companyId, group, day);
    }
    const asked = { from: day, to: day, daysOf: async () => [day] };
    const found = (await computeDailyQuotas(sql, this.companyId, group, asked)).map((each) =>
      confirmed && each.fund.wantsApproval && each.computed.length > 0
        ? { ...each, computed: [], problem: problem('QUOTA_WANTS_APPROVAL') }
        : each,
    );
    const sound = found.filter(({ computed }) => computed.length > 0);
    if (confirmed && sound.length > 0) {
      const by = { caller: { id: 0, username: requestedBy, admin: false }, address: 'job', at: this.work.now() };
      await keepQuotas(sql, by, this.companyId, sound);
    }
    return found;
  }

  private count(found: readonly FundQuotas[]): void {
    for (const { fund, computed, kept, problem: reason } of found) {
      if (reason) this.failures.push(failureOf(fund.branch, reason));
      else if (computed.length > 0) this.calculated++;
      else this.kept += kept.length;
    }
  }

  private failureOf(branchId: BranchId, error: unknown): FailedFund {
    const [reason] = error instanceof BusinessError ? error.problems : [];
    if (reason === undefined) this.work.log.error({ err: error, branchId }, 'quota of a fund');
    return failureOf(`#${branchId}`, reason ?? problem('INTERNAL'));
  }
}

function failureOf(branch: string, { code, params }: Problem): FailedFund {
  return { branch, code, params };
}
