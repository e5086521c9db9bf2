import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Centavos, decimalOf } from '../../../src/accounting/money.ts';
import { type Day, dayFromIso, firstDay, lastDay, monthOfDay } from '../../../src/accounting/period.ts';
import { api } from '../../data/client.ts';
import { useGo, usePlace } from '../../data/place.ts';
import { useSearchParams } from '../../data/search-params.ts';
import { AccountField } from '../../ui/account-field.tsx';
import { Button } from '../../ui/button.tsx';
import { DataGrid } from '../../ui/data-grid.tsx';
import { amountFromTyped, centavosOf, dayText } from '../../ui/format.ts';
import { amountColumn, type Column } from '../../ui/grid-columns.tsx';
import { Empty, Result } from '../../ui/states.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { AmountField, DayField } from '../../ui/typed-field.tsx';

type FoundLine = Awaited<ReturnType<typeof api.queries.findEntries>>['content'][number];

/** What the address says of a search, beside its days. */
const FILTERS = ['texto', 'valor', 'conta', 'lote', 'doc', 'lanc'] as const;

/** Procurar: lines by text, amount, account, place and days; Enter opens the document at the entry. */
export function FindEntries() {
  const place = usePlace();
  const go = useGo();
  const [search] = useSearchParams();
  const { from, to } = periodOf(search.de, search.ate, place.month);
  const query = useInfiniteQuery({
    queryKey: ['found entries', place.company, place.branch, from, to, ...FILTERS.map((name) => search[name])],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ signal, pageParam }) =>
      api.queries.findEntries(
        {
          path: { company: place.company, branch: place.branch },
          query: {
            dataInicio: from,
            dataFim: to,
            texto: search.texto,
            valor: search.valor,
            contaId: search.conta === undefined ? undefined : Number(search.conta),
            lote: search.lote,
            documento: search.doc,
            lancamento: search.lanc,
            depoisDe: pageParam,
            direcao: 'DESC',
            tamanho: 200,
          },
        },
        { signal },
      ),
    getNextPageParam: (last) => last.proximo ?? undefined,
  });
  const rows = query.data?.pages.flatMap(({ content }) => content) ?? [];
  return (
    <div className="find">
      <FindFields from={from} to={to} />
      <Result query={query}>
        {() => (
          <DataGrid
            label="Lançamentos encontrados"
            rows={rows}
            columns={COLUMNS}
            keyOf={({ id }) => id}
            onOpen={({ documentId, lancamento, data }) =>
              go({ month: monthOfDay(data as Day), search: { documento: String(documentId), lancamento } })
            }
            empty={<Empty title="Nada encontrado com estes filtros" />}
            foot={
              query.hasNextPage ? (
                <Button kind="quiet" busy={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
                  Mais resultados
                </Button>
              ) : undefined
            }
          />
        )}
      </Result>
    </div>
  );
}

function periodOf(de: string | undefined, ate: string | undefined, month: ReturnType<typeof usePlace>['month']) {
  const from = dayFromIso(de ?? '') ?? firstDay(month);
  const to = dayFromIso(ate ?? '') ?? lastDay(month);
  return from <= to ? { from, to } : { from: to, to: from };
}

function FindFields({ from, to }: { readonly from: Day; readonly to: Day }) {
  const { month } = usePlace();
  const [search, setSearch] = useSearchParams();
  const [text, setText] = useState(search.texto ?? '');
  const [amount, setAmount] = useState<Centavos | undefined>(amountFromTyped(search.valor ?? ''));
  const [account, setAccount] = useState(search.conta === undefined ? undefined : Number(search.conta));
  const [batch, setBatch] = useState(search.lote ?? '');
  const [inDocument, setDocument] = useState(search.doc ?? '');
  const [number, setNumber] = useState(search.lanc ?? '');
  const [first, setFirst] = useState<Day | undefined>(from);
  const [last, setLast] = useState<Day | undefined>(to);
  const find = () =>
    setSearch({
      procurar: '1',
      texto: text.trim() || undefined,
      valor: amount === undefined ? undefined : decimalOf(amount),
      conta: account === undefined ? undefined : String(account),
      lote: batch.trim() || undefined,
      doc: inDocument.trim() || undefined,
      lanc: number.trim() || undefined,
      de: first,
      ate: last,
    });
  return (
    <form
      className="find-fields"
      onSubmit={(event) => {
        event.preventDefault();
        find();
      }}
    >
      <TextField label="Histórico" type="search" maxLength={100} value={text} onChange={setText} />
      <AccountField label="Conta" value={account} onChange={setAccount} />
      <AmountField label="Valor" value={amount} onChange={setAmount} />
      <TextField label="Lote" size={6} maxLength={10} value={batch} onChange={setBatch} />
      <TextField label="Documento" size={8} maxLength={20} value={inDocument} onChange={setDocument} />
      <TextField label="Lançamento" size={6} maxLength={20} value={number} onChange={setNumber} />
      <DayField label="De" month={month} value={first} onChange={setFirst} />
      <DayField label="Até" month={month} value={last} onChange={setLast} />
      <Button type="submit" kind="primary" icon="search">
        Procurar
      </Button>
    </form>
  );
}

const COLUMNS: readonly Column<FoundLine>[] = [
  { id: 'day', title: 'Data', text: ({ data }) => dayText(data), narrow: true },
  { id: 'place', title: 'Lote/doc.', text: ({ lote, documento }) => `${lote}/${documento}`, look: 'faint' },
  { id: 'entry', title: 'Lanç.', text: ({ lancamento }) => lancamento, look: 'faint' },
  { id: 'side', title: 'D/C', text: ({ debcre }) => debcre, align: 'center', look: 'strong', narrow: true },
  { id: 'account', title: 'Conta', text: ({ conta }) => conta, look: 'code', narrow: true },
  { id: 'offset', title: 'Contrapartida', text: ({ contrapartida }) => contrapartida ?? '', look: 'code' },
  { id: 'narration', title: 'Histórico', text: ({ historico }) => historico ?? '', grows: true, atLeast: 14 },
  { id: 'by', title: 'Por', text: ({ updatedBy }) => updatedBy ?? '', look: 'faint' },
  amountColumn<FoundLine>({
    id: 'amount',
    title: 'Valor',
    amount: ({ valor }) => centavosOf(valor),
    look: 'strong',
    narrow: true,
  }),
];
