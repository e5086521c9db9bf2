import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../data/client.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { problemsOf } from '../../ui/field.tsx';
import { SelectField, TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast.tsx';
import { type Delivery, nameOfFiling } from './filing-kinds.ts';
import { DELIVERIES_KEY } from './filings-data.ts';

const STATES: Readonly<Record<Delivery['status'], string>> = {
  GENERATED: 'Gerada, ainda não enviada',
  SENT: 'Enviada ao regulador',
  ACCEPTED: 'Aceita pelo regulador',
  REJECTED: 'Rejeitada pelo regulador',
  REPLACED: 'Substituída por outra',
};

interface DeliveryDialogProps {
  readonly delivery: Delivery;
  readonly onClose: () => void;
}

/** What became of a delivery: its state, the receipt, and of an ECD the hash that the official program gave the book. */
export function DeliveryDialog({ delivery, onClose }: DeliveryDialogProps) {
  const queryClient = useQueryClient();
  const { id, arquivo, proximos } = delivery;
  const [status, setStatus] = useState(proximos[0] ?? delivery.status);
  const [receipt, setReceipt] = useState(delivery.recibo ?? '');
  const [hash, setHash] = useState(delivery.hashLivro ?? '');
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const record = async () => {
    try {
      const body = { status, recibo: given(receipt), hashLivro: given(hash) };
      await api.reports.recordRegulatoryDelivery({ path: { id }, body });
    } catch (error) {
      setProblems(problemsOf(error));
      throw error;
    }
    await queryClient.invalidateQueries({ queryKey: [DELIVERIES_KEY] });
    toast('Entrega registrada');
  };
  return (
    <ConfirmDialog
      title={`Registrar a entrega: ${nameOfFiling(delivery)}`}
      action="Registrar"
      onConfirm={record}
      onClose={onClose}
    >
      <SelectField
        label="Situação"
        value={status}
        onChange={setStatus}
        problem={problems.status}
        choices={[delivery.status, ...proximos].map((value) => ({ value, text: STATES[value] }))}
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
    </ConfirmDialog>
  );
}

function given(text: string): string | undefined {
  return text.trim() === '' ? undefined : text.trim();
}
