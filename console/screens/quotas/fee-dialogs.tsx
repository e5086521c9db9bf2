import { useState } from 'react';
import type { Day } from '../../../src/accounting/period.ts';
import { api } from '../../data/client.ts';
import { useMonthsChanged } from '../../data/months-changed.ts';
import { usePlace } from '../../data/place.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { dayText } from '../../ui/format.ts';
import { Facts } from '../../ui/side-panel.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast.tsx';
import { FEE_NAMES, type ProposedFee } from './fees-data.ts';
import { decimalText } from './quota-text.ts';
import { doneOrWaiting } from './quotas-data.ts';

interface PostFeesProps {
  readonly date: Day;
  readonly fees: readonly ProposedFee[];
  readonly onClose: () => void;
}

/** Posts the fees of a day. */
export function PostFeesDialog({ date, fees, onClose }: PostFeesProps) {
  const { company, branch } = usePlace();
  const changed = useMonthsChanged();
  const [shown] = useState(fees);
  const [key] = useState(() => crypto.randomUUID());
  const post = async () => {
    const body = { date, confirmed: true };
    const answer = await api.masterdata.postFees({ path: { company, branch }, body }, { idempotencyKey: key });
    await changed();
    toast(doneOrWaiting(answer) ? `Taxas de ${dayText(date)} lançadas` : 'Pedido enviado: outra pessoa aprova');
  };
  return (
    <ConfirmDialog title={`Lançar as taxas de ${dayText(date)}`} action="Lançar" onConfirm={post} onClose={onClose}>
      <p>As taxas são lançadas antes da cota do dia. Só o último dia pode ser estornado.</p>
      <Facts of={shown.map(({ kind, amount }) => [FEE_NAMES[kind], decimalText(amount)] as const)} />
    </ConfirmDialog>
  );
}

/** Takes the fees of the last day back. */
export function ReverseFeesDialog({ date, onClose }: { readonly date: Day; readonly onClose: () => void }) {
  const { company, branch } = usePlace();
  const changed = useMonthsChanged();
  const [key] = useState(() => crypto.randomUUID());
  const [reason, setReason] = useState('');
  const reverse = async () => {
    if (reason.trim() === '') throw new Error('Escreva o motivo do estorno.');
    const body = { date, reason };
    const answer = await api.masterdata.reverseFees({ path: { company, branch }, body }, { idempotencyKey: key });
    await changed();
    toast(doneOrWaiting(answer) ? `Taxas de ${dayText(date)} estornadas` : 'Pedido enviado: outra pessoa aprova');
  };
  return (
    <ConfirmDialog
      title={`Estornar as taxas de ${dayText(date)}`}
      action="Estornar"
      danger
      onConfirm={reverse}
      onClose={onClose}
    >
      <p>Os lançamentos são estornados no mesmo dia, e o dia pode ser apropriado de novo.</p>
      <TextField label="Motivo" value={reason} onChange={setReason} maxLength={500} />
    </ConfirmDialog>
  );
}
