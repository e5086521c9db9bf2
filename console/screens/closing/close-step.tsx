import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { addMonths, type Month } from '../../../src/accounting/period.ts';
import { api } from '../../data/client.ts';
import { closedMark } from '../../data/month-steps.ts';
import { type BranchOverview, isUnderWay, type MonthCloseRun } from '../../data/months.ts';
import { useMonthsChanged } from '../../data/months-changed.ts';
import { usePlace } from '../../data/place.ts';
import { branchMonthsQuery, MONTHS_KEY } from '../../data/queries.ts';
import { useMay } from '../../data/session.ts';
import { Button } from '../../ui/button.tsx';
import { useFollow } from '../../ui/follow.ts';
import { countText, instantText, monthTitle } from '../../ui/format.ts';
import { PlaceLink } from '../../ui/place-link.tsx';
import { Progress } from '../../ui/progress.tsx';
import { messageOf } from '../../ui/states.tsx';
import type { useCloseMonth, useOpenMonth } from './closing-actions.ts';
import type { Finding } from './findings.tsx';
import { PurgeDialog } from './purge-dialog.tsx';
import { ReopenDialog } from './reopen-dialog.tsx';
import { Step } from './step.tsx';

interface CloseStepProps {
  readonly overview: BranchOverview;
  readonly findings: readonly Finding[];
  readonly closeMonth: ReturnType<typeof useCloseMonth>;
  readonly openMonth: ReturnType<typeof useOpenMonth>;
  readonly onPreview: () => void;
}

/** The close itself: what stands against it, how far it is, and what may be done to a closed month. */
export function CloseStep({ overview, findings, closeMonth, openMonth, onPreview }: CloseStepProps) {
  const { company, month } = usePlace();
  const mayClose = useMay('CONSOLIDATION');
  const { branch, state } = overview;
  const { data: months } = useQuery(branchMonthsQuery(company, branch));
  const runs = useRuns(branch, state !== 'NOT_OPENED');
  const running = runs?.find(isUnderWay);
  const blocked = findings.filter(({ state: each }) => each === 'BLOCKED');
  const before = months?.firstOpen !== undefined && months.firstOpen < month ? months.firstOpen : undefined;
  const refusal = closeMonth.error && closeMonth.variables?.branch === branch ? closeMonth.error : undefined;
  const { tone, text } = closedMark(overview);
  return (
    <Step title="Consolidado" tone={tone} state={text}>
      {state === 'CLOSED' && <Closed overview={overview} />}
      {state === 'OPEN' && running === undefined && <p>Calcula e congela os saldos do mês.</p>}
      {running !== undefined && <RunProgress key={running.id} run={running} />}
      {state === 'OPEN' && running === undefined && (
        <>
          <Failed run={runs?.[0]} refusal={refusal} />
          {before !== undefined && (
            <p className="step-blocked">
              Antes consolide{' '}
              <PlaceLink to={{ branch, month: before, screen: 'fechamento' }}>{monthTitle(before)}</PlaceLink>.
            </p>
          )}
          {blocked.map(({ code, title, count }) => (
            <p key={code} className="step-blocked">{`Impedido por: ${title} (${countText(count)})`}</p>
          ))}
          <div className="step-actions">
            {mayClose && (
              <Button
                kind="primary"
                icon="closing"
                busy={closeMonth.isPending}
                disabled={before !== undefined}
                onClick={() => closeMonth.mutate({ branch })}
              >{`Consolidar ${monthTitle(month)}`}</Button>
            )}
            <Button onClick={onPreview}>Ver a prévia</Button>
          </div>
        </>
      )}
      {state === 'CLOSED' && <AfterClose overview={overview} months={months} openMonth={openMonth} />}
      {runs !== undefined && runs.length > 1 && <Runs runs={runs} />}
    </Step>
  );
}

/** The closes of the branch's month, newest first: after a reload the running one is found here. */
function useRuns(branch: string, isOpened: boolean): readonly MonthCloseRun[] | undefined {
  const { company, month } = usePlace();
  return useQuery({
    queryKey: [MONTHS_KEY, company, 'runs', branch, month],
    enabled: isOpened,
    queryFn: ({ signal }) => api.movements.listMonthCloses({ path: { company, branch }, query: { month } }, { signal }),
  }).data;
}

/** A running close as its events tell it. */
function RunProgress({ run }: { readonly run: MonthCloseRun }) {
  const [state, setState] = useState(run);
  const changed = useMonthsChanged();
  const { error } = useFollow(
    (signal) => api.movements.followMonthClose.events({ path: { id: run.id } }, { signal }),
    [run.id],
    ({ data }) => {
      const next = data as MonthCloseRun;
      setState(next);
      const goesOn = isUnderWay(next);
      if (!goesOn) void changed();
      return goesOn;
    },
  );
  const { percent, linesRead, accountsWritten } = state.progress;
  const words =
    state.status === 'PENDING'
      ? 'Na fila'
      : `Consolidando: ${countText(linesRead)} partidas lidas, ${countText(accountsWritten)} contas gravadas`;
  return (
    <div aria-live="polite">
      <Progress label={words} {...(state.status === 'PENDING' ? {} : { done: percent, of: 100 })} />
      {error !== undefined && <p className="field-problem">{messageOf(error)}</p>}
    </div>
  );
}

/** Why the close that was asked for, or the last one, did not come about. */
function Failed({ run, refusal }: { readonly run: MonthCloseRun | undefined; readonly refusal: Error | undefined }) {
  if (refusal !== undefined) {
    return (
      <p className="field-problem" role="alert">
        {messageOf(refusal)}
      </p>
    );
  }
  if (run?.status !== 'ERROR') return null;
  return (
    <p className="field-problem" role="alert">
      {`Não consolidou em ${instantText(run.finishedAt ?? run.requestedAt)}: ${run.message ?? 'sem motivo registrado'}`}
    </p>
  );
}

function Closed({ overview: { consolidatedAt, consolidatedBy, purged } }: { readonly overview: BranchOverview }) {
  return (
    <p>
      {consolidatedAt !== null && `Em ${instantText(consolidatedAt)}`}
      {consolidatedBy !== null && ` por ${consolidatedBy}`}
      {purged && '. Os lançamentos estão expurgados.'}
    </p>
  );
}

interface AfterCloseProps {
  readonly overview: BranchOverview;
  readonly months:
    | { readonly firstOpen: Month | undefined; readonly last: Month | undefined; readonly next: Month | undefined }
    | undefined;
  readonly openMonth: ReturnType<typeof useOpenMonth>;
}

/** Opening the next month, opening this one again, and the archive. */
function AfterClose({ overview, months, openMonth }: AfterCloseProps) {
  const { month } = usePlace();
  const [asked, setAsked] = useState<'reopen' | 'purge'>();
  const mayOpen = useMay('MONTH_OPENING');
  const mayReopen = useMay('REOPENING');
  const mayPurge = useMay('PURGING');
  const { branch, purged } = overview;
  const lastClosed = months && (months.firstOpen === undefined ? months.last : addMonths(months.firstOpen, -1));
  const next = addMonths(month, 1);
  return (
    <div className="step-actions">
      {mayOpen && months?.next === next && (
        <Button
          icon="plus"
          busy={openMonth.isPending}
          onClick={() => openMonth.mutate({ branch, month: next })}
        >{`Abrir ${monthTitle(next)}`}</Button>
      )}
      {mayOpen && mayReopen && lastClosed === month && !purged && (
        <Button kind="danger" onClick={() => setAsked('reopen')}>
          Reabrir…
        </Button>
      )}
      {mayPurge && (
        <Button kind="danger" onClick={() => setAsked('purge')}>
          {purged ? 'Trazer do expurgo…' : 'Expurgar…'}
        </Button>
      )}
      {asked === 'reopen' && <ReopenDialog branch={branch} onClose={() => setAsked(undefined)} />}
      {asked === 'purge' && <PurgeDialog overview={overview} onClose={() => setAsked(undefined)} />}
    </div>
  );
}

function Runs({ runs }: { readonly runs: readonly MonthCloseRun[] }) {
  return (
    <details className="runs">
      <summary>{`${countText(runs.length)} execuções`}</summary>
      <ul>
        {runs.map(({ id, status, requestedAt, requestedBy, message }) => (
          <li key={id}>
            {`${instantText(requestedAt)} · ${requestedBy} · ${RUN_WORDS[status]}`}
            {message !== null && <small>{message}</small>}
          </li>
        ))}
      </ul>
    </details>
  );
}

const RUN_WORDS: Readonly<Record<MonthCloseRun['status'], string>> = {
  PENDING: 'na fila',
  RUNNING: 'em curso',
  DONE: 'consolidou',
  ERROR: 'não consolidou',
};
