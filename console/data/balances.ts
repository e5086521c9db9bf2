import { queryOptions } from '@tanstack/react-query';
import type { Centavos } from '../../src/accounting/money.ts';
import { type Month, monthNumberOf, monthOf, yearOf } from '../../src/accounting/period.ts';
import { centavosOf } from '../ui/format.ts';
import { api } from './client.ts';
import type { Search } from './place.ts';

/** The branch's code in the place of which `*` shows the institution. */
export const INSTITUTION = '*';

/** The branch of the address, or the institution where the address asks for it. */
export function branchAsked(branch: string, { instituicao }: Search): string {
  return instituicao === '1' ? INSTITUTION : branch;
}

/** An account in a month, debit-positive. */
export interface Balance {
  readonly month: Month;
  /** null: what the eliminations of an institution leave. */
  readonly id: number | null;
  readonly code: string;
  readonly reduced: string;
  readonly name: string;
  readonly type: 'S' | 'A';
  readonly level: number;
  readonly opening: Centavos;
  readonly debit: Centavos;
  readonly credit: Centavos;
  /** Net of closing entries. */
  readonly closing: Centavos;
  readonly balance: Centavos;
}

/** Key: invalidated by whoever posts, imports or closes. */
export const BALANCES_KEY = 'balances';

const PAGE = 10_000;

interface Asked {
  readonly company: string;
  /** `*` for the institution. */
  readonly branch: string;
}

/** All balances of a month in the order of the chart; accounts without balance and movement are absent. */
export const balancesQuery = ({ company, branch }: Asked, month: Month) =>
  queryOptions({
    queryKey: [BALANCES_KEY, company, branch, month],
    queryFn: async ({ signal }): Promise<readonly Balance[]> => {
      const read = (pagina: number) => readPage({ ...of(company, branch, month), pagina, tamanho: PAGE }, signal);
      const first = await read(0);
      const others = Array.from({ length: first.pages - 1 }, (_, at) => read(at + 1));
      return [...first.balances, ...(await Promise.all(others)).flatMap(({ balances }) => balances)];
    },
  });

/** One account over several months; a month without balance and movement is absent. */
export const accountMonthsQuery = ({ company, branch }: Asked, contaId: number, from: Month, to: Month) =>
  queryOptions({
    queryKey: [BALANCES_KEY, company, branch, 'account', contaId, from, to],
    queryFn: async ({ signal }): Promise<readonly Balance[]> => {
      const span = { ...of(company, branch, from), anoFim: yearOf(to), mesFim: String(monthNumberOf(to)) };
      return (await readPage({ ...span, contaId, tamanho: PAGE }, signal)).balances;
    },
  });

function of(company: string, branch: string, month: Month) {
  return { empresa: company, filial: branch, ano: yearOf(month), mes: String(monthNumberOf(month)) };
}

async function readPage(query: PageQuery, signal: AbortSignal): Promise<{ balances: Balance[]; pages: number }> {
  const { conteudo } = await api.reports.listPlanBalances({ query }, { signal });
  return { balances: conteudo.content.map(balanceOf), pages: conteudo.totalPages };
}

type Listed = Awaited<ReturnType<typeof api.reports.listPlanBalances>>['conteudo']['content'][number];
type PageQuery = Parameters<typeof api.reports.listPlanBalances>[0]['query'];

function balanceOf(row: Listed): Balance {
  return {
    month: monthOf(row.ano, row.mes)!,
    id: row.contaId,
    code: row.cdContabil,
    reduced: row.cdReduzido,
    name: row.descricao,
    type: row.tipo,
    level: row.nivel,
    opening: centavosOf(row.saldoAnterior),
    debit: centavosOf(row.debito),
    credit: centavosOf(row.credito),
    closing: centavosOf(row.encerramento),
    balance: centavosOf(row.saldoAtual),
  };
}
