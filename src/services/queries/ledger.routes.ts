import { z } from 'zod';
import { monthOfDay } from '../../accounting/period.ts';
import { INSTITUTION } from '../../features/access/access.ts';
import {
  type LedgerLine,
  readAccountLedger,
  readLedgerPage,
} from '../../features/reporting/ledger/read-account-ledger.ts';
import {
  accountId,
  accountPathId,
  branchOrInstitution,
  companyCode,
  isoDay,
  isoMonth,
  money,
  moneyAnswer,
  wholeText,
} from '../../http/fields.ts';
import { longList } from '../../http/long-list.ts';
import { rejectRequest } from '../../http/request-error.ts';
import { route } from '../../http/route.ts';
import { lineAnswer, lineToWire } from './entries.routes.ts';

const tag = 'Ledger';
const MAX_PAGE = 1_000;
const params = z.object({ company: companyCode, branch: branchOrInstitution, contaId: accountPathId });
const fieldNames = { account: 'contaId', month: 'month' };
const ledgerLines = longList(lineAnswer.extend({ saldo: moneyAnswer }).meta({ title: 'LedgerLine' }));
const costOf = ({ branch }: { branch: string }) => (branch === INSTITUTION ? 'heavy' : 'ordinary');

export const accountLedgerRoute = route({
  operationId: 'getAccountLedger',
  method: 'GET',
  path: '/ledger/{company}/{branch}/{contaId}',
  summary:
    'The days of an account in a month, or of the accounts below it: lines, debits, credits, and the balance at the end of each; balances are debit-positive',
  tag,
  addition: true,
  cost: costOf,
  access: { to: 'tenant', of: ({ company, branch }) => ({ company, branch }), institution: true },
  params,
  query: z.strictObject({
    month: isoMonth,
    /** First lines of the month, given with its figures. */
    tamanho: wholeText(0, MAX_PAGE).default(0).meta({ type: 'integer', example: 100 }),
  }),
  fieldNames,
  answer: z.object({
    contaId: accountId,
    conta: z.string().meta({ example: '1.1.1' }),
    descricao: z.string().meta({ example: 'Caixa' }),
    tipo: z.enum(['S', 'A']),
    natureza: z.enum(['D', 'C', 'M']),
    linhas: z.number().int(),
    saldoAnterior: moneyAnswer,
    debito: moneyAnswer,
    credito: moneyAnswer,
    saldoAtual: moneyAnswer,
    dias: z.array(
      z
        .object({
          data: z.string().meta({ example: '2026-01-05' }),
          linhas: z.number().int(),
          debito: moneyAnswer,
          credito: moneyAnswer,
          saldo: moneyAnswer,
        })
        .meta({ title: 'LedgerDay' }),
    ),
    /** The first ones, as many as tamanho asks for. */
    content: ledgerLines,
  }),
  handle: async ({ params, query, context, branchOrInstitution: tenant }) => {
    const ledger = await context.snapshot((sql) =>
      readAccountLedger(sql, tenant, params.contaId, query.month, query.tamanho),
    );
    const { account } = ledger;
    return {
      contaId: account.id,
      conta: account.code,
      descricao: account.description,
      tipo: account.type,
      natureza: account.normalBalance,
      linhas: ledger.lines,
      saldoAnterior: money(ledger.opening),
      debito: money(ledger.debit),
      credito: money(ledger.credit),
      saldoAtual: money(ledger.balance),
      dias: ledger.days.map(({ day, lines, debit, credit, balance }) => ({
        data: day,
        linhas: lines,
        debito: money(debit),
        credito: money(credit),
        saldo: money(balance),
      })),
      content: ledger.content.map(ledgerLineToWire),
    };
  },
});

export const accountLedgerLinesRoute = route({
  operationId: 'listAccountLedgerLines',
  method: 'GET',
  path: '/ledger/{company}/{branch}/{contaId}/lines',
  summary:
    'Lines of an account in a month in the order of the books, each with the running balance, from any place or day of the month',
  tag,
  addition: true,
  cost: costOf,
  access: { to: 'tenant', of: ({ company, branch }) => ({ company, branch }), institution: true },
  params,
  query: z.strictObject({
    month: isoMonth,
    /** Place of the first line among those of the month, from 0. */
    inicio: wholeText(0, 1_000_000_000).optional().meta({ type: 'integer', example: 0 }),
    /** In its place: begin with the first line from this day on. */
    data: isoDay.optional(),
    tamanho: wholeText(1, MAX_PAGE).default(100).meta({ type: 'integer', example: 100 }),
  }),
  fieldNames,
  answer: z.object({
    inicio: z.number().int().meta({ description: 'Place of the first line of this page', example: 0 }),
    linhas: z.number().int().meta({ description: 'Lines of the whole month', example: 1 }),
    content: ledgerLines,
  }),
  handle: async ({ params, query, context, branchOrInstitution: tenant }) => {
    const { month, inicio, data: day, tamanho } = query;
    if (day !== undefined && inicio !== undefined) rejectRequest('INVALID_FIELD', PLACE_OR_DAY, 'data');
    if (day !== undefined && monthOfDay(day) !== month) rejectRequest('INVALID_FIELD', OTHER_MONTH, 'data');
    const start = day === undefined ? { offset: inicio ?? 0 } : { day };
    const page = await context.snapshot((sql) => readLedgerPage(sql, tenant, params.contaId, month, start, tamanho));
    return { inicio: page.offset, linhas: page.lines, content: page.content.map(ledgerLineToWire) };
  },
});

function ledgerLineToWire(line: LedgerLine) {
  return { ...lineToWire(line), saldo: money(line.balance) };
}

const PLACE_OR_DAY = { reason: { en: 'give inicio or data, not both', pt: 'informe inicio ou data, não os dois' } };
const OTHER_MONTH = { reason: { en: 'is not in the month', pt: 'não é do mês' } };
