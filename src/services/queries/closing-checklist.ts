import { z } from 'zod';
import { FINDING_CODES, type FindingCode } from '../../accounting/finding-code.ts';
import { type Month, monthNumberOf, slashOf, yearOf } from '../../accounting/period.ts';
import type { Tenant } from '../../features/access/access.ts';
import type { Checklist, Finding } from '../../features/closing/checklist/read-checklist.ts';
import { companyCode, exactNumber, moneyAnswer, wholeText } from '../../http/fields.ts';
import type { Language } from '../../http/language.ts';
import { PHRASES } from '../../http/problem-texts/phrases.ts';
import type { ServiceName } from '../../platform/config.ts';

export const monthParams = {
  company: companyCode,
  year: wholeText(2000, 9999).meta({ type: 'integer', example: 2026 }),
  month: wholeText(1, 12).meta({ type: 'integer', example: 1 }),
};

const code = z.enum(FINDING_CODES).meta({ example: 'DAYS_OPEN' });
const state = z.enum(['OK', 'PENDING', 'WARNING', 'BLOCKED', 'NOT_APPLICABLE']).meta({ example: 'PENDING' });
const title = z.string().meta({ example: 'Business days not closed' });
const monthState = z.enum(['NOT_OPENED', 'OPEN', 'CLOSED']).meta({ example: 'OPEN' });
const yearMonth = z.string().meta({ example: '01/2026' });

export const findingAnswer = z
  .object({
    code,
    title,
    state,
    count: z.number().int(),
    items: z.array(
      z
        .object({
          name: z.string().meta({ example: '30/01/2026' }),
          amount: moneyAnswer.nullable(),
          service: z.string().meta({ example: 'movements' }),
          path: z.string().meta({ example: '/calendar/closeday/0001/0001' }),
        })
        .meta({ title: 'FindingItem' }),
    ),
  })
  .meta({ title: 'Finding' });

export const checklistAnswer = z.object({
  company: z.string(),
  branch: z.string(),
  yearmonth: yearMonth,
  monthState,
  findings: z.array(findingAnswer),
});

export const checklistsAnswer = z
  .object({
    company: z.string(),
    yearmonth: yearMonth,
    /** Titles of the findings, in the order of every branch's list. */
    titles: z.array(z.object({ code, title })),
    branches: z.array(
      z.object({
        branch: z.string(),
        name: z.string(),
        monthState,
        findings: z.array(z.object({ code, state, count: z.number().int() })),
      }),
    ),
  })
  .meta({ title: 'BranchChecklists' });

export function titleOf(finding: FindingCode, language: Language): string {
  return PHRASES.finding![finding]![language];
}

export function findingsToWire(
  { findings }: Checklist,
  tenant: Tenant,
  month: Month,
  language: Language,
): z.input<typeof checklistAnswer>['findings'] {
  return findings.map((finding) => ({
    code: finding.code,
    title: titleOf(finding.code, language),
    state: finding.state,
    count: finding.count,
    items: itemsOf(finding, month).map(({ name, amount, id }) => ({
      name,
      amount: amount === null ? null : exactNumber(amount),
      ...MENDED_AT[finding.code](tenant, month, id),
    })),
  }));
}

/** Where nothing single is to be mended, the month itself is. */
function itemsOf({ count, items }: Finding, month: Month): Finding['items'] {
  return count > 0 && items.length === 0 ? [{ name: slashOf(month), id: null, amount: null }] : items;
}

interface Address {
  readonly service: ServiceName;
  readonly path: string;
}

/** Where each finding is looked at or mended. */
const MENDED_AT: Readonly<Record<FindingCode, (tenant: Tenant, month: Month, id: number | null) => Address>> = {
  MONTH_OPEN: ({ company, branch }) => movements(`/monthOpening/${company}/${branch}`),
  DAYS_OPEN: ({ company, branch }) => movements(`/calendar/closeday/${company}/${branch}`),
  UNBALANCED_DOCUMENTS: (_tenant, _month, id) => movements(`/allentry/${id}`),
  BOOKS_DIFFER: ({ company, branch }) => ({ service: 'queries', path: `/seals/${company}/${branch}` }),
  IMPORTS_WITH_ERRORS: ({ company, branch }) => movements(`/imports/${company}/${branch}`),
  INVERTED_BALANCES: (_tenant, _month, id) => masterdata(`/chartOfAccounts/${id}`),
  MEMORANDUM_DIFFERENCE: ({ company, branch }) => masterdata(`/baseBalance/${company}/${branch}`),
  CLOSURE_SETTINGS_MISSING: () => masterdata('/closuresettings'),
  STALE_QUOTAS: ({ company, branch }) => masterdata(`/taxquotacalculation/${company}/${branch}`),
  TEMPLATES_PENDING: (_tenant, _month, id) => masterdata(`/releasedata/${id}`),
  DRAFTS_WAITING: (_tenant, _month, id) => movements(`/approvals/${id}`),
  RULES_FAILED: (_tenant, _month, id) => ({
    service: 'compliance',
    path: `/api/compliance/process/result/get/${id}`,
  }),
  BOOKS_ISSUED: ({ company }) => ({ service: 'reports', path: `/books/${company}` }),
  SEALED: ({ company, branch }) => ({ service: 'queries', path: `/seals/${company}/${branch}` }),
  CONSOLIDATED: ({ company, branch }, month) => ({
    service: 'queries',
    path: `/consolidation/preview/${company}/${branch}/${yearOf(month)}/${monthNumberOf(month)}`,
  }),
};

function movements(path: string): Address {
  return { service: 'movements', path };
}

function masterdata(path: string): Address {
  return { service: 'masterdata', path };
}
