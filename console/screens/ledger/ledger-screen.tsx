import { useGo, usePlace } from '../../data/place.ts';
import { useSearchParams } from '../../data/search-params.ts';
import { AccountField } from '../../ui/account-field.tsx';
import { Panel, Screen } from '../../ui/screen.tsx';
import { AccountLedger } from './account-ledger.tsx';
import { ledgerPlaceOf } from './ledger-data.ts';
import './ledger.css';

/** The ledger of the account of the address; without one it asks for it. */
export function LedgerScreen() {
  const { company, branch, month } = usePlace();
  const [search] = useSearchParams();
  const place = ledgerPlaceOf({ company, branch, month }, search);
  if (place === undefined) return <ChooseAccount />;
  return <AccountLedger key={`${place.branch} ${place.account}`} place={place} />;
}

function ChooseAccount() {
  const go = useGo();
  return (
    <Screen title="Razão">
      <Panel title="De que conta?">
        <AccountField
          label="Conta"
          hint="Código, código reduzido ou palavras do nome"
          value={undefined}
          onChange={(id) => {
            if (id !== undefined) go({ search: { conta: String(id) } });
          }}
        />
        <p>
          No balancete, <kbd>Enter</kbd> abre o razão da conta marcada.
        </p>
      </Panel>
    </Screen>
  );
}
