import { useState } from 'react';
import { api } from '../../data/client.ts';
import { useMonthsChanged } from '../../data/months-changed.ts';
import { usePlace } from '../../data/place.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { dayText } from '../../ui/format.ts';
import { Facts } from '../../ui/side-panel.tsx';
import { toast } from '../../ui/toast.tsx';
import { decimalText } from './quota-text.ts';
import { askedDays, type DailyQuota, doneOrWaiting } from './quotas-data.ts';
import type { Span } from './span.ts';

interface ConfirmDaysProps {
  readonly span: Span;
  readonly previews: readonly DailyQuota[];
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Days shown before the rest is counted. */
const SHOWN = 8;

/** Stores the quotas of the days; where one has become another since it was shown, it says so. */
export function ConfirmDaysDialog({ span, previews, onDone, onClose }: ConfirmDaysProps) {
  const { company, branch } = usePlace();
  const changed = useMonthsChanged();
  const [shown] = useState(previews);
  const [key] = useState(() => crypto.randomUUID());
  const title = titleOf(shown);
  const confirm = async () => {
    const body = { ...askedDays(span), confirmed: true };
    const answer = await api.masterdata.calculateDailyQuotas(
      { path: { company, branch }, body },
      { idempotencyKey: key },
    );
    const quotas = doneOrWaiting(answer);
    await changed();
    onDone();
    if (quotas === undefined) return toast('Pedido enviado: outra pessoa confirma');
    const isOther = shown.some(
      ({ referenceDate, quotaValue }) =>
        quotas.find((each) => each.referenceDate === referenceDate)?.quotaValue !== quotaValue,
    );
    if (isOther) toast(`${title}: valor diferente da prévia, porque os livros mudaram`, { tone: 'wrong' });
    else toast(shown.length === 1 ? 'Cota confirmada' : `${shown.length} cotas confirmadas`);
  };
  return (
    <ConfirmDialog title={title} action="Confirmar" onConfirm={confirm} onClose={onClose}>
      <p>
        Uma cota confirmada não muda mais; se o passado for corrigido, ela é reprocessada, e a antiga fica guardada.
      </p>
      <Facts
        of={shown
          .slice(0, SHOWN)
          .map(({ referenceDate, quotaValue }) => [dayText(referenceDate), decimalText(quotaValue)] as const)}
      />
      {shown.length > SHOWN && <p>{`e outras ${shown.length - SHOWN}`}</p>}
    </ConfirmDialog>
  );
}

function titleOf(previews: readonly DailyQuota[]): string {
  const [first, last] = [previews[0]!, previews.at(-1)!].map(({ referenceDate }) => dayText(referenceDate));
  return first === last ? `Confirmar a cota de ${first}` : `Confirmar ${previews.length} cotas, de ${first} a ${last}`;
}
