import { useQuery } from '@tanstack/react-query';
import { balanceMark, importsMark, isDifferent, openedMark } from '../../data/month-steps.ts';
import type { BranchOverview } from '../../data/months.ts';
import { usePlace } from '../../data/place.ts';
import { branchMonthsQuery } from '../../data/queries.ts';
import { useMay } from '../../data/session.ts';
import { Amount } from '../../ui/amount.tsx';
import { Button } from '../../ui/button.tsx';
import { centavosOf, countText, instantText, monthTitle } from '../../ui/format.ts';
import { PlaceLink } from '../../ui/place-link.tsx';
import { Failure } from '../../ui/states.tsx';
import { CloseStep } from './close-step.tsx';
import type { useCloseDay, useCloseMonth, useOpenMonth, useReopenDay } from './closing-actions.ts';
import { DaysStep } from './days-step.tsx';
import { FindingList, ownFindings, useChecklist } from './findings.tsx';
import { ReportsStep } from './reports-step.tsx';
import { RulesStep, type useRunRules } from './rules-step.tsx';
import { SealStep } from './seal-step.tsx';
import { Step } from './step.tsx';

export interface ClosingActions {
  readonly closeDay: ReturnType<typeof useCloseDay>;
  readonly reopenDay: ReturnType<typeof useReopenDay>;
  readonly closeMonth: ReturnType<typeof useCloseMonth>;
  readonly openMonth: ReturnType<typeof useOpenMonth>;
  readonly runRules: ReturnType<typeof useRunRules>;
}

interface ClosingPanelProps {
  readonly overview: BranchOverview;
  readonly actions: ClosingActions;
  readonly onPreview: () => void;
  readonly onPrint: () => void;
}

/** The steps of the marked branch, in the order in which a month is closed. */
export function ClosingPanel({ overview, actions, onPreview, onPrint }: ClosingPanelProps) {
  const { branch, state } = overview;
  const checklist = useChecklist(branch, state !== 'NOT_OPENED');
  const findings = checklist.data?.findings ?? [];
  const left = ownFindings(findings);
  return (
    <ol className="steps">
      <OpenedStep overview={overview} openMonth={actions.openMonth} />
      <DaysStep overview={overview} closeDay={actions.closeDay} reopenDay={actions.reopenDay} />
      <ImportsStep overview={overview} />
      <BalanceStep overview={overview} />
      {state !== 'NOT_OPENED' && (
        <Step
          title="Roteiro de fechamento"
          tone={left.length === 0 ? 'done' : left.some((each) => each.state === 'BLOCKED') ? 'wrong' : 'open'}
          state={left.length === 0 ? 'em ordem' : 'há pendências'}
        >
          {checklist.error ? <Failure error={checklist.error} onRepeat={() => checklist.refetch()} /> : null}
          {checklist.data !== undefined && left.length === 0 && <p>Nada pendente nas conferências.</p>}
          <FindingList branch={branch} findings={left} />
        </Step>
      )}
      <CloseStep
        overview={overview}
        findings={findings}
        closeMonth={actions.closeMonth}
        openMonth={actions.openMonth}
        onPreview={onPreview}
      />
      <SealStep overview={overview} />
      <RulesStep overview={overview} run={actions.runRules} />
      <ReportsStep overview={overview} onPrint={onPrint} />
    </ol>
  );
}

interface OpenedStepProps {
  readonly overview: BranchOverview;
  readonly openMonth: ReturnType<typeof useOpenMonth>;
}

function OpenedStep({ overview, openMonth }: OpenedStepProps) {
  const { company, month } = usePlace();
  const mayOpen = useMay('MONTH_OPENING');
  const { branch, state, openedAt, logicalEntries, batches } = overview;
  const { data: months } = useQuery(branchMonthsQuery(company, branch));
  const { tone, text } = openedMark(overview);
  const next = months?.next;
  return (
    <Step title="Mês aberto" tone={tone} state={text}>
      {state !== 'NOT_OPENED' && (
        <p>
          {`${countText(logicalEntries)} lançamentos em ${countText(batches)} ${batches === 1 ? 'lote' : 'lotes'}`}
          {openedAt !== null && <small>{`aberto em ${instantText(openedAt)}`}</small>}
        </p>
      )}
      {state === 'NOT_OPENED' && next === month && mayOpen && (
        <div className="step-actions">
          <Button
            kind="primary"
            icon="plus"
            busy={openMonth.isPending}
            onClick={() => openMonth.mutate({ branch, month })}
          >{`Abrir ${monthTitle(month)}`}</Button>
        </div>
      )}
      {state === 'NOT_OPENED' && next !== undefined && next < month && (
        <p className="step-blocked">
          Antes abra <PlaceLink to={{ branch, month: next, screen: 'fechamento' }}>{monthTitle(next)}</PlaceLink>.
        </p>
      )}
      {state === 'NOT_OPENED' && next !== undefined && next > month && <p>A filial começou depois deste mês.</p>}
    </Step>
  );
}

function ImportsStep({ overview }: { readonly overview: BranchOverview }) {
  const { branch, imports } = overview;
  const { tone } = importsMark(overview);
  const { done, refused } = imports;
  return (
    <Step
      title="Importações sem erro"
      tone={refused === 0 && overview.state !== 'NOT_OPENED' ? 'done' : tone}
      state={refused === 0 ? 'em ordem' : 'há recusadas'}
    >
      {overview.state !== 'NOT_OPENED' && (
        <p>
          {refused > 0
            ? `${countText(refused)} de ${countText(done + refused)} recusadas; nada delas foi gravado. `
            : done > 0
              ? 'Todas gravadas por inteiro. '
              : 'Nenhum arquivo importado. '}
          {refused > 0 && <PlaceLink to={{ branch, screen: 'importar' }}>Corrigir e importar de novo</PlaceLink>}
        </p>
      )}
    </Step>
  );
}

function BalanceStep({ overview }: { readonly overview: BranchOverview }) {
  const { branch, state, totalDebit, difference, logicalEntries } = overview;
  const { tone, text } = balanceMark(overview);
  return (
    <Step title="Débitos = créditos" tone={tone} state={text}>
      {state !== 'NOT_OPENED' && logicalEntries > 0 && (
        <p>
          {isDifferent(difference) ? (
            <>
              A diferença é de <Amount value={centavosOf(difference)} side />.{' '}
              <PlaceLink to={{ branch, screen: 'lancamentos' }}>Ver os lançamentos</PlaceLink>
            </>
          ) : (
            <>
              <Amount value={centavosOf(totalDebit)} /> de cada lado
            </>
          )}
        </p>
      )}
    </Step>
  );
}
