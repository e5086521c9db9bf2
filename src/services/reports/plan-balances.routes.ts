import { z } from 'zod';
import { sideOf } from '../../accounting/balance.ts';
import {
  dayIn,
  firstDay,
  lastDay,
  type Month,
  monthNumberOf,
  monthOf,
  slashOf,
  yearOf,
} from '../../accounting/period.ts';
import { scaledFromDecimal } from '../../accounting/quota.ts';
import { isInstitution, type ReportedTenant } from '../../features/access/access.ts';
import type { EquityMonth } from '../../features/closing/balances/equity.read.sql.ts';
import { readEquity } from '../../features/closing/balances/read-balances.ts';
import { readQuotas } from '../../features/closing/quotas/read-quotas.ts';
import { isOfBranches, readReportedBooks } from '../../features/master-data/companies/institution.ts';
import { requireBooks } from '../../features/master-data/companies/require-books.ts';
import { type PostedOrder, type PostedRow, selectChartCode } from '../../features/reporting/ledger/ledger.read.sql.ts';
import { listPosted } from '../../features/reporting/ledger/list-posted.ts';
import { listAccountBalances } from '../../features/reporting/statements/list-account-balances.ts';
import { pageOfBalances } from '../../features/reporting/statements/list-balances.ts';
import type { ListingOrder } from '../../features/reporting/statements/listed-balances.read.sql.ts';
import type { ListedBalance, Listing } from '../../features/reporting/statements/listing.ts';
import { readOpenedMonths } from '../../features/reporting/statements/month-states.ts';
import {
  accountId,
  accountPathId,
  branchOrInstitution,
  companyCode,
  exactNumber,
  isoDay,
  money,
  moneyAnswer,
  wholeText,
} from '../../http/fields.ts';
import { longList } from '../../http/long-list.ts';
import { rejectLongPeriod } from '../../http/long-period.ts';
import {
  pagedReturn,
  pagedToWire,
  pageRequestOf,
  paginaQuery,
  rejectBranchAlone,
  tenantIfNamed,
} from '../../http/paging.ts';
import { rejectRequest } from '../../http/request-error.ts';
import { route } from '../../http/route.ts';
import type { Context } from '../../platform/context.ts';
import { offsetOf } from '../../platform/page-request.ts';

const TAG = 'Plan balances';
/** Of quotas and their values. */
const MAX_DECIMALS = 12;
const direction = z.enum(['ASC', 'DESC'], { message: 'must be ASC or DESC | deve ser ASC ou DESC' }).default('ASC');
const ofBranch = ({ empresa, filial }: { empresa: string; filial: string }) => ({ company: empresa, branch: filial });
const branchQuery = { empresa: companyCode, filial: branchOrInstitution };
const orderQuery = { ordenarPor: z.string().max(60).default('empresa'), direcao: direction };
const year = wholeText(1900, 9999).meta({ type: 'integer', example: 2026 });
const monthNumber = z
  .string()
  .regex(/^(0?[1-9]|1[0-2])$/, 'must be a month from 1 to 12 | deve ser um mês de 1 a 12')
  .meta({ example: '01' });
/** So large that a screen gets all accounts of a chart at once. */
const MOST_BALANCES = 10_000;

const monthQuery = {
  empresa: companyCode,
  filial: branchOrInstitution,
  ano: year,
  mes: monthNumber,
  ...paginaQuery(10),
  ...orderQuery,
};

const planBalance = {
  empresa: z.string(),
  filial: z.string(),
  ano: z.number().int(),
  mes: z.number().int(),
  plano: z.string(),
  contaId: accountId.nullable().meta({ description: 'null: what eliminations leave has a line, and no account' }),
  cdContabil: z.string(),
  cdReduzido: z.string(),
  descricao: z.string(),
  tipo: z.enum(['S', 'A']),
  nivel: z.number().int(),
  saldoAnterior: moneyAnswer,
  debito: moneyAnswer,
  credito: moneyAnswer,
  encerramento: moneyAnswer,
  saldoAtual: moneyAnswer,
  natureza: z.enum(['D', 'C']),
};

export const planBalanceRoute = route({
  operationId: 'listPlanBalances',
  method: 'GET',
  path: '/api/v1/saldos/plano-saldo',
  summary:
    'A page of the balances of a month, or of several months one after the other; of one account where it is named',
  tag: TAG,
  access: { to: 'tenant', of: ofBranch, institution: true },
  fieldNames: { account: 'contaId' },
  query: z.strictObject({
    ...monthQuery,
    ...paginaQuery(10, MOST_BALANCES),
    /** Its balances alone, of a summary account too. */
    contaId: accountPathId.optional(),
    /** With mesFim: the last of several months. */
    anoFim: year.optional(),
    mesFim: monthNumber.optional(),
  }),
  answer: pagedReturn(z.object(planBalance), longList),
  handle: async ({ query, context, branchOrInstitution: tenant }) => {
    const { from, to } = monthsAsked(query, tenant);
    const order = orderOf(query.ordenarPor, PLAN_ORDERS);
    if (order !== 'chart' && (from !== to || query.contaId !== undefined)) {
      rejectRequest('INVALID_FIELD', ORDER_OF_ONE_MONTH, 'ordenarPor');
    }
    if (query.contaId === undefined) {
      return balancePage(context, tenant, { from: firstDay(from), to: lastDay(to), byDay: false }, order, query);
    }
    const slice = pageRequestOf(query);
    const listed = await listAccountBalances(context, tenant, query.contaId, from, to);
    const page = listed.slice(offsetOf(slice), offsetOf(slice) + slice.size);
    return pagedToWire(await balancesToWire(context, tenant, page), listed.length, slice);
  },
});

const ORDER_OF_ONE_MONTH = {
  reason: { en: 'only one month of all accounts is ordered', pt: 'só um mês de todas as contas é ordenado' },
};

/** Most months of a request; those of an institution are listed in memory. */
const MAX_MONTHS = { ofBranch: 120, ofInstitution: 12 };

interface MonthsQuery {
  readonly ano: number;
  readonly mes: string;
  readonly anoFim?: number | undefined;
  readonly mesFim?: string | undefined;
}

function monthsAsked({ ano, mes, anoFim, mesFim }: MonthsQuery, tenant: ReportedTenant): { from: Month; to: Month } {
  const from = monthOf(ano, Number(mes))!;
  if (anoFim === undefined && mesFim === undefined) return { from, to: from };
  if (anoFim === undefined) return rejectRequest('MISSING_VALUE', {}, 'anoFim');
  if (mesFim === undefined) return rejectRequest('MISSING_VALUE', {}, 'mesFim');
  const to = monthOf(anoFim, Number(mesFim))!;
  if (from > to) rejectRequest('INVALID_DATE_RANGE', { from: slashOf(from), to: slashOf(to) }, 'mesFim');
  rejectLongPeriod(from, to, isInstitution(tenant) ? MAX_MONTHS.ofInstitution : MAX_MONTHS.ofBranch, 'mesFim');
  return { from, to };
}

export const planBalanceOfDayRoute = route({
  operationId: 'listPlanBalancesOfDay',
  method: 'GET',
  path: '/api/v1/saldos/plano-saldo-dia',
  summary: 'A page of the balances of a day',
  tag: TAG,
  access: { to: 'tenant', of: ofBranch, institution: true },
  query: z.strictObject({
    ...monthQuery,
    dia: z
      .string()
      .regex(/^(0?[1-9]|[12]\d|3[01])$/, 'must be a day from 1 to 31 | deve ser um dia de 1 a 31')
      .meta({ example: '05' }),
  }),
  answer: pagedReturn(z.object({ ...planBalance, dia: z.number().int() })),
  handle: async ({ query, context, branchOrInstitution: tenant }) => {
    const by = orderOf<PlanOrder>(query.ordenarPor, { ...PLAN_ORDERS, dia: 'chart' });
    const month = monthOf(query.ano, Number(query.mes))!;
    const day =
      dayIn(month, Number(query.dia)) ??
      rejectRequest('DAY_NOT_IN_MONTH', { day: query.dia, month: slashOf(month) }, 'dia');
    const page = await balancePage(context, tenant, { from: day, to: day, byDay: true }, by, query);
    const content = page.conteudo.content.map((each) => ({ ...each, dia: Number(query.dia) }));
    return { ...page, conteudo: { ...page.conteudo, content } };
  },
});

type PlanOrder = ListingOrder['by'] | 'chart';

/** Fields that a page may be ordered by; those that all its rows share leave the chart's order. */
const PLAN_ORDERS: Readonly<Record<string, PlanOrder>> = {
  empresa: 'chart',
  filial: 'chart',
  ano: 'chart',
  mes: 'chart',
  plano: 'chart',
  cdContabil: 'accountCode',
  cdReduzido: 'shortCode',
  descricao: 'description',
  tipo: 'accountType',
  nivel: 'level',
  saldoAnterior: 'opening',
  debito: 'debit',
  credito: 'credit',
  encerramento: 'closing',
  saldoAtual: 'balance',
  natureza: 'side',
};

async function balancePage(
  context: Context,
  tenant: ReportedTenant,
  listing: Listing,
  by: PlanOrder,
  query: { pagina: number; tamanho: number; direcao: 'ASC' | 'DESC' },
) {
  const slice = pageRequestOf(query);
  const order = by === 'chart' ? undefined : { by, direction: query.direcao };
  const { balances, total } = await pageOfBalances(context, tenant, listing, slice, order);
  return pagedToWire(await balancesToWire(context, tenant, balances), total, slice);
}

async function balancesToWire(context: Context, tenant: ReportedTenant, balances: readonly ListedBalance[]) {
  const books = await readReportedBooks(context.sql, tenant);
  const plan = await selectChartCode(context.sql, isOfBranches(books) ? books.seat : books);
  return balances.map((each) => balanceToWire(tenant, plan, each));
}

function balanceToWire(tenant: ReportedTenant, plan: string, each: ListedBalance) {
  const { month, account, movement, balance } = each;
  return {
    empresa: tenant.company,
    filial: tenant.branch,
    ano: yearOf(month),
    mes: monthNumberOf(month),
    plano: plan,
    contaId: account.id > 0 ? account.id : null,
    cdContabil: account.code,
    cdReduzido: account.shortCode,
    descricao: account.description,
    tipo: account.type,
    nivel: account.level,
    saldoAnterior: money(movement.opening),
    debito: money(movement.debit),
    credito: money(movement.credit),
    encerramento: money(movement.closing),
    saldoAtual: money(balance),
    natureza: sideOf(balance),
  };
}

interface EquityRow extends EquityMonth {
  readonly quota: MonthQuota | undefined;
}

interface EquityOrder {
  /** Without amounts the months of a page are known before anything is computed. */
  readonly needsAmounts: boolean;
  compare(a: EquityRow, b: EquityRow): number;
}

const EQUITY_ORDERS: Readonly<Record<string, EquityOrder>> = {
  empresa: { needsAmounts: false, compare: () => 0 },
  filial: { needsAmounts: false, compare: () => 0 },
  ano: { needsAmounts: false, compare: (a, b) => yearOf(a.month) - yearOf(b.month) },
  mes: { needsAmounts: false, compare: (a, b) => monthNumberOf(a.month) - monthNumberOf(b.month) },
  patrimonioLiquido: { needsAmounts: true, compare: (a, b) => compareAmounts(a.equity, b.equity) },
  resultado: { needsAmounts: true, compare: (a, b) => compareAmounts(a.result, b.result) },
  quantidadeCotas: byQuota((quota) => quota.numberOfQuotas),
  valorCota: byQuota((quota) => quota.quotaValue),
};

/** Months without a quota come after those with one, as PostgreSQL orders NULL. */
function byQuota(figure: (quota: MonthQuota) => string): EquityOrder {
  const scaled = ({ quota }: EquityRow) => quota && scaledFromDecimal(figure(quota), MAX_DECIMALS);
  return {
    needsAmounts: false,
    compare: (a, b) => {
      const [left, right] = [scaled(a), scaled(b)];
      if (left === undefined || right === undefined) return Number(left === undefined) - Number(right === undefined);
      return compareAmounts(left, right);
    },
  };
}

export const equityBalancesRoute = route({
  operationId: 'listEquityBalances',
  method: 'GET',
  path: '/api/v1/saldos/plsaldos',
  summary: 'A page of equity, open result and quota by month',
  tag: TAG,
  access: { to: 'tenant', of: ofBranch, institution: true },
  query: z.strictObject({ ...branchQuery, ...paginaQuery(10), ...orderQuery }),
  answer: pagedReturn(
    z.object({
      empresa: z.string(),
      filial: z.string(),
      ano: z.number().int(),
      mes: z.number().int(),
      patrimonioLiquido: moneyAnswer,
      resultado: moneyAnswer,
      quantidadeCotas: moneyAnswer.nullable(),
      valorCota: moneyAnswer.nullable(),
    }),
  ),
  handle: async ({ query, context, branchOrInstitution: tenant }) => {
    const order = orderOf(query.ordenarPor, EQUITY_ORDERS);
    const slice = pageRequestOf(query);
    const sign = query.direcao === 'ASC' ? 1 : -1;
    return context.snapshot(async (sql) => {
      const books = await readReportedBooks(sql, tenant);
      const opened = await readOpenedMonths(sql, books);
      if (opened.length === 0 && !isOfBranches(books)) await requireBooks(sql, books);
      // Quotas are of funds, and an institution has none.
      const quotas = isOfBranches(books) ? new Map<Month, MonthQuota>() : await readQuotas(sql, books);
      const paged = (months: readonly EquityMonth[]) =>
        months
          .map((each) => ({ ...each, quota: quotas.get(each.month) }))
          .toSorted((a, b) => sign * order.compare(a, b))
          .slice(offsetOf(slice), offsetOf(slice) + slice.size);
      const shown = order.needsAmounts
        ? paged(await readEquity(sql, books, opened))
        : await readEquity(sql, books, monthsOf(paged(opened.map((month) => ({ month, equity: 0n, result: 0n })))));
      const content = shown.map((each) => equityToWire(tenant, each, quotas.get(each.month)));
      return pagedToWire(content, opened.length, slice);
    });
  },
});

function monthsOf(months: readonly EquityMonth[]): Month[] {
  return months.map(({ month }) => month);
}

function equityToWire(tenant: ReportedTenant, { month, equity, result }: EquityMonth, quota: MonthQuota | undefined) {
  return {
    empresa: tenant.company,
    filial: tenant.branch,
    ano: yearOf(month),
    mes: monthNumberOf(month),
    patrimonioLiquido: money(equity),
    resultado: money(result),
    quantidadeCotas: quota ? exactNumber(quota.numberOfQuotas) : null,
    valorCota: quota ? exactNumber(quota.quotaValue) : null,
  };
}

type MonthQuota = { readonly quotaValue: string; readonly numberOfQuotas: string };

/** `conta` is one of them here, unlike in the balances. */
const POSTED_NAMES = { dataContabil: 'day', documento: 'document', valor: 'amount', conta: 'account' } as const;

export const postedLinesRoute = route({
  operationId: 'listPostedLines',
  method: 'GET',
  path: '/api/v1/lancamentos-contabeis',
  fieldNames: { from: 'dataInicio' },
  cost: 'heavy',
  summary: 'Posted lines; use the query service instead',
  tag: TAG,
  deprecated: true,
  deprecation: {
    since: new Date('2026-01-01'),
    successor: { service: 'queries', path: '/api/v1/legacy-integration/lancamentos-contabeis' },
  },
  access: {
    to: 'tenant',
    of: tenantIfNamed,
    institution: true,
  },
  query: z.strictObject({
    dataInicio: isoDay,
    dataFim: isoDay,
    empresa: companyCode.optional(),
    filial: branchOrInstitution.optional(),
    ...paginaQuery(10),
    ordenarPor: z.string().max(60).default('dataContabil'),
    direcao: direction,
  }),
  answer: pagedReturn(
    z.object({
      empresa: z.string(),
      filial: z.string(),
      lote: z.string(),
      documento: z.string(),
      lancamento: z.string(),
      dataContabil: z.string().meta({ example: '2026-01-05' }),
      conta: z.string(),
      contrapartida: z.string().nullable(),
      debcre: z.enum(['D', 'C']),
      valor: moneyAnswer,
      cdhistorico: z.string().nullable(),
      historico: z.string().nullable(),
      status: z.union([z.literal(0), z.literal(1)]),
    }),
  ),
  handle: async ({ query, context, tenants }) => {
    rejectBranchAlone(query);
    const by = orderOf<PostedOrder['by']>(query.ordenarPor, POSTED_NAMES);
    const slice = pageRequestOf(query);
    const period = { from: query.dataInicio, to: query.dataFim };
    const { rows, total } = await listPosted(context, tenants, period, slice, { by, direction: query.direcao });
    return pagedToWire(rows.map(lineToWire), total, slice);
  },
});

function lineToWire(row: PostedRow) {
  return {
    empresa: row.company,
    filial: row.branch,
    lote: row.batch,
    documento: row.document,
    lancamento: row.entry,
    dataContabil: row.day,
    conta: row.accountCode,
    contrapartida: row.offsetCode,
    debcre: row.side,
    valor: exactNumber(row.amount),
    cdhistorico: row.narrationCode,
    historico: row.narration,
    status: row.closed ? (1 as const) : (0 as const),
  };
}

/** A name of the closed list, in camelCase or snake_case. */
function orderOf<Order>(name: string, orders: Readonly<Record<string, Order>>): Order {
  const camel = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const order = Object.hasOwn(orders, camel) ? orders[camel] : undefined;
  if (order !== undefined) return order;
  const names = Object.keys(orders).join(', ');
  return rejectRequest(
    'INVALID_FIELD',
    { reason: { en: `use one of ${names}`, pt: `use um destes nomes: ${names}` } },
    'ordenarPor',
  );
}

function compareAmounts(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
