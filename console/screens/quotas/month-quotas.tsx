import { useState } from 'react';
import { type Day, dayFromIso } from '../../../src/accounting/period.ts';
import { usePlace } from '../../data/place.ts';
import { useSearchParams } from '../../data/search-params.ts';
import { useMay } from '../../data/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { DataGrid } from '../../ui/data-grid.tsx';
import { centavosOf, instantText } from '../../ui/format.ts';
import { amountColumn, type Column } from '../../ui/grid-columns.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Empty, Result } from '../../ui/states.tsx';
import { DayField } from '../../ui/typed-field.tsx';
import { ViewChoice } from '../../ui/view-choice.tsx';
import { ConfigurationDialog } from './configuration-dialog.tsx';
import { ConfirmQuotaDialog } from './confirm-quota-dialog.tsx';
import { CurrentQuota } from './current-quota.tsx';
import { decimalText, isoOf, variationText } from './quota-text.ts';
import { QUOTA_VIEWS } from './quota-views.ts';
import { type Quota, useQuotaConfiguration, useQuotaPreview, useQuotas } from './quotas-data.ts';

const COLUMNS: readonly Column<Quota>[] = [
  { id: 'day', title: 'Dia', text: ({ calculationDate }) => calculationDate, look: 'strong', narrow: true },
  { id: 'reference', title: 'Patrimônio de', text: ({ referenceDate }) => referenceDate },
  amountColumn<Quota>({
    id: 'equity',
    title: 'Patrimônio líquido',
    amount: ({ netEquity }) => centavosOf(netEquity),
    dash: false,
  }),
  { id: 'quotas', title: 'Número de cotas', text: ({ numberOfQuotas }) => decimalText(numberOfQuotas), align: 'end' },
  {
    id: 'value',
    title: 'Valor da cota',
    text: ({ quotaValue }) => decimalText(quotaValue),
    align: 'end',
    look: 'strong',
    narrow: true,
  },
  { id: 'variation', title: 'Variação', text: ({ variation }) => variationText(variation), align: 'end' },
  {
    id: 'state',
    title: 'Situação',
    text: ({ status }) => `${status === 'STALE' ? 'desatualizada' : 'confirmada'}..`,
    draw: ({ status }) =>
      status === 'STALE' ? <Badge tone="open">desatualizada</Badge> : <Badge tone="done">confirmada</Badge>,
    narrow: true,
  },
  {
    id: 'by',
    title: 'Confirmação',
    text: ({ confirmedAt, confirmedBy }) => `${instantText(confirmedAt)} · ${confirmedBy}`,
    grows: true,
    look: 'faint',
  },
];

type Asked = 'configure' | 'confirm';

/** Quotas of closed months: those confirmed, and beside them the one of the current day. */
export function MonthQuotas() {
  const { branch, month } = usePlace();
  const [search, setSearch] = useSearchParams();
  const [from, to] = [search.de && dayFromIso(search.de), search.ate && dayFromIso(search.ate)] as (Day | undefined)[];
  const mayQuote = useMay('TAX_QUOTA');
  const maySet = useMay('SETTINGS');
  const [asked, setAsked] = useState<Asked>();
  const quotas = useQuotas({ ...(from ? { from } : {}), ...(to ? { to } : {}) });
  const configuration = useQuotaConfiguration();
  const preview = useQuotaPreview(mayQuote && configuration.data !== undefined && configuration.data !== null);
  const canConfirm = preview.data !== undefined && !preview.data.confirmed;
  const configure = maySet && configuration.data !== undefined ? () => setAsked('configure') : undefined;
  const close = () => setAsked(undefined);
  return (
    <Screen
      title="Cotas"
      subtitle={`filial ${branch}`}
      badge={null}
      keys={[
        ...(canConfirm ? [{ keys: 'C', label: 'confirma a cota', run: () => setAsked('confirm') }] : []),
        ...(configure ? [{ keys: 'O', label: 'configura', run: configure }] : []),
      ]}
      actions={
        <>
          <ViewChoice views={QUOTA_VIEWS} value="mes" />
          <DayField label="De" value={from} month={month} onChange={(day) => setSearch({ de: day })} size={10} />
          <DayField label="Até" value={to} month={month} onChange={(day) => setSearch({ ate: day })} size={10} />
          {configure && <Button onClick={configure}>Configurar…</Button>}
        </>
      }
      side={
        <CurrentQuota
          configuration={configuration}
          preview={preview}
          mayQuote={mayQuote}
          onConfigure={configure}
          onConfirm={canConfirm ? () => setAsked('confirm') : undefined}
        />
      }
    >
      <Result query={quotas}>
        {(rows) => (
          <DataGrid
            label="Cotas confirmadas"
            rows={rows}
            columns={COLUMNS}
            keyOf={({ calculationDate }) => isoOf(calculationDate)}
            rowClass={({ status }) => (status === 'STALE' ? 'quota-stale' : undefined)}
            empty={
              <Empty title="Nenhuma cota confirmada">
                {from || to
                  ? 'Nenhuma neste período.'
                  : 'A cota do dia corrente aparece ao lado quando puder ser calculada.'}
              </Empty>
            }
          />
        )}
      </Result>
      {asked === 'configure' && <ConfigurationDialog configuration={configuration.data ?? null} onClose={close} />}
      {asked === 'confirm' && preview.data && <ConfirmQuotaDialog preview={preview.data} onClose={close} />}
    </Screen>
  );
}
