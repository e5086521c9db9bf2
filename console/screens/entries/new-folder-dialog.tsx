import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { monthNumberOf, yearOf } from '../../../src/accounting/period.ts';
import { api } from '../../data/client.ts';
import { usePlace } from '../../data/place.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { problemsOf } from '../../ui/field.tsx';
import { messageOf } from '../../ui/states.tsx';
import { SelectField, TextField } from '../../ui/text-field.tsx';
import { BATCHES_KEY, type BatchNode } from './entries-data.ts';

interface NewFolderProps {
  /** batch: a batch and its first document; document: one more in a batch. */
  readonly what: 'batch' | 'document';
  readonly batches: readonly BatchNode[];
  /** The batch that is marked or open. */
  readonly batchId: number | undefined;
  readonly onDone: (documentId: number) => void;
  readonly onClose: () => void;
}

/** A new batch with its first document, or a new document: then entries can be typed. */
export function NewFolderDialog({ what, batches, batchId, onDone, onClose }: NewFolderProps) {
  const { company, branch, month } = usePlace();
  const isBatch = what === 'batch';
  const client = useQueryClient();
  const [into, setInto] = useState(String(batchId ?? batches.at(-1)?.id ?? ''));
  const [number, setNumber] = useState('');
  const [text, setText] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  // One key for each of the two, so that a repeated attempt makes neither of them twice.
  const keys = useRef({ batch: crypto.randomUUID(), document: crypto.randomUUID() });
  const problems = problemsOf(error);
  const changed = () => {
    keys.current = { batch: crypto.randomUUID(), document: crypto.randomUUID() };
    setError(undefined);
  };
  const create = async () => {
    if (busy) return;
    setBusy(true);
    try {
      const place = { empresa: company, filial: branch, ano: yearOf(month), mes: monthNumberOf(month) };
      const document = await createFolder(isBatch ? place : { batchId: Number(into) }, { number, text }, keys.current);
      void client.invalidateQueries({ queryKey: [BATCHES_KEY] });
      onDone(document.id);
      onClose();
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  const known = problems.lote ?? problems.documento ?? problems.descricao ?? problems.texto;
  return (
    <Dialog
      title={isBatch ? 'Novo lote' : 'Novo documento'}
      onClose={onClose}
      onSubmit={create}
      actions={
        <>
          <Button onClick={onClose}>Cancelar</Button>
          <Button type="submit" kind="primary" busy={busy}>
            {isBatch ? 'Criar lote' : 'Criar documento'}
          </Button>
        </>
      }
    >
      {!isBatch && (
        <SelectField
          label="Lote"
          value={into}
          onChange={(value) => {
            setInto(value);
            changed();
          }}
          choices={batches.map((batch) => ({
            value: String(batch.id),
            text: `${batch.number}${batch.text ? ` · ${batch.text}` : ''}`,
          }))}
        />
      )}
      <TextField
        label={isBatch ? 'Número do lote' : 'Número do documento'}
        maxLength={isBatch ? 10 : 20}
        placeholder="o próximo"
        value={number}
        onChange={(value) => {
          setNumber(value);
          changed();
        }}
        problem={problems.lote ?? problems.documento}
        hint="Em branco, recebe o próximo número."
      />
      <TextField
        label={isBatch ? 'Descrição' : 'Texto'}
        maxLength={isBatch ? 200 : 500}
        value={text}
        onChange={(value) => {
          setText(value);
          changed();
        }}
        problem={problems.descricao ?? problems.texto}
      />
      {error !== undefined && known === undefined && (
        <p className="field-problem" role="alert">
          {messageOf(error)}
        </p>
      )}
    </Dialog>
  );
}

type BatchPlace = { readonly empresa: string; readonly filial: string; readonly ano: number; readonly mes: number };

/** The document; in a batch that is made for it where `into` is the place of a new one. */
async function createFolder(
  into: BatchPlace | { readonly batchId: number },
  { number, text }: { readonly number: string; readonly text: string },
  keys: { readonly batch: string; readonly document: string },
) {
  const [code, words] = [number.trim() || null, text.trim() || null];
  const documentKey = { idempotencyKey: keys.document };
  if ('batchId' in into) {
    return api.movements.createDocument({ body: { ...into, documento: code, texto: words } }, documentKey);
  }
  const body = { ...into, lote: code, descricao: words };
  const batch = await api.movements.createBatch({ body }, { idempotencyKey: keys.batch });
  return api.movements.createDocument({ body: { batchId: batch.id } }, documentKey);
}
