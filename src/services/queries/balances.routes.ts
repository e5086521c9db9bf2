import { z } from 'zod';
import { balanceOf } from '../../accounting/balance.ts';
import { monthNumberOf, monthOf, slashOf, yearOf } from '../../accounting/period.ts';
import { selectListedAccounts } from '../../features/closing/balances/listed-accounts.read.sql.ts';
import { readAccountMonths } from '../../features/closing/balances/read-balances.ts';
import { requireBooks } from '../../features/master-data/companies/require-books.ts';
import { queryLedger } from '../../features/reporting/ledger/query-ledger.ts';
import {
  accountId,
  branchCode,
  companyCode,
  id,
  money,
  moneyAnswer,
  optional,
  slashMonth,
  tenantParams,
} from '../../http/fields.ts';
import { longList } from '../../http/long-list.ts';
import { rejectLongPeriod } from '../../http/long-period.ts';
import { rejectRequest } from '../../http/request-error.ts';
import { route } from '../../http/route.ts';

/** Longest period of one request, in months. */
const MAX_MONTHS = 1_200;

const branchOfBody = ({ empresa, filial }: { empresa: string; filial: string }) => ({
  company: empresa,
  branch: filial,
});

export const balanceInquiryRoute = route({
  operationId: 'queryBalances',
  method: 'POST',
  path: '/balanceInquiryDetails',
  summary: 'Balances of an account, one item a month',
  tag: 'Balances',
  access: { to: 'tenant', of: branchOfBody },
  fieldNames: { account: 'contaId' },
  body: z.strictObject({
    contaId: accountId,
    empresa: companyCode,
    filial: branchCode,
    anomesini: slashMonth,
    anomesfim: slashMonth,
    comboType: optional(z.enum(['ALL'], { message: 'must be ALL | deve ser ALL' })),
  }),
  answer: longList(
    z.object({
      year: z.string(),
      month: z.string(),
      movdeb: moneyAnswer,
      movcred: moneyAnswer,
      movenc: moneyAnswer.optional(),
      accumulatedBalance: moneyAnswer,
      openingBalance: moneyAnswer,
    }),
  ),
  handle: async ({ body, context, tenant }) => {
    const { anomesini: from, anomesfim: to } = body;
    if (from > to) rejectRequest('INVALID_DATE_RANGE', { from: slashOf(from), to: slashOf(to) }, 'anomesini');
    rejectLongPeriod(from, to, MAX_MONTHS, 'anomesfim');
    const months = await readAccountMonths(context.sql, tenant, body.contaId, from, to);
    return months.map((each) => ({
      year: String(yearOf(each.month)),
      month: String(monthNumberOf(each.month)).padStart(2, '0'),
      movdeb: money(each.debit),
      movcred: money(each.credit),
      movenc: money(each.closing),
      accumulatedBalance: money(balanceOf(each)),
      openingBalance: money(each.opening),
    }));
  },
});

export const generalLedgerRoute = route({
  operationId: 'queryGeneralLedger',
  method: 'POST',
  path: '/generalLedgerQuery',
  summary: 'The journal of an account in a month',
  tag: 'Ledger',
  access: { to: 'tenant', of: branchOfBody },
  fieldNames: { account: 'contaId', from: 'dayStart', to: 'dayEnd' },
  body: z.strictObject({
    contaId: accountId,
    empresa: companyCode,
    filial: branchCode,
    year: z.number().int().min(2000).max(9999).meta({ example: 2026 }),
    month: z.number().int().min(1).max(12).meta({ example: 1 }),
    dayStart: optional(z.number().int().min(0).max(31).meta({ example: 1 })),
    dayEnd: optional(z.number().int().min(0).max(31).meta({ example: 31 })),
  }),
  answer: longList(
    z.object({
      lote: z.string(),
      documento: z.string(),
      entry: z.string(),
      debCre: z.string(),
      day: z.string(),
      history: z.string(),
      value: z.string(),
      cdContabil: z.string(),
    }),
  ),
  handle: async ({ body, context, tenant }) => {
    const month = monthOf(body.year, body.month)!;
    const rows = await queryLedger(context, tenant, body.contaId, month, { from: body.dayStart, to: body.dayEnd });
    return rows.map((row) => ({
      lote: row.batch,
      documento: row.document,
      entry: row.entry,
      debCre: row.side,
      day: row.day.slice(8),
      history: row.narration ?? '',
      value: row.amount,
      cdContabil: row.accountCode,
    }));
  },
});

export const chartListingRoute = route({
  operationId: 'listChartOfAccounts',
  method: 'GET',
  path: '/allChartOfAccount/{company}/{branch}',
  summary: 'The chart of accounts of a branch in hierarchical order',
  tag: 'Chart',
  access: { to: 'tenant', of: ({ company, branch }) => ({ company, branch }) },
  params: tenantParams,
  answer: longList(z.object({ id, cdAccounting: z.string(), cdReduced: z.string() })),
  handle: async ({ context, tenant }) => {
    const { chartId } = await requireBooks(context.sql, tenant);
    const accounts = await selectListedAccounts(context.sql, chartId);
    return accounts.map((account) => ({ id: account.id, cdAccounting: account.code, cdReduced: account.shortCode }));
  },
});
