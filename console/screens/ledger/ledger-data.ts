import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Centavos } from '../../../src/accounting/money.ts';
import { type Day, firstDay, lastDay, type Month } from '../../../src/accounting/period.ts';
import { branchAsked } from '../../data/balances.ts';
import { api } from '../../data/client.ts';
import type { Search } from '../../data/place.ts';
import { centavosOf } from '../../ui/format.ts';

/** Key: invalidated by whoever posts, reverses or imports. */
export const LEDGER_KEY = 'ledger';

/** Whose ledger of what and when; `*` is the institution. */
export interface LedgerPlace {
  readonly company: string;
  readonly branch: string;
  readonly account: number;
  readonly month: Month;
}

/** The ledger of an address: undefined where it names no account. */
export function ledgerPlaceOf(
  { company, branch, month }: Omit<LedgerPlace, 'account'>,
  search: Search,
): LedgerPlace | undefined {
  const account = Number(search.conta);
  if (!Number.isSafeInteger(account) || account < 1) return undefined;
  return { company, branch: branchAsked(branch, search), account, month };
}

export interface LedgerDay {
  readonly day: Day;
  readonly lines: number;
  /** Place of its first line among those of the month. */
  readonly from: number;
}

/** The month of an account, debit-positive. */
export interface Ledger {
  readonly code: string;
  readonly name: string;
  readonly type: 'S' | 'A';
  readonly lines: number;
  readonly opening: Centavos;
  readonly debit: Centavos;
  readonly credit: Centavos;
  readonly balance: Centavos;
  readonly days: readonly LedgerDay[];
  /** Balances at the end of the days and before them: what the widest column must hold. */
  readonly balances: readonly Centavos[];
  /** The first page of its lines. */
  readonly first: readonly LedgerLine[];
  /** Another one where figures have changed: then the lines are read anew. */
  readonly version: string;
}

export interface LedgerLine {
  readonly id: number;
  readonly branch: string;
  readonly day: Day;
  readonly batch: string;
  readonly documentId: number;
  readonly document: string;
  readonly entry: string;
  readonly account: string;
  readonly accountId: number;
  /** null: several, or none. */
  readonly offsetId: number | null;
  readonly offset: string | null;
  readonly side: 'D' | 'C';
  readonly amount: Centavos;
  readonly narration: string;
  readonly isClosing: boolean;
  readonly isFirstOfDay: boolean;
  /** After the line; undefined in a list that is filtered. */
  readonly balance: Centavos | undefined;
}

/** Lines of a page. */
export const PAGE = 200;

export const ledgerQuery = ({ company, branch, account, month }: LedgerPlace) =>
  queryOptions({
    queryKey: [LEDGER_KEY, company, branch, account, month],
    queryFn: async ({ signal }): Promise<Ledger> => {
      const path = { company, branch, contaId: account };
      const ledger = await api.queries.getAccountLedger({ path, query: { month, tamanho: PAGE } }, { signal });
      let from = 0;
      const days = ledger.dias.map(({ data, linhas }) => {
        from += linhas;
        return { day: data as Day, lines: linhas, from: from - linhas };
      });
      const opening = centavosOf(ledger.saldoAnterior);
      return {
        code: ledger.conta,
        name: ledger.descricao,
        type: ledger.tipo,
        lines: ledger.linhas,
        opening,
        debit: centavosOf(ledger.debito),
        credit: centavosOf(ledger.credito),
        balance: centavosOf(ledger.saldoAtual),
        days,
        balances: [opening, ...ledger.dias.map(({ saldo }) => centavosOf(saldo))],
        first: ledger.content.map(placedLineOf),
        version: [ledger.saldoAnterior, ...ledger.dias.flatMap(({ linhas, saldo }) => [linhas, saldo])].join(' '),
      };
    },
  });

/** Lines with the running balance, from a place of the month on. */
export async function readLines(
  { company, branch, account, month }: LedgerPlace,
  from: number,
  size: number,
  signal: AbortSignal,
): Promise<readonly LedgerLine[]> {
  const query = { month, inicio: from, tamanho: size };
  const path = { company, branch, contaId: account };
  const page = await api.queries.listAccountLedgerLines({ path, query }, { signal });
  return page.content.map(placedLineOf);
}

/** Some lines of a month. */
export interface LineFilter {
  readonly from?: Day | undefined;
  readonly to?: Day | undefined;
  readonly text?: string | undefined;
  readonly amount?: string | undefined;
}

const FOUND = 500;
const TRUE = 'true' as const;

/** The filtered lines a page at a time; the first says how many there are. */
export const foundLinesQuery = (place: LedgerPlace, filter: LineFilter) =>
  infiniteQueryOptions({
    queryKey: [LEDGER_KEY, place, 'found', filter],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const query = {
        ...findQueryOf(place, filter),
        tamanho: FOUND,
        ...(pageParam === undefined ? { totais: TRUE } : {}),
      };
      const asked = pageParam === undefined ? query : { ...query, depoisDe: pageParam };
      const page = await api.queries.findEntries({ path: pathOf(place), query: asked }, { signal });
      const { totais } = page;
      return {
        lines: page.content.map(lineOf),
        next: page.proximo ?? undefined,
        totals: totais && {
          lines: totais.linhas,
          debit: centavosOf(totais.debito),
          credit: centavosOf(totais.credito),
        },
      };
    },
    getNextPageParam: ({ next }) => next,
  });

/** The lines as a file for a spreadsheet. */
export function csvOf(place: LedgerPlace, filter: LineFilter): Promise<Response> {
  const parts = { path: pathOf(place), query: findQueryOf(place, filter) };
  return api.queries.findEntries.response(parts, { accept: 'text/csv' });
}

function pathOf({ company, branch }: LedgerPlace) {
  return { company, branch };
}

function findQueryOf({ account, month }: LedgerPlace, { from, to, text, amount }: LineFilter) {
  return {
    contaId: account,
    dataInicio: from ?? firstDay(month),
    dataFim: to ?? lastDay(month),
    ...(text === undefined ? {} : { texto: text }),
    ...(amount === undefined ? {} : { valor: amount }),
  };
}

type FoundLine = Awaited<ReturnType<typeof api.queries.findEntries>>['content'][number];

function placedLineOf(line: FoundLine & { readonly saldo: string }): LedgerLine {
  return { ...lineOf(line), balance: centavosOf(line.saldo) };
}

export function lineOf(line: FoundLine): LedgerLine {
  return {
    id: line.id,
    branch: line.filial,
    day: line.data as Day,
    batch: line.lote,
    documentId: line.documentId,
    document: line.documento,
    entry: line.lancamento,
    account: line.conta,
    accountId: line.contaId,
    offsetId: line.contrapartidaId,
    offset: line.contrapartida,
    side: line.debcre,
    amount: centavosOf(line.valor),
    narration: line.historico ?? '',
    isClosing: line.encerramento,
    isFirstOfDay: false,
    balance: undefined,
  };
}
