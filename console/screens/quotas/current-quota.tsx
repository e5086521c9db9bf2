import { PartidasProblem } from 'partidas-client';
import type { ReactNode } from 'react';
import { usePlace } from '../../data/place.ts';
import { Amount } from '../../ui/amount.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { centavosOf } from '../../ui/format.ts';
import { PlaceLink } from '../../ui/place-link.tsx';
import { Facts, SidePanel } from '../../ui/side-panel.tsx';
import { Denied, Failure, Loading } from '../../ui/states.tsx';
import { NotConfigured } from './not-configured.tsx';
import { decimalText, variationText } from './quota-text.ts';
import type { QuotaPreview, useQuotaConfiguration, useQuotaPreview } from './quotas-data.ts';

interface CurrentQuotaProps {
  readonly configuration: ReturnType<typeof useQuotaConfiguration>;
  readonly preview: ReturnType<typeof useQuotaPreview>;
  readonly mayQuote: boolean;
  readonly onConfigure: (() => void) | undefined;
  readonly onConfirm: (() => void) | undefined;
}

/** The quota of the current day before it is confirmed, or why there is none. */
export function CurrentQuota(props: CurrentQuotaProps) {
  return (
    <SidePanel title="Cota do dia corrente">
      <Content {...props} />
    </SidePanel>
  );
}

function Content({ configuration, preview, mayQuote, onConfigure, onConfirm }: CurrentQuotaProps) {
  if (configuration.error) return <Failure error={configuration.error} onRepeat={() => configuration.refetch()} />;
  if (configuration.data === undefined) return <Loading rows={5} />;
  if (configuration.data === null) {
    return <NotConfigured onConfigure={onConfigure} />;
  }
  if (!mayQuote) return <Denied routine="TAX_QUOTA" />;
  if (preview.error) return <Refused error={preview.error} onRepeat={() => preview.refetch()} />;
  if (preview.data === undefined) return <Loading rows={5} />;
  return (
    <div className="quota-now">
      <QuotaFigures preview={preview.data} />
      {preview.data.confirmed ? (
        <p>
          <Badge tone="done">confirmada</Badge> A cota deste dia já está confirmada.
        </p>
      ) : (
        onConfirm && (
          <Button kind="primary" icon="check" onClick={onConfirm}>
            Confirmar a cota…
          </Button>
        )
      )}
    </div>
  );
}

/** Day, value, equity, number of quotas, and how the value has changed. */
export function QuotaFigures({ preview }: { readonly preview: QuotaPreview }) {
  const facts: (readonly [string, ReactNode])[] = [
    ['Dia', preview.calculationDate],
    ['Patrimônio', <Amount key="equity" value={centavosOf(preview.netEquity)} side="C" />],
    ['em', preview.referenceDate],
    ['Nº de cotas', decimalText(preview.numberOfQuotas)],
    ['Valor', <strong key="value">{decimalText(preview.quotaValue)}</strong>],
    [
      'Anterior',
      preview.previousQuotaValue === null
        ? '–'
        : `${decimalText(preview.previousQuotaValue)} em ${preview.previousDate}`,
    ],
    ['Variação', variationText(preview.variation)],
  ];
  return <Facts of={facts} />;
}

/** A refusal with the way to where it is mended. */
function Refused({ error, onRepeat }: { readonly error: unknown; readonly onRepeat: () => void }) {
  const { branch } = usePlace();
  const isOfMonths = error instanceof PartidasProblem && /^(?:MONTH_NOT_CONSOLIDATED|NO_OPEN_DAY)$/.test(error.code);
  return (
    <>
      <Failure error={error} onRepeat={onRepeat} />
      {isOfMonths && (
        <p>
          <PlaceLink to={{ branch, screen: 'fechamento' }}>Ir para o fechamento</PlaceLink>
        </p>
      )}
    </>
  );
}
