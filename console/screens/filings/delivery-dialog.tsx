import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../data/client.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { problemsOf } from '../../ui/field.tsx';
import { messageOf } from '../../ui/states.tsx';
import { SelectField, TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast.tsx';
import { type Delivery, nameOfFiling } from './filing-kinds.ts';
import { DELIVERIES_KEY } from './filings-data.ts';

const CHOICES = [
  { value: 'GENERATED', text: 'Gerada, ainda não enviada' },
  { value: 'SENT', text: 'Enviada ao regulador' },
  { value: 'ACCEPTED', text: 'Aceita pelo regulador' },
  { value: 'REJECTED', text: 'Rejeitada pelo regulador' },
] as const;

type Recorded = (typeof CHOICES)[number]['value'];

/** Where a delivery may go from each state; what was accepted stays so until another one takes its place. */
const NEXT: Readonly<Record<Recorded, readonly Recorded[]>> = {
  GENERATED: ['GENERATED', 'SENT', 'ACCEPTED', 'REJECTED'],
  SENT: ['SENT', 'ACCEPTED', 'REJECTED'],
  ACCEPTED: ['ACCEPTED'],
  REJECTED: ['REJECTED', 'SENT'],
};

interface DeliveryDialogProps {
  readonly delivery: Delivery;
  readonly onClose: () => void;
}

/** What became of a delivery: its state, the receipt, and of an ECD the hash that the official program gave the book. */
export function DeliveryDialog({ delivery, onClose }: DeliveryDialogProps) {
  const queryClient = useQueryClient();
  const { id, arquivo } = delivery;
  const now = delivery.status as Recorded;
  const next = NEXT[now];
  const [status, setStatus] = useState<Recorded>(next[1] ?? now);
  const [receipt, setReceipt] = useState(delivery.recibo ?? '');
  const [hash, setHash] = useState(delivery.hashLivro ?? '');
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const problems = problemsOf(error);
  const save = async () => {
    setBusy(true);
    setError(undefined);
    try {
      const body = { status, recibo: given(receipt), hashLivro: given(hash) };
      await api.reports.recordRegulatoryDelivery({ path: { id }, body });
      await queryClient.invalidateQueries({ queryKey: [DELIVERIES_KEY] });
      toast('Entrega registrada');
      onClose();
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={`Registrar a entrega: ${nameOfFiling(delivery)}`}
      onClose={onClose}
      onSubmit={() => void save()}
      actions={
        <>
          <Button onClick={onClose}>Cancelar</Button>
          <Button type="submit" kind="primary" busy={busy}>
            Registrar
          </Button>
        </>
      }
    >
      <SelectField
        label="Situação"
        value={status}
        onChange={setStatus}
        problem={problems.status}
        choices={CHOICES.filter(({ value }) => next.includes(value))}
      />
      <TextField label="Recibo" value={receipt} onChange={setReceipt} problem={problems.recibo} maxLength={200} />
      {arquivo === 'ECD' && (
        <TextField
          label="Hash do livro"
          hint="40 algarismos hexadecimais, do programa da Receita. Sem ele o livro não pode ser substituído."
          value={hash}
          onChange={setHash}
          problem={problems.hashLivro}
          maxLength={40}
        />
      )}
      {error !== undefined && (
        <p className="field-problem" role="alert">
          {messageOf(error)}
        </p>
      )}
    </Dialog>
  );
}

function given(text: string): string | undefined {
  return text.trim() === '' ? undefined : text.trim();
}
