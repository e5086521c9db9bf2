import { z } from 'zod';
import { type Month, monthsBetween } from '../../accounting/period.ts';
import type { Tenant } from '../../features/access/access.ts';
import { selectChecklistBranches } from '../../features/closing/checklist/checklist-branches.read.sql.ts';
import { selectStatesOf } from '../../features/closing/month-overview/month-overview.read.sql.ts';
import { type MonthOverview, readMonthOverviews } from '../../features/closing/month-overview/read-month-overviews.ts';
import { assertWholeList } from '../../features/master-data/whole-list.ts';
import { consolidationAnswer, consolidationToWire } from '../../http/consolidation.ts';
import {
  branchId,
  companyParams,
  exactNumber,
  id,
  instant,
  isoMonth,
  moneyAnswer,
  tenantParams,
} from '../../http/fields.ts';
import { REPORT_NAMES } from '../../http/report-names.ts';
import { rejectRequest } from '../../http/request-error.ts';
import { type AnswerOf, route } from '../../http/route.ts';

const tag = 'Months';

/** Maximum number of branches of one answer, which has no pages, and of months of a span. */
const MAX_BRANCHES = 1_000;
const MAX_MONTHS = 36;

const state = z.enum(['NOT_OPENED', 'OPEN', 'CLOSED']).meta({ example: 'OPEN' });
const monthText = z.string().meta({ example: '2026-01' });
const count = z.number().int();

const overview = {
  state,
  purged: z.boolean().meta({ description: 'its entries are in the archive' }),
  openedAt: instant.nullable(),
  consolidatedAt: instant.nullable(),
  consolidatedBy: z.string().nullable().meta({ example: 'ana' }),
  seal: z.string().nullable().meta({
    example: '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
    description: 'in force; null: not closed, or closed before seals existed',
  }),
  lastRun: consolidationAnswer.nullable(),
  days: count.meta({ example: 31 }),
  closedDays: count.meta({ example: 22 }),
  businessDays: count.meta({ example: 21 }),
  closedBusinessDays: count.meta({ example: 15 }),
  currentDay: z
    .string()
    .nullable()
    .meta({ example: '2026-01-23', description: 'the business day that is closed next' }),
  batches: count.meta({ example: 3 }),
  logicalEntries: count.meta({ example: 2600 }),
  totalDebit: moneyAnswer,
  difference: moneyAnswer.meta({ description: 'what debits exceed credits by' }),
  imports: z.object({
    done: count,
    refused: count.meta({ description: 'refused or interrupted, and not mended by a later file of the name' }),
  }),
  compliance: z.array(
    z.object({
      processId: id,
      document: z.string().meta({ example: '4010' }),
      passed: count,
      failed: count,
      at: instant,
      by: z.string().meta({ example: 'ana' }),
      stale: z.boolean().meta({ description: 'run before the month was closed the last time' }),
    }),
  ),
  reports: z.array(
    z.object({
      tipo: z.string().meta({ example: 'monthlyTrialBalance' }),
      at: instant,
      by: z.string().meta({ example: 'ana' }),
      stale: z.boolean().meta({ description: 'printed before the month was closed the last time' }),
    }),
  ),
};
const overviewAnswer = z.object(overview);

export const getMonthsOfBranchRoute = route({
  operationId: 'getMonthsOfBranch',
  method: 'GET',
  path: '/months/{company}/{branch}',
  summary: 'Months of a branch at a glance: how far each is, and what stands in it',
  tag,
  addition: true,
  cost: 'heavy',
  access: { to: 'tenant', of: ({ company, branch }) => ({ company, branch }) },
  params: tenantParams,
  query: z.strictObject({ from: isoMonth, to: isoMonth }),
  answer: z.object({
    company: z.string(),
    branch: z.string(),
    months: z.array(z.object({ month: monthText, ...overview }).meta({ title: 'MonthOverview' })),
  }),
  handle: async ({ query, context, tenant }) => {
    rejectOtherSpan(query);
    const found = await context.snapshot((sql) =>
      readMonthOverviews(sql, tenant.companyId, [tenant.branchId], { from: query.from, to: query.to }),
    );
    return {
      company: tenant.company,
      branch: tenant.branch,
      months: found.map((each) => ({ month: each.month, ...overviewToWire(each, tenant) })),
    };
  },
});

export const getMonthsOfCompanyRoute = route({
  operationId: 'getMonthOfBranches',
  method: 'GET',
  path: '/months/{company}',
  summary: 'A month of all branches that the caller sees at a glance',
  tag,
  addition: true,
  cost: 'heavy',
  access: { to: 'tenant', of: ({ company }) => ({ company }) },
  params: companyParams,
  query: z.strictObject({ month: isoMonth }),
  answer: z.object({
    company: z.string(),
    month: monthText,
    branches: z.array(
      z.object({ branchId, branch: z.string(), name: z.string(), ...overview }).meta({ title: 'BranchOverview' }),
    ),
  }),
  handle: async ({ query, context, tenants }) => {
    const { companyId, company } = tenants[0]!;
    const { month } = query;
    return context.snapshot(async (sql) => {
      const branches = assertWholeList(
        await selectChecklistBranches(sql, companyId, month, MAX_BRANCHES + 1),
        MAX_BRANCHES,
      );
      const branchIds = branches.map(({ branchId }) => branchId);
      const found = await readMonthOverviews(sql, companyId, branchIds, { from: month, to: month });
      return {
        company,
        month,
        branches: branches.map(({ branchId, branch, name }, at) => ({
          branchId,
          branch,
          name,
          ...overviewToWire(found[at]!, { company, branch }),
        })),
      };
    });
  },
});

export const getMonthStatesRoute = route({
  operationId: 'listMonthStates',
  method: 'GET',
  path: '/monthStates/{company}',
  summary: 'The states of months of all branches that the caller sees; months that are not opened are left out',
  tag,
  addition: true,
  access: { to: 'tenant', of: ({ company }) => ({ company }) },
  params: companyParams,
  query: z.strictObject({ from: isoMonth, to: isoMonth }),
  answer: z.object({
    company: z.string(),
    branches: z.array(
      z
        .object({
          branch: z.string(),
          name: z.string(),
          months: z.array(
            z
              .object({
                month: monthText,
                state: z.enum(['OPEN', 'CLOSED']),
                purged: z.boolean(),
                closing: z.boolean().meta({ description: 'a month close waits or runs' }),
              })
              .meta({ title: 'OpenedMonth' }),
          ),
        })
        .meta({ title: 'BranchMonthStates' }),
    ),
  }),
  handle: async ({ query, context, tenants }) => {
    rejectOtherSpan(query);
    const { companyId, company } = tenants[0]!;
    const { from, to } = query;
    return context.snapshot(async (sql) => {
      const listed = await selectChecklistBranches(sql, companyId, from, MAX_BRANCHES + 1);
      const branches = assertWholeList(listed, MAX_BRANCHES);
      const branchIds = branches.map(({ branchId }) => branchId);
      const states = Map.groupBy(
        await selectStatesOf(sql, { companyId, branchIds, from, to }),
        ({ branchId }) => branchId,
      );
      return {
        company,
        branches: branches.map(({ branchId, branch, name }) => ({
          branch,
          name,
          months: (states.get(branchId) ?? []).map(({ month, state, archived, closing }) => ({
            month,
            state,
            purged: archived,
            closing,
          })),
        })),
      };
    });
  },
});

function rejectOtherSpan({ from, to }: { from: Month; to: Month }): void {
  if (from > to) rejectRequest('INVALID_DATE_RANGE', { from, to }, 'from');
  if (monthsBetween(from, to) >= MAX_MONTHS) rejectRequest('INVALID_FIELD', TOO_MANY_MONTHS, 'to');
}

const TOO_MANY_MONTHS = {
  reason: { en: `is more than ${MAX_MONTHS} months after from`, pt: `fica mais de ${MAX_MONTHS} meses depois de from` },
};

function overviewToWire(
  { state, opened, lastRun, days, batches, posted, imports, runsOfRules, printed }: MonthOverview,
  { company, branch }: Pick<Tenant, 'company' | 'branch'>,
): AnswerOf<typeof overviewAnswer> {
  return {
    state,
    purged: opened?.archived ?? false,
    openedAt: opened?.openedAt.toISOString() ?? null,
    consolidatedAt: opened?.closedAt?.toISOString() ?? null,
    consolidatedBy: opened?.closedBy ?? null,
    seal: opened?.seal ?? null,
    lastRun: lastRun ? consolidationToWire({ job: lastRun, company, branch, parts: undefined }) : null,
    days: days.days,
    closedDays: days.closedDays,
    businessDays: days.businessDays,
    closedBusinessDays: days.closedBusinessDays,
    currentDay: days.currentDay,
    batches,
    logicalEntries: posted.entries,
    totalDebit: exactNumber(posted.debits),
    difference: exactNumber(posted.difference),
    imports,
    compliance: runsOfRules.map(({ processId, document, passed, failed, executedAt, executedBy, stale }) => ({
      processId,
      document,
      passed,
      failed,
      at: executedAt.toISOString(),
      by: executedBy,
      stale,
    })),
    reports: newestOfNames(printed),
  };
}

/** Kinds that share a path are one report: the one printed last. */
function newestOfNames(printed: MonthOverview['printed']) {
  const newest = new Map<string, MonthOverview['printed'][number]>();
  for (const each of printed) {
    const name = REPORT_NAMES[each.kind];
    const other = newest.get(name);
    if (other === undefined || other.printedAt < each.printedAt) newest.set(name, each);
  }
  return [...newest].map(([tipo, { printedAt, printedBy, stale }]) => ({
    tipo,
    at: printedAt.toISOString(),
    by: printedBy,
    stale,
  }));
}
