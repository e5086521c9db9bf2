import { type Ref, useState } from 'react';
import type { Day } from '../../../src/accounting/period.ts';
import { usePlace } from '../../data/place.ts';
import { Button } from '../../ui/button.tsx';
import { dayText, instantText } from '../../ui/format.ts';
import { Facts, SidePanel } from '../../ui/side-panel.tsx';
import { messageOf } from '../../ui/states.tsx';
import { DayField } from '../../ui/typed-field.tsx';
import { QuotaBadge } from './daily-columns.tsx';
import { variationText } from './quota-text.ts';
import type { DailyQuota, useDailyPreview } from './quotas-data.ts';
import type { Span } from './span.ts';

interface DailyPanelProps {
  readonly proposed: Day;
  readonly preview: ReturnType<typeof useDailyPreview>;
  readonly isAsked: boolean;
  readonly marked: DailyQuota | undefined;
  readonly onPreview: (span: Span) => void;
  readonly onConfirm: (() => void) | undefined;
  readonly ref: Ref<HTMLInputElement>;
}

/** Beside the table: which days are calculated, and what the marked quota is made of. */
export function DailyPanel({ marked, ...calculation }: DailyPanelProps) {
  return (
    <SidePanel title="Calcular cotas">
      <Calculation key={calculation.proposed} {...calculation} />
      {marked && <MarkedQuota quota={marked} />}
    </SidePanel>
  );
}

type CalculationProps = Omit<DailyPanelProps, 'marked'>;

function Calculation({ proposed, preview, isAsked, onPreview, onConfirm, ref }: CalculationProps) {
  const { month } = usePlace();
  const [from, setFrom] = useState<Day | undefined>(proposed);
  const [to, setTo] = useState<Day | undefined>(proposed);
  const found = isAsked && !preview.isFetching ? preview : undefined;
  return (
    <form
      className="quota-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (from && to) onPreview({ from, to });
      }}
    >
      <div className="quota-days">
        <DayField label="Do dia" value={from} month={month} onChange={setFrom} size={10} ref={ref} />
        <DayField label="Ao dia" value={to} month={month} onChange={setTo} size={10} />
      </div>
      <Button type="submit" icon="play" busy={isAsked && preview.isFetching} disabled={!from || !to}>
        Calcular a prévia
      </Button>
      {found?.error ? (
        <p className="field-problem" role="alert">
          {messageOf(found.error)}
        </p>
      ) : (
        found?.data && <p role="status">{previewText(found.data.length)}</p>
      )}
      {onConfirm && (
        <Button kind="primary" icon="check" onClick={onConfirm}>
          Confirmar…
        </Button>
      )}
    </form>
  );
}

function previewText(count: number): string {
  if (count === 0) return 'Estes dias já têm cota confirmada, ou não são dias úteis.';
  return count === 1 ? 'Uma cota calculada; nada foi gravado.' : `${count} cotas calculadas; nada foi gravado.`;
}

function MarkedQuota({ quota }: { readonly quota: DailyQuota }) {
  const { confirmedAt, replacedAt } = quota;
  return (
    <section className="quota-marked" aria-label={`Cota de ${dayText(quota.referenceDate)}`}>
      <h3>
        {dayText(quota.referenceDate)} <QuotaBadge status={quota.status} />
      </h3>
      <Facts
        of={[
          ['No dia', variationText(quota.variation)],
          ['No mês', variationText(quota.variationOfMonth)],
          ['No ano', variationText(quota.variationOfYear)],
          ['Em 12 meses', variationText(quota.variationOf12Months)],
          ['Cotistas', quota.holders === null ? '–' : String(quota.holders)],
          ...(confirmedAt === null
            ? []
            : [['Confirmada', `${instantText(confirmedAt)} · ${quota.confirmedBy}`] as const]),
          ...(replacedAt === null
            ? []
            : [
                ['Substituída', `${instantText(replacedAt)} · ${quota.replacedBy}`] as const,
                ['Motivo', quota.replacementReason] as const,
              ]),
        ]}
      />
    </section>
  );
}
