import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../data/client.ts';
import { usePlace } from '../../data/place.ts';
import { useSearchParams } from '../../data/search-params.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { problemsOf } from '../../ui/field.tsx';
import { FileImport } from '../../ui/file-import.tsx';
import { countText } from '../../ui/format.ts';
import { messageOf } from '../../ui/states.tsx';
import { CheckField, SelectField, TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast.tsx';
import type { Chart } from './chart-data.ts';

interface OfChartProps {
  readonly chart: string;
  readonly onClose: () => void;
}

/** A chart from a file: tried first, then written. */
export function ImportDialog({ chart, onClose }: OfChartProps) {
  const queries = useQueryClient();
  const [keepsDigits, setKeepsDigits] = useState(false);
  const confirmed = keepsDigits ? 'true' : 'false';
  return (
    <FileImport
      title={`Importar contas para ${chart}`}
      hint="CSV com código, nome, tipo, natureza e classe; a primeira linha dá os nomes das colunas."
      what="contas"
      send={(file, dryRun, signal) =>
        api.masterdata.importAccounts(
          { query: { chart, confirmed, dryRun: dryRun ? 'true' : 'false' }, body: { file } },
          { signal },
        )
      }
      of={confirmed}
      onDone={() => queries.invalidateQueries()}
      onClose={onClose}
    >
      <CheckField label="Manter dígitos verificadores que não conferem" value={keepsDigits} onChange={setKeepsDigits} />
    </FileImport>
  );
}

/** Maps the accounts to a reference chart where the code decides it. */
export function MapDialog({ chart, onClose }: OfChartProps) {
  const queries = useQueryClient();
  const [reference, setReference] = useState('');
  const [result, setResult] = useState<{ mapped: number; alreadyMapped: number; unmapped: number }>();
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const { data: references = [] } = useQuery({
    queryKey: ['records', 'planos-referenciais', 'map'],
    queryFn: ({ signal }) => api.masterdata.listReferenceCharts({}, { signal }),
  });
  const map = async () => {
    if (reference === '' || busy) return;
    setBusy(true);
    setError(undefined);
    try {
      setResult(await api.masterdata.mapReferenceChart({ path: { planRef_uuid: reference }, query: { chart } }));
      await queries.invalidateQueries();
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={`Mapa referencial de ${chart}`}
      onClose={onClose}
      onSubmit={() => void map()}
      actions={
        <>
          <Button onClick={onClose}>Fechar</Button>
          <Button type="submit" kind="primary" busy={busy} disabled={reference === ''}>
            Mapear
          </Button>
        </>
      }
    >
      <p>Cada conta recebe a conta referencial que o seu código decide. As que já têm uma ficam como estão.</p>
      {references.length === 0 ? (
        <p>Nenhum plano referencial: crie um em Cadastros, Planos referenciais, e importe as suas contas.</p>
      ) : (
        <SelectField
          label="Plano referencial"
          value={reference}
          onChange={setReference}
          choices={[
            { value: '', text: '—' },
            ...references.map(({ planRef_uuid, code, name }) => ({ value: planRef_uuid, text: `${code} · ${name}` })),
          ]}
        />
      )}
      {result && (
        <p role="status">
          {countText(result.mapped)} mapeadas agora, {countText(result.alreadyMapped)} já mapeadas,{' '}
          {countText(result.unmapped)} sem conta referencial.
        </p>
      )}
      {error !== undefined && (
        <p className="field-problem" role="alert">
          {messageOf(error)}
        </p>
      )}
    </Dialog>
  );
}

/** A chart of the company's own: a copy of another, or empty until its first account or a file comes. */
export function NewChartDialog({
  charts,
  onClose,
}: {
  readonly charts: readonly Chart[];
  readonly onClose: () => void;
}) {
  const { company } = usePlace();
  const queries = useQueryClient();
  const [, setSearch] = useSearchParams();
  const [code, setCode] = useState('');
  const [from, setFrom] = useState('');
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const problems = problemsOf(error);
  const create = async () => {
    const to = code.trim();
    if (to === '' || busy) return;
    setBusy(true);
    try {
      if (from !== '') {
        const { accounts } = await api.masterdata.copyChart({ body: { from, to, company } });
        await queries.invalidateQueries();
        toast(`${to}: ${countText(accounts)} contas copiadas de ${from}.`);
      }
      onClose();
      setSearch({ plano: to, conta: from === '' ? 'nova' : undefined, filtro: undefined }, { push: true });
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  return (
    <Dialog
      title="Novo plano de contas"
      onClose={onClose}
      onSubmit={() => void create()}
      actions={
        <>
          <Button onClick={onClose}>Cancelar</Button>
          <Button type="submit" kind="primary" busy={busy} disabled={code.trim() === ''}>
            Criar
          </Button>
        </>
      }
    >
      <TextField label="Código do plano" value={code} onChange={setCode} problem={problems.to} />
      <SelectField
        label="Contas"
        value={from}
        onChange={setFrom}
        problem={problems.from}
        choices={[
          { value: '', text: 'Vazio: começa com a primeira conta' },
          ...charts.map(({ chartCode }) => ({ value: chartCode, text: `Cópia de ${chartCode}` })),
        ]}
      />
      {error !== undefined && (
        <p className="field-problem" role="alert">
          {messageOf(error)}
        </p>
      )}
    </Dialog>
  );
}
