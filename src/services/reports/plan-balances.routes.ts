import { z } from 'zod';
import { compareCodes } from '../../accounting/account-code.ts';
import { balanceOf } from '../../accounting/balance.ts';
import { dayIn, dayNumberOf, monthNumberOf, monthOf, yearOf } from '../../accounting/period.ts';
import { refuse } from '../../accounting/problem.ts';
import type { Tenant } from '../../features/access/access.ts';
import { type ListedBalance, listDays, listMonth } from '../../features/balances/list-balances.ts';
import { selectOpenedMonths } from '../../features/balances/opened-months.read.sql.ts';
import {
  countPosted,
  POSTED_ORDERS,
  type PostedRow,
  selectChartCode,
  selectPosted,
  selectReachedBranches,
} from '../../features/ledger/ledger.read.sql.ts';
import { readQuotas } from '../../features/quotas/read-quotas.ts';
import type { Context } from '../../platform/context.ts';
import { branchCode, companyCode, exactNumber, isoDay, money, moneyAnswer, wholeText } from '../wire/fields.ts';
import { pagedReturn, pagedToWire, paginaQuery, sliceOf } from '../wire/paging.ts';
import { Answer, route } from '../wire/route.ts';

const TAG = 'Plan balances';
const direction = z.enum(['ASC', 'DESC'], { message: 'must be ASC or DESC | deve ser ASC ou DESC' }).default('ASC');
const ofBranch = ({ empresa, filial }: { empresa: string; filial: string }) => ({ company: empresa, branch: filial });
const branchQuery = { empresa: companyCode, filial: branchCode };
const orderQuery = { ordenarPor: z.string().max(60).default('empresa'), direcao: direction };
const monthQuery = {
  ...branchQuery,
  ano: wholeText(1900, 9999).meta({ type: 'integer', example: 2026 }),
  mes: z
    .string()
    .regex(/^(0?[1-9]|1[0-2])$/, 'must be a month from 1 to 12 | deve ser um mês de 1 a 12')
    .meta({ example: '01' }),
  ...paginaQuery(10),
  ...orderQuery,
};

const planBalance = {
  empresa: z.string(),
  filial: z.string(),
  ano: z.number().int(),
  mes: z.number().int(),
  plano: z.string(),
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
  method: 'GET',
  path: '/api/v1/saldos/plano-saldo',
  summary: 'A page of the balances of a month',
  tag: TAG,
  access: { to: 'tenant', of: ofBranch },
  query: z.strictObject(monthQuery),
  answer: pagedReturn(z.object(planBalance)),
  handle: async ({ query, context, tenant }) => {
    const order = orderOf(query.ordenarPor, PLAN_ORDERS);
    const balances = await listMonth(context.sql, tenant, monthOf(query.ano, Number(query.mes))!);
    return balancePage(context, tenant, balances, order, query);
  },
});

export const planBalanceOfDayRoute = route({
  method: 'GET',
  path: '/api/v1/saldos/plano-saldo-dia',
  summary: 'A page of the balances of a day',
  tag: TAG,
  access: { to: 'tenant', of: ofBranch },
  query: z.strictObject({
    ...monthQuery,
    dia: z
      .string()
      .regex(/^(0?[1-9]|[12]\d|3[01])$/, 'must be a day from 1 to 31 | deve ser um dia de 1 a 31')
      .meta({ example: '05' }),
  }),
  answer: pagedReturn(z.object({ ...planBalance, dia: z.number().int() })),
  handle: async ({ query, context, tenant }) => {
    const order = orderOf(query.ordenarPor, { ...PLAN_ORDERS, dia: () => 0 });
    const month = monthOf(query.ano, Number(query.mes))!;
    const day = dayIn(month, Number(query.dia)) ?? refuse('DAY_NOT_IN_MONTH', { day: query.dia, month }, 'dia');
    const balances: ListedBalance[] = [];
    for await (const ofDay of listDays(context.sql, tenant, day, day)) balances.push(...ofDay);
    return balancePage(context, tenant, balances, order, query);
  },
});

type Comparison = (a: ListedBalance, b: ListedBalance) => number;

/** Fields that a page may be ordered by; within the same value the chart's order. */
const PLAN_ORDERS: Readonly<Record<string, Comparison>> = {
  empresa: () => 0,
  filial: () => 0,
  ano: () => 0,
  mes: () => 0,
  plano: () => 0,
  cdContabil: (a, b) => compareCodes(a.account.code, b.account.code),
  cdReduzido: (a, b) => compareTexts(a.account.reduced, b.account.reduced),
  descricao: (a, b) => compareTexts(a.account.description, b.account.description),
  tipo: (a, b) => compareTexts(a.account.type, b.account.type),
  nivel: (a, b) => a.account.level - b.account.level,
  saldoAnterior: (a, b) => compareAmounts(a.amounts.opening, b.amounts.opening),
  debito: (a, b) => compareAmounts(a.amounts.debit, b.amounts.debit),
  credito: (a, b) => compareAmounts(a.amounts.credit, b.amounts.credit),
  encerramento: (a, b) => compareAmounts(a.amounts.closing, b.amounts.closing),
  saldoAtual: (a, b) => compareAmounts(balanceOf(a.amounts), balanceOf(b.amounts)),
  natureza: (a, b) => compareTexts(sideOf(a), sideOf(b)),
};

async function balancePage(
  context: Context,
  tenant: Tenant,
  balances: ListedBalance[],
  order: Comparison,
  query: { pagina: number; tamanho: number; direcao: 'ASC' | 'DESC' },
) {
  const slice = sliceOf(query);
  const sign = query.direcao === 'ASC' ? 1 : -1;
  const sorted = balances.toSorted((a, b) => sign * order(a, b));
  const plan = await selectChartCode(context.sql, tenant);
  const content = sorted
    .slice(slice.page * slice.size, (slice.page + 1) * slice.size)
    .map((each) => balanceToWire(tenant, plan, each));
  return pagedToWire(content, balances.length, slice);
}

function balanceToWire(tenant: Tenant, plan: string, each: ListedBalance) {
  const { month, day, account, amounts } = each;
  return {
    empresa: tenant.company,
    filial: tenant.branch,
    ano: yearOf(month),
    mes: monthNumberOf(month),
    dia: day === undefined ? 0 : dayNumberOf(day),
    plano: plan,
    cdContabil: account.code,
    cdReduzido: account.reduced,
    descricao: account.description,
    tipo: account.type,
    nivel: account.level,
    saldoAnterior: money(amounts.opening),
    debito: money(amounts.debit),
    credito: money(amounts.credit),
    encerramento: money(amounts.closing),
    saldoAtual: money(balanceOf(amounts)),
    natureza: sideOf(each),
  };
}

interface EquityMonth {
  readonly month: string;
  readonly equity: bigint;
  readonly result: bigint;
}

const EQUITY_ORDERS: Readonly<Record<string, (a: EquityMonth, b: EquityMonth) => number>> = {
  empresa: () => 0,
  filial: () => 0,
  ano: (a, b) => yearOf(a.month) - yearOf(b.month),
  mes: (a, b) => monthNumberOf(a.month) - monthNumberOf(b.month),
  patrimonioLiquido: (a, b) => compareAmounts(a.equity, b.equity),
  resultado: (a, b) => compareAmounts(a.result, b.result),
};

export const equityBalancesRoute = route({
  method: 'GET',
  path: '/api/v1/saldos/plsaldos',
  summary: 'A page of equity, open result and quota by month',
  tag: TAG,
  access: { to: 'tenant', of: ofBranch },
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
  handle: async ({ query, context, tenant }) => {
    const order = orderOf(query.ordenarPor, EQUITY_ORDERS);
    const slice = sliceOf(query);
    const months: EquityMonth[] = [];
    for (const month of await selectOpenedMonths(context.sql, tenant)) {
      const leaves = (await listMonth(context.sql, tenant, month)).filter(({ account }) => account.type === 'A');
      const sumOfClass = (accountClass: string) =>
        leaves.reduce(
          (sum, each) => (each.account.accountClass === accountClass ? sum + balanceOf(each.amounts) : sum),
          0n,
        );
      months.push({ month, equity: sumOfClass('03'), result: sumOfClass('04') });
    }
    const sign = query.direcao === 'ASC' ? 1 : -1;
    const sorted = months.toSorted((a, b) => sign * order(a, b));
    const quotas = await readQuotas(context.sql, tenant);
    const content = sorted.slice(slice.page * slice.size, (slice.page + 1) * slice.size).map((each) => {
      const quota = quotas.get(each.month);
      return {
        empresa: tenant.company,
        filial: tenant.branch,
        ano: yearOf(each.month),
        mes: monthNumberOf(each.month),
        patrimonioLiquido: money(each.equity),
        resultado: money(each.result),
        quantidadeCotas: quota ? exactNumber(quota.numberOfQuotas) : null,
        valorCota: quota ? exactNumber(quota.quotaValue) : null,
      };
    });
    return pagedToWire(content, months.length, slice);
  },
});

const SUCCESSOR = '/api/v1/legacy-integration/lancamentos-contabeis';
/** RFC 9745: since when the operation is deprecated, as a Unix time. */
const DEPRECATED_SINCE = '@1767225600';

export const postedLinesRoute = route({
  method: 'GET',
  path: '/api/v1/lancamentos-contabeis',
  summary: 'Posted lines; use the query service instead',
  tag: TAG,
  deprecated: true,
  access: {
    to: 'tenant',
    of: ({ empresa, filial }) => (empresa === undefined ? [] : { company: empresa, branch: filial }),
  },
  query: z.strictObject({
    dataInicio: isoDay,
    dataFim: isoDay,
    empresa: companyCode.optional(),
    filial: branchCode.optional(),
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
    const by = orderOf(query.ordenarPor, POSTED_ORDERS);
    if (query.dataInicio > query.dataFim) {
      refuse('INVALID_DATE_RANGE', { from: query.dataInicio, to: query.dataFim }, 'dataInicio');
    }
    if (query.filial !== undefined && query.empresa === undefined) {
      refuse('INVALID_FIELD', { reason: 'filial needs empresa', reasonPt: 'filial exige empresa' }, 'filial');
    }
    const [tenant] = tenants;
    const branches =
      tenant?.branchId === undefined
        ? await selectReachedBranches(context.sql, tenant?.companyId ?? null)
        : [{ companyId: tenant.companyId, branchId: tenant.branchId }];
    const choice = { branches, from: query.dataInicio, to: query.dataFim };
    const slice = sliceOf(query);
    const rows = await selectPosted(context.sql, choice, slice, { by, direction: query.direcao });
    return new Answer(200, pagedToWire(rows.map(lineToWire), await countPosted(context.sql, choice), slice), {
      deprecation: DEPRECATED_SINCE,
      link: `<${SUCCESSOR}>; rel="successor-version"`,
    });
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
    contrapartida: row.counterCode,
    debcre: row.side,
    valor: exactNumber(row.amount),
    cdhistorico: row.historyCode,
    historico: row.history,
    status: row.consolidated ? (1 as const) : (0 as const),
  };
}

/** A name of the closed list, in camelCase or snake_case. */
function orderOf<Order>(name: string, orders: Readonly<Record<string, Order>>): Order {
  const camel = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const order = Object.hasOwn(orders, camel) ? orders[camel] : undefined;
  if (order !== undefined) return order;
  const names = Object.keys(orders).join(', ');
  return refuse('INVALID_FIELD', { reason: `use one of ${names}`, reasonPt: `use um de ${names}` }, 'ordenarPor');
}

function sideOf({ amounts }: ListedBalance): 'D' | 'C' {
  return balanceOf(amounts) < 0n ? 'C' : 'D';
}

function compareAmounts(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
