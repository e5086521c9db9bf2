import { z } from 'zod';
import { balanceOf } from '../../accounting/balance.ts';
import { dayNumberOf, dotDate, monthNumberOf, monthOfDay, monthRange, yearOf } from '../../accounting/period.ts';
import { refuse } from '../../accounting/problem.ts';
import type { Tenant } from '../../features/access/access.ts';
import { type ListedBalance, listDays, listMonth } from '../../features/balances/list-balances.ts';
import {
  countPosted,
  POSTED_ORDERS,
  type PostedRow,
  selectPosted,
  selectReachedBranches,
} from '../../features/ledger/ledger.read.sql.ts';
import type { Context } from '../../platform/context.ts';
import { branchCode, companyCode, exactNumber, isoDay, money, moneyAnswer } from '../wire/fields.ts';
import { pagedReturn, pagedToWire, paginaQuery, sliceOf } from '../wire/paging.ts';
import { Answer, route } from '../wire/route.ts';

const PATH = '/api/v1/legacy-integration/consulta-contabil';
/** Longest periods of one request. */
const MAX_MONTHS = 120;
const MAX_DAYS_MONTHS = 12;

const balanceItem = z.object({
  codigo_empresa: z.string(),
  codigo_filial: z.string(),
  ano: z.number().int(),
  mes: z.number().int(),
  dia: z.number().int().optional(),
  codigo_conta: z.string(),
  conta_reduzida: z.string(),
  descricao_conta: z.string(),
  saldo_anterior: moneyAnswer,
  valor_debito: moneyAnswer,
  valor_credito: moneyAnswer,
  valor_encerramento: moneyAnswer,
  saldo_atual: moneyAnswer,
  natureza: z.enum(['D', 'C']),
});

export const legacyBalancesRoute = route({
  method: 'GET',
  path: PATH,
  summary: 'Balances by month or by day for legacy systems',
  tag: 'Legacy integration',
  access: { to: 'tenant', of: ({ empresa, filial }) => ({ company: empresa, branch: filial }) },
  query: z.strictObject({
    empresa: companyCode,
    filial: branchCode,
    dataInicio: isoDay,
    dataFim: isoDay,
    tipoSaldo: z.enum(['M', '0', 'D', '1'], { message: 'must be M, 0, D or 1 | deve ser M, 0, D ou 1' }).default('M'),
    ...paginaQuery(100),
  }),
  answer: pagedReturn(balanceItem),
  handle: async ({ query, context, tenant }) => {
    refuseReversed(query);
    const slice = sliceOf(query);
    const first = slice.page * slice.size;
    const content: z.output<typeof balanceItem>[] = [];
    let total = 0;
    for await (const balances of listings(context, tenant, query)) {
      const from = Math.max(0, first - total);
      const room = slice.size - content.length;
      if (room > 0) content.push(...balances.slice(from, from + room).map((each) => balanceToWire(tenant, each)));
      total += balances.length;
    }
    return pagedToWire(content, total, slice);
  },
});

async function* listings(
  context: Context,
  tenant: Tenant,
  query: { dataInicio: string; dataFim: string; tipoSaldo: 'M' | '0' | 'D' | '1' },
): AsyncGenerator<ListedBalance[]> {
  const months = monthRange(monthOfDay(query.dataInicio), monthOfDay(query.dataFim));
  const byDay = query.tipoSaldo === 'D' || query.tipoSaldo === '1';
  const most = byDay ? MAX_DAYS_MONTHS : MAX_MONTHS;
  if (months.length > most)
    refuse('INVALID_FIELD', { reason: `more than ${most} months`, reasonPt: `mais de ${most} meses` }, 'dataFim');
  if (byDay) yield* listDays(context.sql, tenant, query.dataInicio, query.dataFim);
  else for (const month of months) yield await listMonth(context.sql, tenant, month);
}

function balanceToWire(tenant: Tenant, { month, day, account, amounts }: ListedBalance): z.output<typeof balanceItem> {
  const balance = balanceOf(amounts);
  return {
    codigo_empresa: tenant.company,
    codigo_filial: tenant.branch,
    ano: yearOf(month),
    mes: monthNumberOf(month),
    ...(day === undefined ? {} : { dia: dayNumberOf(day) }),
    codigo_conta: account.code,
    conta_reduzida: account.reduced,
    descricao_conta: account.description,
    saldo_anterior: money(amounts.opening),
    valor_debito: money(amounts.debit),
    valor_credito: money(amounts.credit),
    valor_encerramento: money(amounts.closing),
    saldo_atual: money(balance),
    natureza: balance < 0n ? 'C' : 'D',
  };
}

const entryItem = z.object({
  codigo_empresa: z.string(),
  codigo_filial: z.string(),
  lote: z.string(),
  documento: z.string(),
  lancamento: z.string(),
  data_contabil: z.string().meta({ example: '2026.01.31' }),
  codigo_conta: z.string(),
  codigo_contrapartida: z.string().nullable(),
  tipo_lancamento: z.enum(['D', 'C']),
  valor: moneyAnswer,
  codigo_historico: z.string().nullable(),
  historico: z.string().nullable(),
  status: z.union([z.literal(0), z.literal(1)]),
});

export const legacyEntriesRoute = route({
  method: 'GET',
  path: '/api/v1/legacy-integration/lancamentos-contabeis',
  summary: 'Posted lines for legacy systems',
  tag: 'Legacy integration',
  access: {
    to: 'tenant',
    of: ({ empresa, filial }) => (empresa === undefined ? [] : { company: empresa, branch: filial }),
  },
  query: z.strictObject({
    dataInicio: isoDay,
    dataFim: isoDay,
    empresa: companyCode.optional(),
    filial: branchCode.optional(),
    ...paginaQuery(100),
  }),
  answer: pagedReturn(entryItem),
  handle: async ({ query, context, tenants }) => {
    refuseReversed(query);
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
    const rows = await selectPosted(context.sql, choice, slice, { by: POSTED_ORDERS.dataContabil, direction: 'ASC' });
    return pagedToWire(rows.map(entryToWire), await countPosted(context.sql, choice), slice);
  },
});

function entryToWire(row: PostedRow): z.output<typeof entryItem> {
  return {
    codigo_empresa: row.company,
    codigo_filial: row.branch,
    lote: row.batch,
    documento: row.document,
    lancamento: row.entry,
    data_contabil: dotDate(row.day),
    codigo_conta: row.accountCode,
    codigo_contrapartida: row.counterCode,
    tipo_lancamento: row.side,
    valor: exactNumber(row.amount),
    codigo_historico: row.historyCode,
    historico: row.history,
    status: row.consolidated ? 1 : 0,
  };
}

export const legacyRedirectRoute = route({
  method: 'GET',
  path: '/api/v1/consulta-contabil',
  summary: 'Moved: redirects to the legacy integration, the query string kept',
  tag: 'Legacy integration',
  deprecated: true,
  access: { to: 'signedIn' },
  query: z.looseObject({}),
  status: 301,
  handle: async ({ raw }) => {
    const at = raw.url.indexOf('?');
    return new Answer(301, '', { location: PATH + (at < 0 ? '' : raw.url.slice(at)) });
  },
});

function refuseReversed({ dataInicio, dataFim }: { dataInicio: string; dataFim: string }): void {
  if (dataInicio > dataFim) refuse('INVALID_DATE_RANGE', { from: dataInicio, to: dataFim }, 'dataInicio');
}
