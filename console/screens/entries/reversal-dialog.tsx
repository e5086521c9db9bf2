import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { type Day, firstDay, lastDay, type Month, monthOfDay } from '../../../src/accounting/period.ts';
import { api } from '../../data/client.ts';
import { usePlace } from '../../data/place.ts';
import { branchMonthsQuery, useChart } from '../../data/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { problemsOf } from '../../ui/field.tsx';
import { messageOf } from '../../ui/states.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { DayField } from '../../ui/typed-field.tsx';
import type { Entry } from './entries-data.ts';
import { entryText } from './entry-table.tsx';

interface ReversalDialogProps {
  readonly entry: Entry;
  /** Why a reversal is offered in the place of something else. */
  readonly why?: string | undefined;
  readonly onDone: (documentId: number, month: Month) => void;
  readonly onClose: () => void;
}

/** Estorno: the mirror of an entry on an open day, with the reason that the law asks for. */
export function ReversalDialog({ entry, why, onDone, onClose }: ReversalDialogProps) {
  const { company, branch } = usePlace();
  const { byId } = useChart();
  const { data: months } = useQuery(branchMonthsQuery(company, branch));
  const month = monthOfDay(entry.day);
  const firstOpen = months?.firstOpen;
  // In the entry's own month while that is open, else in the first one that is.
  const target = firstOpen === undefined || month >= firstOpen ? month : firstOpen;
  const proposed = target === month ? entry.day : firstDay(target);
  const [day, setDay] = useState<Day | undefined>();
  const [touched, setTouched] = useState(false);
  const [reason, setReason] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const key = useRef(crypto.randomUUID());
  const problems = problemsOf(error);
  const chosen = touched ? day : proposed;
  const reverse = async () => {
    if (chosen === undefined || reason.trim() === '' || busy) return;
    setBusy(true);
    try {
      const reversed = await api.movements.reverseEntry(
        { path: { id: entry.lines[0]!.id }, body: { day: chosen, motivo: reason } },
        { idempotencyKey: key.current },
      );
      const [mirror] = reversed;
      onDone(mirror!.documentId, target);
      onClose();
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={`Estornar o lançamento ${entry.number}`}
      onClose={onClose}
      onSubmit={reverse}
      actions={
        <>
          <Button onClick={onClose}>Cancelar</Button>
          <Button type="submit" kind="primary" busy={busy} disabled={chosen === undefined || reason.trim() === ''}>
            Estornar
          </Button>
        </>
      }
    >
      {why !== undefined && <p>{why}</p>}
      <p>{entryText(entry, byId)}</p>
      <TextField
        label="Motivo"
        maxLength={300}
        value={reason}
        onChange={(text) => {
          setReason(text);
          key.current = crypto.randomUUID();
        }}
        problem={problems.motivo}
      />
      <DayField
        label="Dia do estorno"
        month={target}
        value={chosen}
        onChange={(value) => {
          setTouched(true);
          setDay(value);
          key.current = crypto.randomUUID();
        }}
        problem={problems.day}
        hint={`De ${firstDay(target).slice(8)} a ${lastDay(target).slice(8)} do mês aberto.`}
      />
      {error !== undefined && problems.day === undefined && problems.motivo === undefined && (
        <p className="field-problem" role="alert">
          {messageOf(error)}
        </p>
      )}
    </Dialog>
  );
}
