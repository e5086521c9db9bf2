import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { addMonths, type Month, slashOf } from '../../src/accounting/period.ts';
import { api } from '../data/client.ts';
import type { EcdResult, EcdJob as Job } from '../data/ecd-file.ts';
import type { Place } from '../data/place.ts';
import { Badge } from './badge.tsx';
import { Button } from './button.tsx';
import { EcdFindings } from './ecd-findings.tsx';
import { useFollow } from './follow.ts';
import { countText } from './format.ts';
import { Progress } from './progress.tsx';
import { Panel } from './screen.tsx';
import { messageOf } from './states.tsx';
import { SelectField } from './text-field.tsx';
import './ecd-import.css';

type Contents = 'TUDO' | 'SALDOS';
type Hierarchy = 'ARQUIVO' | 'CODIGO';

const CONTENTS = [
  { value: 'TUDO', text: 'Saldos iniciais e todos os lançamentos' },
  { value: 'SALDOS', text: 'Só os saldos finais, sem lançamentos' },
] as const;

const HIERARCHIES = [
  { value: 'ARQUIVO', text: 'A que o arquivo indica' },
  { value: 'CODIGO', text: 'A que o código da conta indica' },
] as const;

interface EcdImportProps extends Pick<Place, 'company' | 'branch'> {
  readonly file: File;
  /** The books are there; with the month to go on in. */
  readonly onDone: (month: Month | undefined) => void;
  readonly onClose: () => void;
}

/** A bookkeeping file: tried as soon as it is here, with its findings and its proof, and imported when nothing stands against it. */
export function EcdImport({ company, branch, file, onDone, onClose }: EcdImportProps) {
  const [contents, setContents] = useState<Contents>('TUDO');
  const [hierarchy, setHierarchy] = useState<Hierarchy>('ARQUIVO');
  const [job, setJob] = useState<Job>();
  const [error, setError] = useState<unknown>();
  const queries = useQueryClient();
  const send = async (isTrial: boolean) => {
    setError(undefined);
    setJob(undefined);
    try {
      const query = {
        simular: truth(isTrial),
        somenteSaldos: truth(contents === 'SALDOS'),
        hierarquia: hierarchy,
        plano: `PLANO-${company}`,
      };
      setJob(await api.movements.importEcd({ path: { company, branch }, query, body: { file } }));
    } catch (failure) {
      setError(failure);
    }
  };
  const end = async ({ simular, status, mensagem, resultado }: Job) => {
    if (status === 'ERROR') setError(new Error(mensagem ?? 'A importação não terminou.'));
    if (simular || !resultado?.importado) return;
    await queries.invalidateQueries();
    onDone(monthAfter(resultado));
  };
  const isRunning = job !== undefined && goesOn(job);
  const following = useFollow(
    isRunning && ((signal) => api.movements.followEcdImport.events({ path: { id: job.id } }, { signal })),
    [job?.id],
    ({ data }) => {
      const state = (typeof data === 'string' ? JSON.parse(data) : data) as Job;
      setJob(state);
      if (!goesOn(state)) void end(state);
      return goesOn(state);
    },
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: tried again when the file or its options change
  useEffect(() => void send(true), [file, contents, hierarchy]);
  const failure = error ?? following.error;
  const isBusy = isRunning || (job === undefined && failure === undefined);
  return (
    <Panel title={`ECD: ${file.name}`}>
      <div className="ecd-options">
        <SelectField
          label="O que importar"
          disabled={isBusy}
          value={contents}
          onChange={setContents}
          choices={CONTENTS}
        />
        <SelectField
          label="Conta superior"
          disabled={isBusy}
          value={hierarchy}
          onChange={setHierarchy}
          choices={HIERARCHIES}
        />
      </div>
      {isBusy && <Progress label={stepText(job)} />}
      {failure !== undefined && (
        <p className="field-problem" role="alert">
          {messageOf(failure)}
        </p>
      )}
      {job?.resultado && <Outcome result={job.resultado} />}
      <div className="ecd-actions">
        {failure === undefined ? (
          <Button
            kind="primary"
            icon="import"
            busy={isBusy}
            disabled={job?.resultado?.impeditivos !== 0}
            onClick={() => void send(false)}
          >
            Importar
          </Button>
        ) : (
          <Button kind="primary" onClick={() => void send(true)}>
            Conferir de novo
          </Button>
        )}
        <Button disabled={isRunning && job.simular === false} onClick={onClose}>
          Escolher outro arquivo
        </Button>
      </div>
    </Panel>
  );
}

function truth(is: boolean): 'true' | 'false' {
  return is ? 'true' : 'false';
}

function goesOn({ status }: Job): boolean {
  return status === 'PENDING' || status === 'RUNNING';
}

/** Where work goes on: balances alone begin the month after. */
function monthAfter({ fim, criados }: EcdResult): Month | undefined {
  if (fim === null) return undefined;
  return criados?.partidas === 0 ? addMonths(fim as Month, 1) : (fim as Month);
}

const STEPS = {
  LENDO: 'Lendo e conferindo o arquivo',
  CADASTROS: 'Plano de contas e cadastros',
  LANCAMENTOS: 'Lançamentos',
  PROVA: 'Provando os saldos, conta por conta e mês por mês',
} as const;

function stepText(job: Job | undefined): string {
  if (job === undefined) return 'Enviando o arquivo';
  if (job.etapa === null) return 'Na fila';
  return job.linhas === 0 ? STEPS[job.etapa] : `${STEPS[job.etapa]}: ${countText(job.linhas)} partidas`;
}

/** What it holds, what the proof says, and what was found. */
function Outcome({ result }: { readonly result: EcdResult }) {
  const { impeditivos, criados, prova } = result;
  return (
    <section className="ecd-outcome" aria-label="Conferência da ECD">
      <p>
        {impeditivos === 0 ? (
          <Badge tone="done">pode ser importada</Badge>
        ) : (
          <Badge tone="wrong">{impeditivos === 1 ? '1 impedimento' : `${countText(impeditivos)} impedimentos`}</Badge>
        )}{' '}
        {periodText(result)}
      </p>
      {prova !== null && prova.meses > 0 && (
        <p className={prova.diferencas === 0 ? 'ecd-proven' : 'field-problem'}>
          Prova: {countText(prova.contas)} contas em {countText(prova.meses)} meses comparadas com os saldos do próprio
          arquivo, {differencesText(prova.diferencas)}.
        </p>
      )}
      {criados !== null && (
        <dl className="ecd-created">
          {CREATED.map(([name, text]) => (
            <div key={name}>
              <dt>{text}</dt>
              <dd>{countText(criados[name])}</dd>
            </div>
          ))}
        </dl>
      )}
      <EcdFindings findings={result.achados} counts={result.contagens} />
    </section>
  );
}

const CREATED = [
  ['contas', 'Contas novas'],
  ['saldosIniciais', 'Saldos iniciais'],
  ['meses', 'Meses abertos'],
  ['lancamentos', 'Lançamentos'],
  ['partidas', 'Partidas'],
  ['historicos', 'Históricos'],
  ['demonstracoes', 'Demonstrações'],
  ['signatarios', 'Signatários'],
] as const;

function periodText({ livro, leiaute, inicio, fim }: EcdResult): string {
  const period = inicio !== null && fim !== null ? `, de ${slashOf(inicio as Month)} a ${slashOf(fim as Month)}` : '';
  return `Livro ${livro || '?'}, leiaute ${leiaute || '?'}${period}`;
}

function differencesText(count: number): string {
  if (count === 0) return 'nenhuma diferença';
  return count === 1 ? '1 diferença' : `${countText(count)} diferenças`;
}
