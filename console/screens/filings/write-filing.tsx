import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api } from '../../data/client.ts';
import { usePlace } from '../../data/place.ts';
import { useSearchParams } from '../../data/search-params.ts';
import { useMay } from '../../data/session.ts';
import { Button } from '../../ui/button.tsx';
import { DownloadButton } from '../../ui/download.tsx';
import { problemsOf } from '../../ui/field.tsx';
import { countText } from '../../ui/format.ts';
import { PlaceLink } from '../../ui/place-link.tsx';
import { Progress } from '../../ui/progress.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Digest, Facts } from '../../ui/side-panel.tsx';
import { Denied, Empty, Failure, Loading } from '../../ui/states.tsx';
import { ViewChoice } from '../../ui/view-choice.tsx';
import { FilingFindings, FindingPanel, type Found, FoundBadges, type ShownFinding } from './filing-findings.tsx';
import { FILING_VIEWS, type FilingJob, filingKindOf, isWritable, periodOfKind } from './filing-kinds.ts';
import { FilingOptions, type Options, optionsAtFirst } from './filing-options.tsx';
import { DELIVERIES_KEY, isUnderWay, orderFiling, precheckFiling, useFilingJob } from './filings-data.ts';

/** A file is tried as often as one likes, then written: both say what is wrong, and which record to mend. */
export function WriteFiling() {
  const { month } = usePlace();
  const [{ arquivo }] = useSearchParams();
  const kind = filingKindOf(arquivo);
  const mayWrite = useMay('REGULATORY_FILES');
  const [options, setOptions] = useState<Options>(optionsAtFirst);
  const [marked, setMarked] = useState<ShownFinding>();
  const { prechecked, job, error, busy, precheck, write } = useWriting(options);
  const can = mayWrite && isWritable(kind, month) && busy === undefined;
  const written = job?.status === 'DONE' ? job : undefined;
  const isShown = busy === undefined && (prechecked ?? written) !== undefined;
  return (
    <Screen
      title="Obrigações"
      subtitle={`${kind} de ${periodOfKind(kind, month)}`}
      badge={null}
      keys={[
        { keys: 'P', label: 'pré-valida', run: () => can && precheck() },
        { keys: 'Ctrl+Enter', label: 'gera o arquivo', run: () => can && write() },
        { keys: 'Enter', label: 'vai corrigir' },
      ]}
      actions={
        <>
          <ViewChoice views={FILING_VIEWS} value="gerar" />
          <Button icon="check" disabled={!can} busy={busy === 'precheck'} onClick={precheck}>
            Pré-validar
          </Button>
          <Button kind="primary" icon="document" disabled={!can} busy={busy === 'write'} onClick={write}>
            Gerar
          </Button>
        </>
      }
      side={isShown && marked && <FindingPanel finding={marked} />}
    >
      {mayWrite ? (
        <>
          <FilingOptions kind={kind} value={options} onChange={setOptions} problems={problemsOf(error)} />
          {error !== undefined && <Failure error={error} />}
          {busy === 'precheck' && <Loading label="Pré-validando" rows={6} />}
          {busy === 'write' && <Progress label={job ? `${countText(job.linhas)} linhas escritas` : 'na fila'} />}
          {isShown && prechecked && <Prechecked found={prechecked} onMark={setMarked} />}
          {isShown && !prechecked && written && <Written job={written} onMark={setMarked} />}
          {busy === undefined && !isShown && error === undefined && (
            <Empty title="Nada conferido ainda">
              Pré-valide para ver o que falta nos livros e nos cadastros; gere quando não houver erros.
            </Empty>
          )}
        </>
      ) : (
        <Denied routine="REGULATORY_FILES" />
      )}
    </Screen>
  );
}

/** One thing at a time: a precheck, or a file that is being written. */
function useWriting(options: Options) {
  const { company, month } = usePlace();
  const [{ arquivo, pedido }, setSearch] = useSearchParams();
  const queryClient = useQueryClient();
  const followed = useFilingJob();
  const [prechecked, setPrechecked] = useState<Found>();
  const [error, setError] = useState<unknown>();
  const [asking, setAsking] = useState<'precheck' | 'write'>();
  const kind = filingKindOf(arquivo);
  // What was found is true of what was asked for alone.
  // biome-ignore lint/correctness/useExhaustiveDependencies: forgotten when what is asked for changes
  useEffect(() => {
    setPrechecked(undefined);
    setError(undefined);
  }, [kind, company, month, options]);
  // So is what was written: another period has another file.
  const period = `${company} ${kind} ${periodOfKind(kind, month)}`;
  const shown = useRef(period);
  useEffect(() => {
    if (shown.current === period) return;
    shown.current = period;
    setSearch({ pedido: undefined });
  });
  const job = pedido === undefined || shown.current !== period ? undefined : followed.data;
  const isWriting = job !== undefined && isUnderWay(job);
  const delivered = job?.entrega;
  useEffect(() => {
    if (delivered) void queryClient.invalidateQueries({ queryKey: [DELIVERIES_KEY] });
  }, [delivered, queryClient]);
  const asked = { kind, company, month, options: options.ecd };
  const doing = async (what: 'precheck' | 'write', work: () => Promise<void>) => {
    setPrechecked(undefined);
    setError(undefined);
    setAsking(what);
    setSearch({ pedido: undefined });
    try {
      await work();
    } catch (failure) {
      setError(failure);
    } finally {
      setAsking(undefined);
    }
  };
  return {
    ...{ prechecked, job, error: error ?? followed.error ?? failureOf(job) },
    busy: asking ?? (isWriting ? 'write' : undefined),
    precheck: () => void doing('precheck', async () => setPrechecked(await precheckFiling(asked, options.isComplete))),
    write: () =>
      void doing('write', async () => {
        const { id } = await orderFiling(asked, options.withErrors);
        setSearch({ pedido: String(id) });
      }),
  };
}

function failureOf(job: FilingJob | undefined): Error | undefined {
  return job?.status === 'ERROR' ? new Error(job.mensagem ?? 'O arquivo não foi gerado.') : undefined;
}

type OnMark = (finding: ShownFinding | undefined) => void;

function Prechecked({ found, onMark }: { readonly found: Found; readonly onMark: OnMark }) {
  return (
    <>
      <section className="panel filing-outcome" aria-label="Resultado da pré-validação">
        <p role="status">
          <FoundBadges {...found} /> {found.erros === 0 ? 'O arquivo pode ser gerado.' : 'O arquivo sairia com erros.'}
        </p>
      </section>
      <FilingFindings found={found} onMark={onMark} />
    </>
  );
}

/** 'G nº 7'; 'G nº 7 a 18, um por mês' where the file would be too large for one. */
function booksText(books: FilingJob['livros']): string {
  const [first, last] = [books[0]!, books.at(-1)!];
  const several = books.length > 1 ? ` a ${last.numero}, um por mês` : '';
  return `${first.livro} nº ${first.numero}${several}`;
}

const SIGNS: Readonly<Record<NonNullable<FilingJob['sinal']>, string>> = {
  PUBLISHED: 'dos dados abertos do Banco Central',
  DEBIT_NEGATIVE: 'saldos devedores negativos',
  ABSOLUTE: 'sem sinal',
};

function Written({ job, onMark }: { readonly job: FilingJob; readonly onMark: OnMark }) {
  const { id, erros, avisos, achados, contagens, entrega, download, nomeArquivo, linhas, bytes } = job;
  const found = { erros: erros ?? 0, avisos: avisos ?? 0, achados, contagens };
  return (
    <>
      <section className="panel filing-outcome" aria-label="Arquivo gerado">
        <p role="status">
          <FoundBadges {...found} />{' '}
          {entrega === null ? 'O arquivo não foi guardado: corrija os erros e gere de novo.' : nomeArquivo}
        </p>
        {entrega !== null && (
          <Facts
            of={[
              ['Tamanho', `${countText(linhas)} linhas, ${countText(bytes ?? 0)} bytes`],
              ...(job.livros.length === 0 ? [] : [['Livro', booksText(job.livros)] as const]),
              ...(job.remessa === null ? [] : [['Remessa', job.remessa === 'S' ? 'substituição' : 'inicial'] as const]),
              ...(job.sinal === null ? [] : [['Sinal', SIGNS[job.sinal]] as const]),
              ['SHA-256', <Digest key="sha256">{job.sha256}</Digest>],
            ]}
          />
        )}
        {entrega !== null && (
          <p className="filing-actions">
            {download !== null && (
              <DownloadButton from={() => api.reports.downloadFiling.response({ path: { id } })} name={nomeArquivo}>
                Baixar o arquivo
              </DownloadButton>
            )}
            <PlaceLink to={{}} search={{ ver: 'entregas', entrega: String(entrega) }}>
              Registrar o que o regulador responder
            </PlaceLink>
          </p>
        )}
      </section>
      <FilingFindings found={found} onMark={onMark} />
    </>
  );
}
