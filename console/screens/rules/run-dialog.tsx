import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../data/client.ts';
import { usePlace } from '../../data/place.ts';
import { useSearchParams } from '../../data/search-params.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useFollow } from '../../ui/follow.ts';
import { monthTitle } from '../../ui/format.ts';
import { useKeys } from '../../ui/keys.tsx';
import { Progress } from '../../ui/progress.tsx';
import { messageOf } from '../../ui/states.tsx';
import { SelectField } from '../../ui/text-field.tsx';
import { branchIdQuery, choicesQuery } from './rules-data.ts';

interface Job {
  readonly jobid: number;
  readonly status: 'PENDING' | 'RUNNING' | 'DONE' | 'ERROR';
  readonly percent: number;
  readonly message: string | null;
  readonly processes: readonly number[];
}

function goesOn({ status }: Job): boolean {
  return status === 'PENDING' || status === 'RUNNING';
}

/** Runs the rules of a document over the branch's month, and follows it to its result. */
export function RunDialog({ onClose }: { readonly onClose: () => void }) {
  const { company, branch, month } = usePlace();
  const [, setSearch] = useSearchParams();
  const queries = useQueryClient();
  const { data: choices, error: withoutChoices } = useQuery(choicesQuery);
  const { data: branchid, error: withoutBranch } = useQuery(branchIdQuery(company, branch));
  const [documentid, setDocumentid] = useState('');
  const [job, setJob] = useState<Job>();
  const [error, setError] = useState<unknown>();
  const document = documentid === '' ? choices?.documents[0]?.id : Number(documentid);
  const isRunning = job !== undefined && goesOn(job);

  const end = async ({ status, message, processes }: Job) => {
    if (status === 'ERROR') setError(new Error(message ?? 'As regras não terminaram.'));
    if (status === 'DONE' && processes.length === 0)
      setError(new Error('O mês não está consolidado: nada a conferir.'));
    if (status !== 'DONE' || processes.length === 0) return;
    await queries.invalidateQueries();
    onClose();
    setSearch({ ver: 'resultados', processo: String(processes[0]) }, { push: true });
  };
  const following = useFollow(
    isRunning && ((signal) => api.compliance.followRun.events({ path: { jobid: job.jobid } }, { signal })),
    [job?.jobid],
    ({ data }) => {
      const state = (typeof data === 'string' ? JSON.parse(data) : data) as Job;
      setJob(state);
      if (!goesOn(state)) void end(state);
      return goesOn(state);
    },
  );
  const run = async () => {
    if (document === undefined || typeof branchid !== 'number' || isRunning) return;
    setError(undefined);
    try {
      const body = { refmonth: month, branchid, documentid: document };
      const queued = (await api.compliance.runRules({ query: { async: 'true' }, body })) as unknown as Job;
      setJob(queued);
      if (queued.status === 'DONE') await end(queued);
    } catch (failure) {
      setError(failure);
    }
  };
  // Enter opens the list of documents.
  useKeys([{ keys: 'Ctrl+Enter', run: () => void run() }], 'dialog');
  const refusal = error ?? following.error ?? withoutChoices ?? withoutBranch;
  return (
    <Dialog
      title={`Rodar as regras em ${monthTitle(month)}`}
      onClose={onClose}
      onSubmit={() => void run()}
      actions={
        <>
          <Button onClick={onClose}>Fechar</Button>
          <Button type="submit" kind="primary" icon="rules" busy={isRunning}>
            Rodar
          </Button>
        </>
      }
    >
      <p>Todas as regras do documento que valem no mês, sobre a filial {branch}. O resultado fica guardado.</p>
      <p className="field-hint">
        <kbd>Ctrl Enter</kbd> roda.
      </p>
      <SelectField
        label="Documento"
        value={document === undefined ? '' : String(document)}
        onChange={setDocumentid}
        choices={(choices?.documents ?? []).map(({ id, code, name }) => ({
          value: String(id),
          text: `${code} · ${name}`,
        }))}
      />
      {isRunning && <Progress label="Regras" done={job.percent} of={100} />}
      {refusal !== undefined && refusal !== null && (
        <p className="field-problem" role="alert">
          {messageOf(refusal)}
        </p>
      )}
    </Dialog>
  );
}
