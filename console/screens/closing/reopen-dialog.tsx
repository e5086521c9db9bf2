import { PartidasProblem } from 'partidas-client';
import { useState } from 'react';
import { slashOf } from '../../../src/accounting/period.ts';
import { api } from '../../data/client.ts';
import { useMonthsChanged } from '../../data/months-changed.ts';
import { usePlace } from '../../data/place.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { problemsOf } from '../../ui/field.tsx';
import { monthTitle, sentence } from '../../ui/format.ts';
import { CheckField, TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast.tsx';

/** Opens a closed month again: asks for the reason, the month typed, and for a yes to what depends on it. */
export function ReopenDialog({ branch, onClose }: { readonly branch: string; readonly onClose: () => void }) {
  const { company, month } = usePlace();
  const changed = useMonthsChanged();
  const [reason, setReason] = useState('');
  const [consequences, setConsequences] = useState<string>();
  const [confirmed, setConfirmed] = useState(false);
  const [problem, setProblem] = useState<string>();
  const reopen = async () => {
    setProblem(undefined);
    try {
      const body = { newyearmonth: slashOf(month), ...(reason.trim() === '' ? {} : { reason }), confirmed };
      await api.movements.openMonth({ path: { company, branch }, body });
    } catch (error) {
      await changed();
      if (error instanceof PartidasProblem && error.code === 'CONFIRMATION_REQUIRED') setConsequences(error.message);
      setProblem(problemsOf(error).reason);
      throw error;
    }
    await changed();
    toast(`${sentence(monthTitle(month))} reaberto na filial ${branch}`);
  };
  return (
    <ConfirmDialog
      title={`Reabrir ${monthTitle(month)} na filial ${branch}`}
      action="Reabrir o mês"
      danger
      word={slashOf(month)}
      onConfirm={reopen}
      onClose={onClose}
    >
      <p>Os saldos consolidados e os lançamentos de encerramento do mês serão desfeitos; o motivo fica registrado.</p>
      <TextField label="Motivo" value={reason} onChange={setReason} maxLength={500} problem={problem} />
      {consequences !== undefined && (
        <CheckField label="Estou ciente do que depende deste mês" value={confirmed} onChange={setConfirmed} />
      )}
    </ConfirmDialog>
  );
}
