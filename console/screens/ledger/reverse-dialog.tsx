import { useState } from 'react';
import { type Day, monthOfDay } from '../../../src/accounting/period.ts';
import { api } from '../../data/client.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { problemsOf } from '../../ui/field.tsx';
import { amountText, dayText } from '../../ui/format.ts';
import { messageOf } from '../../ui/states.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast.tsx';
import { DayField } from '../../ui/typed-field.tsx';
import type { LedgerLine } from './ledger-data.ts';

interface ReverseProps {
  readonly line: LedgerLine;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Posts the entry again with its sides exchanged, on an open day; the first one stays. */
export function ReverseDialog({ line, onClose, onDone }: ReverseProps) {
  const [day, setDay] = useState<Day | undefined>(line.day);
  const [reason, setReason] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  // Kept over all tries: it happens once.
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const problems = problemsOf(error);
  const isReady = day !== undefined && reason.trim() !== '';
  const reverse = async () => {
    if (!isReady || busy) return;
    setBusy(true);
    try {
      const body = { day, motivo: reason.trim() };
      await api.movements.reverseEntry({ path: { id: line.id }, body }, { idempotencyKey });
      toast(`Lançamento ${line.entry} estornado em ${dayText(day)}.`);
      onDone();
      onClose();
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  return (
    <Dialog
      title="Estornar lançamento"
      onClose={onClose}
      onSubmit={reverse}
      actions={
        <>
          <Button onClick={onClose}>Cancelar</Button>
          <Button type="submit" kind="primary" disabled={!isReady} busy={busy}>
            Estornar
          </Button>
        </>
      }
    >
      <p>
        O lançamento {line.entry} do documento {line.document}, lote {line.batch}, é lançado de novo com débito e
        crédito trocados, no valor de {amountText(line.amount)} nesta conta. O original permanece.
      </p>
      <DayField label="No dia" month={monthOfDay(line.day)} value={day} onChange={setDay} problem={problems.day} />
      <TextField label="Motivo" maxLength={300} value={reason} onChange={setReason} problem={problems.motivo} />
      {error !== undefined && problems.day === undefined && problems.motivo === undefined && (
        <p className="field-problem" role="alert">
          {messageOf(error)}
        </p>
      )}
    </Dialog>
  );
}
