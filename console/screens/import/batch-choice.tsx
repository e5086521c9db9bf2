import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { monthNumberOf, yearOf } from '../../../src/accounting/period.ts';
import { api } from '../../data/client.ts';
import { usePlace } from '../../data/place.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { SelectField, TextField } from '../../ui/text-field.tsx';

interface BatchChoiceProps {
  readonly value: number | undefined;
  readonly onChange: (id: number | undefined) => void;
}

/** The batch that a CSV goes into: one of the month, or a new one. */
export function BatchChoice({ value, onChange }: BatchChoiceProps) {
  const { company, branch, month } = usePlace();
  const [isNew, setNew] = useState(false);
  const queryKey = ['batches', company, branch, month, 'choice'];
  const { data } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const query = { ano: yearOf(month), mes: monthNumberOf(month), size: 500 };
      const page = await api.movements.getBatchPage({ path: { company, branch }, query }, { signal });
      return page.content;
    },
  });
  const first = data?.[0]?.id;
  useEffect(() => {
    if (value === undefined && first !== undefined) onChange(first);
  }, [value, first, onChange]);
  return (
    <>
      {data !== undefined && data.length > 0 && (
        <SelectField
          label="Lote"
          hiddenLabel
          className="batch-choice"
          value={value === undefined ? '' : String(value)}
          onChange={(id) => onChange(Number(id))}
          choices={data.map(({ id, lote, descricao }) => ({
            value: String(id),
            text: `Lote ${lote}${descricao ? ` · ${descricao}` : ''}`,
          }))}
        />
      )}
      <Button icon="plus" onClick={() => setNew(true)}>
        Novo lote
      </Button>
      {isNew && <NewBatch onClose={() => setNew(false)} onMade={onChange} queryKey={queryKey} />}
    </>
  );
}

interface NewBatchProps {
  readonly onClose: () => void;
  readonly onMade: (id: number) => void;
  readonly queryKey: readonly unknown[];
}

function NewBatch({ onClose, onMade, queryKey }: NewBatchProps) {
  const { company, branch, month } = usePlace();
  const [descricao, setDescription] = useState('');
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const queryClient = useQueryClient();
  return (
    <ConfirmDialog
      title="Novo lote"
      action="Criar lote"
      onClose={onClose}
      onConfirm={async () => {
        const body = { empresa: company, filial: branch, ano: yearOf(month), mes: monthNumberOf(month), descricao };
        const { id } = await api.movements.createBatch({ body }, { idempotencyKey });
        await queryClient.invalidateQueries({ queryKey });
        onMade(id);
      }}
    >
      <TextField label="Descrição" value={descricao} onChange={setDescription} maxLength={200} />
    </ConfirmDialog>
  );
}
