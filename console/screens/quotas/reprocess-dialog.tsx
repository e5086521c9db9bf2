import { useState } from 'react';
import type { Day } from '../../../src/accounting/period.ts';
import { api } from '../../data/client.ts';
import { useMonthsChanged } from '../../data/months-changed.ts';
import { usePlace } from '../../data/place.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { problemsOf } from '../../ui/field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast.tsx';
import { DayField } from '../../ui/typed-field.tsx';
import { doneOrWaiting } from './quotas-data.ts';
import type { Span } from './span.ts';

/** Computes confirmed quotas anew, with a reason; the old ones are kept. */
export function ReprocessDialog({ span, onClose }: { readonly span: Span; readonly onClose: () => void }) {
  const { company, branch, month } = usePlace();
  const changed = useMonthsChanged();
  const [key] = useState(() => crypto.randomUUID());
  const [from, setFrom] = useState<Day | undefined>(span.from);
  const [to, setTo] = useState<Day | undefined>(span.to);
  const [reason, setReason] = useState('');
  const [problem, setProblem] = useState<string>();
  const reprocess = async () => {
    setProblem(undefined);
    if (!from || !to) throw new Error('Escreva o primeiro e o último dia.');
    if (reason.trim() === '') {
      setProblem('Escreva por que as cotas mudam: o motivo fica guardado com as antigas.');
      throw new Error('Falta o motivo.');
    }
    const body = { from, to, reason };
    try {
      const answer = await api.masterdata.reprocessDailyQuotas(
        { path: { company, branch }, body },
        { idempotencyKey: key },
      );
      const quotas = doneOrWaiting(answer);
      await changed();
      toast(quotas === undefined ? 'Pedido enviado: outra pessoa aprova' : 'Cotas reprocessadas');
    } catch (error) {
      setProblem(problemsOf(error).reason);
      throw error;
    }
  };
  return (
    <ConfirmDialog title="Reprocessar cotas" action="Reprocessar" danger onConfirm={reprocess} onClose={onClose}>
      <p>As cotas que saírem diferentes substituem as antigas, que ficam guardadas com quem, quando e por quê.</p>
      <div className="quota-days">
        <DayField label="Do dia" value={from} month={month} onChange={setFrom} size={10} />
        <DayField label="Ao dia" value={to} month={month} onChange={setTo} size={10} />
      </div>
      <TextField label="Motivo" value={reason} onChange={setReason} maxLength={500} problem={problem} />
    </ConfirmDialog>
  );
}
