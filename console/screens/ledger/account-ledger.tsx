import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { BALANCES_KEY } from '../../data/balances.ts';
import { useGo } from '../../data/place.ts';
import { useChart } from '../../data/queries.ts';
import { useSearchParams } from '../../data/search-params.ts';
import { Button } from '../../ui/button.tsx';
import { DownloadButton } from '../../ui/download.tsx';
import { monthTitle } from '../../ui/format.ts';
import type { KeyBinding } from '../../ui/keys.tsx';
import { useRemembered } from '../../ui/memory.ts';
import { MonthBadge, Screen } from '../../ui/screen.tsx';
import { Result } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { AccountPath } from './account-path.tsx';
import { FilterDialog, filterOf, filterText } from './filter-dialog.tsx';
import { FoundLines } from './found-lines.tsx';
import { csvOf, LEDGER_KEY, type Ledger, type LedgerLine, type LedgerPlace, ledgerQuery } from './ledger-data.ts';
import { LedgerHead } from './ledger-head.tsx';
import { LedgerLines } from './ledger-lines.tsx';
import { LinePanel } from './line-panel.tsx';
import { ReverseDialog } from './reverse-dialog.tsx';

/** The month of an account: figures, lines with the running balance, and what is behind a line. */
export function AccountLedger({ place }: { readonly place: LedgerPlace }) {
  const ledger = useQuery(ledgerQuery(place));
  const [search, setSearch] = useSearchParams();
  const [marked, setMarked] = useState<LedgerLine>();
  const [opened, setOpened] = useRemembered<LedgerLine | undefined>('lançamento aberto', undefined);
  const [dialog, setDialog] = useState<'filter' | 'reverse'>();
  const [isPrinting, setIsPrinting] = useState(false);
  const go = useGo();
  const filter = filterOf(search, place.month);
  const line = opened ?? marked;

  const close = () => {
    setOpened(undefined);
    document.querySelector<HTMLElement>('main .grid')?.focus();
  };
  const openAccount = (account: number) => go({ search: { ...institutionOf(search), conta: String(account) } });
  const openOffset = () => {
    if (line === undefined) return false;
    if (line.offsetId === null) toast('São diversas as contrapartidas: Enter abre o lançamento inteiro.');
    else openAccount(line.offsetId);
    return true;
  };
  const openDocument = () => {
    if (line === undefined) return false;
    go({ screen: 'lancamentos', branch: line.branch, search: { documento: String(line.documentId) } });
    return true;
  };
  const reverse = () => {
    if (line !== undefined) setDialog('reverse');
    return line !== undefined;
  };
  const keys: KeyBinding[] = [
    { keys: [], shown: '↑ ↓', label: 'andar' },
    { keys: [], shown: 'Enter', label: 'lançamento' },
    { keys: 'C', label: 'razão da contrapartida', run: openOffset },
    { keys: 'D', label: 'documento', run: openDocument },
    { keys: 'E', label: 'estornar', run: reverse },
    { keys: 'F', label: 'filtrar', run: () => setDialog('filter') },
    { keys: 'P', label: 'imprimir', run: () => setIsPrinting(true) },
    ...(opened === undefined ? [] : [{ keys: 'Escape', run: close }]),
  ];
  const shown = filterText(filter);
  return (
    <Screen
      title={ledger.data ? `${ledger.data.code} ${ledger.data.name}` : 'Razão'}
      subtitle={
        place.branch === '*' ? `${monthTitle(place.month)} · instituição, sem eliminações` : monthTitle(place.month)
      }
      badge={place.branch === '*' ? null : <MonthBadge />}
      lead={<AccountPath account={place.account} onOpen={openAccount} />}
      keys={keys}
      actions={
        <>
          <Button icon="filter" aria-pressed={shown !== ''} onClick={() => setDialog('filter')}>
            {shown === '' ? 'Dias, texto, valor' : shown}
          </Button>
          {shown !== '' && <Button icon="close" aria-label="Tirar o filtro" onClick={() => setSearch(NO_FILTER)} />}
          <DownloadButton
            name={`razao-${ledger.data?.code ?? place.account}-${place.month}.csv`}
            from={() => csvOf(place, filter)}
          >
            CSV
          </DownloadButton>
          <Button icon="print" busy={isPrinting} onClick={() => setIsPrinting(true)}>
            Imprimir
          </Button>
        </>
      }
      summary={ledger.data && <LedgerHead ledger={ledger.data} place={place} />}
      side={
        opened && (
          <LinePanel
            line={opened}
            place={place}
            onClose={close}
            onOpenAccount={openAccount}
            onOpenDocument={openDocument}
            onReverse={reverse}
          />
        )
      }
    >
      <Result query={ledger}>
        {(data) => (
          <Lines
            {...{ ledger: data, place, filter, isPrinting, isCompact: opened !== undefined }}
            onPrinted={() => setIsPrinting(false)}
            onOpen={setOpened}
            onMark={setMarked}
          />
        )}
      </Result>
      {dialog === 'filter' && <FilterDialog month={place.month} onClose={() => setDialog(undefined)} />}
      {dialog === 'reverse' && line && <Reverse line={line} onClose={() => setDialog(undefined)} />}
    </Screen>
  );
}

const NO_FILTER = { de: undefined, ate: undefined, texto: undefined, valor: undefined };

function institutionOf({ instituicao }: { readonly instituicao?: string | undefined }) {
  return instituicao === undefined ? {} : { instituicao };
}

interface LinesProps {
  readonly ledger: Ledger;
  readonly place: LedgerPlace;
  readonly filter: ReturnType<typeof filterOf>;
  readonly isCompact: boolean;
  readonly isPrinting: boolean;
  readonly onPrinted: () => void;
  readonly onOpen: (line: LedgerLine) => void;
  readonly onMark: (line: LedgerLine | undefined) => void;
}

function Lines({ filter, ...rest }: LinesProps) {
  const { byId } = useChart();
  return filterText(filter) === '' ? (
    <LedgerLines {...rest} byId={byId} />
  ) : (
    <FoundLines {...rest} byId={byId} filter={filter} />
  );
}

function Reverse({ line, onClose }: { readonly line: LedgerLine; readonly onClose: () => void }) {
  const client = useQueryClient();
  return (
    <ReverseDialog
      line={line}
      onClose={onClose}
      onDone={() => {
        for (const key of [LEDGER_KEY, BALANCES_KEY]) void client.invalidateQueries({ queryKey: [key] });
      }}
    />
  );
}
