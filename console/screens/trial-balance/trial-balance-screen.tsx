import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { addMonths, firstDay, lastDay, type Month, monthFromIso } from '../../../src/accounting/period.ts';
import { type Balance, balancesQuery, branchAsked } from '../../data/balances.ts';
import { api } from '../../data/client.ts';
import { usePlace } from '../../data/place.ts';
import { chartQuery } from '../../data/queries.ts';
import { useSearchParams } from '../../data/search-params.ts';
import { Button } from '../../ui/button.tsx';
import { DownloadButton } from '../../ui/download.tsx';
import { amountText, monthTitle } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { InstitutionField } from '../../ui/institution-field.tsx';
import type { KeyBinding } from '../../ui/keys.tsx';
import { ProofButton, type Proven } from '../../ui/proof-button.tsx';
import { MonthBadge, Screen } from '../../ui/screen.tsx';
import { Failure, Result } from '../../ui/states.tsx';
import { CheckField } from '../../ui/text-field.tsx';
import { CompareField } from './compare-field.tsx';
import { FilterField } from './filter-field.tsx';
import { TrialGrid } from './trial-grid.tsx';
import { differenceOf, type TrialRow } from './trial-rows.ts';
import './trial-balance.css';

/** The balances of a month as the tree of the chart, beside those of another month where asked. */
export function TrialBalanceScreen() {
  const { company, branch, month } = usePlace();
  const [search, setSearch] = useSearchParams();
  const isInstitution = search.instituicao === '1';
  const showsAll = search.semsaldo === '1';
  const other = monthFromIso(search.comparar ?? '');
  const asked = { company, branch: branchAsked(branch, search) };
  const balances = useQuery(balancesQuery(asked, month));
  const compared = useQuery({ ...balancesQuery(asked, other ?? month), enabled: other !== undefined });
  const marked = useRef<TrialRow>(undefined);
  const chart = useQuery({ ...chartQuery({ company, branch }), enabled: showsAll || other !== undefined });

  const compareWith = (to: Month | undefined) => setSearch({ comparar: to });
  const showAll = (on: boolean) => setSearch({ semsaldo: on ? '1' : undefined });
  const keys: KeyBinding[] = [
    { keys: [], shown: '↑ ↓', label: 'andar' },
    { keys: [], shown: '→ ←', label: 'abrir e fechar' },
    { keys: [], shown: '*', label: 'abrir tudo' },
    { keys: [], shown: 'Enter', label: 'razão da conta' },
    { keys: 'C', label: 'comparar', run: () => compareWith(other ? undefined : addMonths(month, -1)) },
    { keys: 'S', label: 'contas sem saldo', run: () => showAll(!showsAll) },
    { keys: 'P', label: 'imprimir', run: () => window.print() },
  ];
  return (
    <Screen
      title="Balancete"
      subtitle={isInstitution ? `${monthTitle(month)} · instituição` : monthTitle(month)}
      badge={
        <>
          {!isInstitution && <MonthBadge />}
          {balances.data && <Difference balances={balances.data} />}
        </>
      }
      keys={keys}
      actions={
        <>
          <InstitutionField />
          <CheckField label="Sem saldo" value={showsAll} onChange={showAll} />
          <CompareField value={other} onChange={compareWith} />
          <FilterField value={search.filtro ?? ''} onChange={(text) => setSearch({ filtro: text || undefined })} />
          <span className="trial-tools">
            <DownloadButton name={`balancete-${month}.csv`} from={() => csvOf(asked, month)}>
              CSV
            </DownloadButton>
            {!isInstitution && (
              <ProofButton branch={branch} month={month} of={() => provenOf(marked.current)}>
                Prova do saldo
              </ProofButton>
            )}
            <Button icon="print" onClick={() => window.print()}>
              Imprimir
            </Button>
          </span>
        </>
      }
    >
      {compared.error !== null && other !== undefined && (
        <Failure error={compared.error} onRepeat={() => compared.refetch()} />
      )}
      <Result query={balances} rows={20}>
        {(now) => (
          <TrialGrid
            now={now}
            other={other === undefined ? undefined : compared.data}
            otherMonth={other}
            chart={chart.data}
            showsAll={showsAll}
            filter={search.filtro ?? ''}
            isInstitution={isInstitution}
            onMark={(row) => {
              marked.current = row;
            }}
          />
        )}
      </Result>
    </Screen>
  );
}

function csvOf({ company, branch }: { company: string; branch: string }, month: Month): Promise<Response> {
  const query = { empresa: company, filial: branch, dataInicio: firstDay(month), dataFim: lastDay(month) };
  return api.queries.listLegacyBalances.response({ query }, { accept: 'text/csv' });
}

function provenOf(row: TrialRow | undefined): Proven {
  if (row === undefined) throw new Error('Marque a conta cujo saldo se quer provar.');
  return { account: row.code };
}

/** Whether debits equal credits, in a word and a form. */
function Difference({ balances }: { readonly balances: readonly Balance[] }) {
  const difference = differenceOf(balances);
  return difference === 0n ? (
    <span className="trial-check trial-check-even">
      <Icon name="check" /> Débitos = créditos
    </span>
  ) : (
    <span className="trial-check trial-check-odd">
      <Icon name="alert" /> Diferença de {amountText(difference)} {difference > 0n ? 'D' : 'C'}
    </span>
  );
}
