import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { addMonths, type Day } from '../../../src/accounting/period.ts';
import { type BranchOverview, isUnderWay, monthOverviewsQuery, monthStatesQuery } from '../../data/months.ts';
import { usePlace } from '../../data/place.ts';
import { useMay } from '../../data/session.ts';
import { AwaitingApproval } from '../../ui/awaiting-approval.tsx';
import { Button } from '../../ui/button.tsx';
import { DataGrid } from '../../ui/data-grid.tsx';
import { countText, monthTitle } from '../../ui/format.ts';
import type { KeyBinding } from '../../ui/keys.tsx';
import { Progress } from '../../ui/progress.tsx';
import { Screen } from '../../ui/screen.tsx';
import { SidePanel } from '../../ui/side-panel.tsx';
import { Empty, Result } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { CloseAllDialog, readyBranches } from './close-all.tsx';
import { useCloseDay, useCloseMonth, useOpenMonth, useReopenDay } from './closing-actions.ts';
import { CLOSING_COLUMNS } from './closing-columns.tsx';
import { type ClosingActions, ClosingPanel } from './closing-panel.tsx';
import { PreviewDialog } from './preview-dialog.tsx';
import { PrintDialog } from './reports-step.tsx';
import { useRunRules } from './rules-step.tsx';
import { useClosingWatch } from './use-closing-watch.ts';
import './closing.css';

type Asked = 'all' | 'preview' | 'print';

/** Branches by the steps of a month close; the marked branch's steps beside them. */
export function ClosingScreen() {
  const { company, branch, month } = usePlace();
  const overviews = useQuery(monthOverviewsQuery(company, month));
  const watch = useClosingWatch(overviews.data);
  const states = useQuery(monthStatesQuery(company, addMonths(month, -1), month));
  const [marked, setMarked] = useState<string>();
  const [asked, setAsked] = useState<Asked>();
  const actions: ClosingActions = {
    closeDay: useCloseDay(),
    reopenDay: useReopenDay(),
    closeMonth: useCloseMonth(watch.expect),
    openMonth: useOpenMonth(),
    runRules: useRunRules(),
  };
  const panel = useRef<HTMLDivElement>(null);
  const rows = overviews.data;
  const overview = rows?.find((each) => each.branch === (marked ?? branch)) ?? rows?.[0];
  const mayClose = useMay('CONSOLIDATION');
  const ready = readyBranches(rows ?? [], states.data ?? [], month);
  const focusStep = () => panel.current?.querySelector<HTMLElement>('.step-actions button:enabled')?.focus();
  const keys = useClosingKeys({ overview, actions, ask: setAsked });
  const close = () => setAsked(undefined);
  return (
    <Screen
      title="Fechamento"
      subtitle={monthTitle(month)}
      badge={null}
      keys={keys}
      actions={
        mayClose && ready.length > 0 ? (
          <Button icon="play" onClick={() => setAsked('all')}>
            {ready.length === 1
              ? 'Consolidar a filial pronta'
              : `Consolidar as ${countText(ready.length)} filiais prontas`}
          </Button>
        ) : undefined
      }
      side={
        overview && (
          <SidePanel title={`Filial ${overview.branch}`}>
            <div ref={panel}>
              <ClosingPanel
                key={overview.branch}
                overview={overview}
                actions={actions}
                onPreview={() => setAsked('preview')}
                onPrint={() => setAsked('print')}
              />
            </div>
          </SidePanel>
        )
      }
    >
      {watch.total > 1 && (
        <div className="panel">
          <Progress
            label={`Consolidando ${monthTitle(month)} nas filiais`}
            done={watch.total - watch.left}
            of={watch.total}
          />
        </div>
      )}
      <AwaitingApproval />
      <Result query={overviews} rows={6}>
        {(found) => (
          <DataGrid
            label="Filiais por passo do fechamento"
            rows={found}
            columns={CLOSING_COLUMNS}
            keyOf={({ branch: code }) => code}
            startAt={branch}
            onMark={(row) => row && setMarked(row.branch)}
            onOpen={focusStep}
            empty={
              <Empty title="Nenhuma filial com livros">
                Uma filial aparece aqui quando tem plano de contas e mês base em suas opções.
              </Empty>
            }
          />
        )}
      </Result>
      {asked === 'all' && <CloseAllDialog branches={ready} closeMonth={actions.closeMonth} onClose={close} />}
      {asked === 'preview' && overview && <PreviewDialog branch={overview.branch} onClose={close} />}
      {asked === 'print' && overview && <PrintDialog overview={overview} onClose={close} />}
    </Screen>
  );
}

interface KeyContext {
  readonly overview: BranchOverview | undefined;
  readonly actions: ClosingActions;
  readonly ask: (dialog: Asked) => void;
}

/** A key that has nothing to do says why. */
function useClosingKeys({ overview, actions, ask }: KeyContext): readonly KeyBinding[] {
  const mayCloseDay = useMay('CALENDAR_CLOSE');
  const mayClose = useMay('CONSOLIDATION');
  const why = (text: string) => toast(text, { tone: 'wrong' });
  const withBranch = (run: (overview: BranchOverview) => void) => () => overview && run(overview);
  return [
    { keys: ['ArrowUp', 'ArrowDown'], shown: '↑ ↓', label: 'filial' },
    { keys: 'Enter', label: 'abre o passo' },
    ...(mayCloseDay
      ? [
          {
            keys: 'F',
            alone: true,
            label: 'fecha o dia',
            run: withBranch(({ branch, currentDay }) => {
              if (actions.closeDay.isPending) return;
              if (currentDay === null) why(`A filial ${branch} não tem dia em aberto neste mês.`);
              else actions.closeDay.mutate({ branch, day: currentDay as Day });
            }),
          },
        ]
      : []),
    ...(mayClose
      ? [
          {
            keys: 'G',
            alone: true,
            label: 'consolida',
            run: withBranch(({ branch, state, lastRun }) => {
              if (actions.closeMonth.isPending) return;
              if (state !== 'OPEN') why(`O mês não está aberto na filial ${branch}.`);
              else if (isUnderWay(lastRun)) why(`A filial ${branch} já está consolidando.`);
              else actions.closeMonth.mutate({ branch });
            }),
          },
        ]
      : []),
    {
      keys: 'P',
      label: 'prévia',
      run: withBranch(({ branch, state }) => {
        if (state === 'OPEN') ask('preview');
        else why(`O mês não está aberto na filial ${branch}.`);
      }),
    },
    {
      keys: 'R',
      alone: true,
      label: 'roda as regras',
      run: withBranch((row) => {
        if (actions.runRules.isPending) return;
        if (row.state === 'CLOSED') actions.runRules.mutate(row);
        else why('As regras só rodam em mês consolidado.');
      }),
    },
    {
      keys: 'I',
      label: 'imprime',
      run: withBranch(({ branch, state }) => {
        if (state === 'NOT_OPENED') why(`O mês não está aberto na filial ${branch}.`);
        else ask('print');
      }),
    },
  ];
}
