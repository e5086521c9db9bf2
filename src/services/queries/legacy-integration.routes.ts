import { z } from 'zod';
import { sideOf } from '../../accounting/balance.ts';
import { type Centavos, decimalOf } from '../../accounting/money.ts';
import { dayNumberOf, dotDate, monthNumberOf, monthOfDay, yearOf } from '../../accounting/period.ts';
import { isInstitution, type ReportedTenant } from '../../features/access/access.ts';
import { auditReading } from '../../features/access/audit-reading.ts';
import type { PostedRow } from '../../features/reporting/ledger/ledger.read.sql.ts';
import { listPosted } from '../../features/reporting/ledger/list-posted.ts';
import { allBalances, pageOfBalances } from '../../features/reporting/statements/list-balances.ts';
import type { ListedBalance } from '../../features/reporting/statements/listing.ts';
import { csvAnswer, wantsCsv } from '../../http/csv.ts';
import { branchOrInstitution, companyCode, exactNumber, isoDay, money, moneyAnswer } from '../../http/fields.ts';
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
import { RouteResponse, route } from '../../http/route.ts';
import { textCell } from '../../platform/render/write-csv.ts';

const PATH = '/api/v1/legacy-integration/consulta-contabil';
/** Longest periods of one request, in months; those of an institution are listed in memory. */
const OF_BRANCH = { byMonth: 120, byDay: 12 };
const OF_INSTITUTION = { byMonth: 12, byDay: 1 };

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
  operationId: 'listLegacyBalances',
  method: 'GET',
  path: PATH,
  cost: (_query, raw) => (wantsCsv(raw) ? 'heavy' : 'ordinary'),
  summary: 'Balances by month or by day for legacy systems; with Accept: text/csv all of them as CSV',
  tag: 'Legacy integration',
  access: {
    to: 'tenant',
    of: ({ empresa, filial }) => ({ company: empresa, branch: filial }),
    institution: true,
  },
  query: z.strictObject({
    empresa: companyCode,
    filial: branchOrInstitution,
    dataInicio: isoDay,
    dataFim: isoDay,
    tipoSaldo: z.enum(['M', '0', 'D', '1'], { message: 'must be M, 0, D or 1 | deve ser M, 0, D ou 1' }).default('M'),
    ...paginaQuery(100),
  }),
  answer: pagedReturn(balanceItem),
  files: ['text/csv'],
  handle: async ({ query, context, branchOrInstitution: tenant, raw }) => {
    const { dataInicio: from, dataFim: to, tipoSaldo } = query;
    if (from > to) rejectRequest('INVALID_DATE_RANGE', { from, to }, 'dataInicio');
    const byDay = tipoSaldo === 'D' || tipoSaldo === '1';
    const limits = isInstitution(tenant) ? OF_INSTITUTION : OF_BRANCH;
    rejectLongPeriod(monthOfDay(from), monthOfDay(to), byDay ? limits.byDay : limits.byMonth, 'dataFim');
    const listing = { from, to, byDay };
    if (wantsCsv(raw)) {
      await auditReading(context, { action: 'EXPORT', entity: 'balance', tenant, asked: query });
      return csvAnswer(BALANCE_COLUMNS, allBalances(context, tenant, listing), (each) => balanceCells(tenant, each));
    }
    const slice = pageRequestOf(query);
    const { balances, total } = await pageOfBalances(context, tenant, listing, slice);
    return pagedToWire(
      balances.map((each) => balanceToWire(tenant, each)),
      total,
      slice,
    );
  },
});

function balanceToWire(
  tenant: ReportedTenant,
  { month, day, account, movement, balance }: ListedBalance,
): z.output<typeof balanceItem> {
  return {
    codigo_empresa: tenant.company,
    codigo_filial: tenant.branch,
    ano: yearOf(month),
    mes: monthNumberOf(month),
    ...(day === undefined ? {} : { dia: dayNumberOf(day) }),
    codigo_conta: account.code,
    conta_reduzida: account.shortCode,
    descricao_conta: account.description,
    saldo_anterior: money(movement.opening),
    valor_debito: money(movement.debit),
    valor_credito: money(movement.credit),
    valor_encerramento: money(movement.closing),
    saldo_atual: money(balance),
    natureza: sideOf(balance),
  };
}

const BALANCE_COLUMNS = [
  'codigo_empresa',
  'codigo_filial',
  'ano',
  'mes',
  'dia',
  'codigo_conta',
  'conta_reduzida',
  'descricao_conta',
  'saldo_anterior',
  'valor_debito',
  'valor_credito',
  'valor_encerramento',
  'saldo_atual',
  'natureza',
] as const;

/** The same fields as a line of CSV; `dia` is empty in listings by month. */
function balanceCells(tenant: ReportedTenant, { month, day, account, movement, balance }: ListedBalance): string[] {
  return [
    textCell(tenant.company),
    textCell(tenant.branch),
    String(yearOf(month)),
    String(monthNumberOf(month)),
    day === undefined ? '' : String(dayNumberOf(day)),
    textCell(account.code),
    textCell(account.shortCode),
    textCell(account.description),
    ...[movement.opening, movement.debit, movement.credit, movement.closing, balance].map(commaOf),
    sideOf(balance),
  ];
}

function commaOf(amount: Centavos): string {
  return decimalOf(amount).replace('.', ',');
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
  operationId: 'listLegacyEntries',
  method: 'GET',
  path: '/api/v1/legacy-integration/lancamentos-contabeis',
  fieldNames: { from: 'dataInicio' },
  cost: 'heavy',
  summary: 'Posted lines for legacy systems',
  tag: 'Legacy integration',
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
    ...paginaQuery(100),
  }),
  answer: pagedReturn(entryItem),
  handle: async ({ query, context, tenants }) => {
    rejectBranchAlone(query);
    const slice = pageRequestOf(query);
    const period = { from: query.dataInicio, to: query.dataFim };
    const { rows, total } = await listPosted(context, tenants, period, slice, { by: 'day', direction: 'ASC' });
    return pagedToWire(rows.map(entryToWire), total, slice);
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
    codigo_contrapartida: row.offsetCode,
    tipo_lancamento: row.side,
    valor: exactNumber(row.amount),
    codigo_historico: row.narrationCode,
    historico: row.narration,
    status: row.closed ? 1 : 0,
  };
}

export const legacyRedirectRoute = route({
  operationId: 'redirectLegacyBalances',
  method: 'GET',
  path: '/api/v1/consulta-contabil',
  summary: 'Moved: redirects to the legacy integration, the query string kept',
  tag: 'Legacy integration',
  deprecated: true,
  access: { to: 'signedIn' },
  query: z.looseObject({}),
  status: 301,
  headers: ['Location'],
  handle: async ({ raw }) => {
    const at = raw.url.indexOf('?');
    return new RouteResponse(301, '', { location: PATH + (at < 0 ? '' : raw.url.slice(at)) });
  },
});
