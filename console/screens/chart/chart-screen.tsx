import { useQuery } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { usePlace } from '../../data/place.ts';
import { useSearchParams } from '../../data/search-params.ts';
import { useMay } from '../../data/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { DataGrid, type GridHandle } from '../../ui/data-grid.tsx';
import { countText, fold } from '../../ui/format.ts';
import type { Column } from '../../ui/grid-columns.tsx';
import { keysToOpen } from '../../ui/grid-rows.ts';
import { useRemembered } from '../../ui/memory.ts';
import { Screen } from '../../ui/screen.tsx';
import { Empty, Result } from '../../ui/states.tsx';
import { SelectField, TextField } from '../../ui/text-field.tsx';
import { RecordForm, RemoveDialog } from '../records/record-form.tsx';
import { FreezeDialog, MoveDialog, ParentField } from './change-account.tsx';
import {
  ACCOUNT_TYPE,
  type Account,
  accountsQuery,
  accountsWith,
  branchChartQuery,
  chartsQuery,
} from './chart-data.ts';
import { ImportDialog, MapDialog, NewChartDialog } from './chart-dialogs.tsx';
import './chart.css';

const NEW = 'nova';
type Task = 'move' | 'freeze' | 'remove' | 'import' | 'map' | 'chart';

/** Plano de contas: the charts that the user sees, each as a tree that its owner changes. */
export function ChartScreen() {
  const [{ filtro = '' }, setSearch] = useSearchParams();
  const [marked, setMarked] = useState<Account>();
  const [task, setTask] = useState<Task>();
  const grid = useRef<GridHandle>(null);
  const shown = useShownChart();
  const { code, chart, charts, accounts, mayUse, canChange } = shown;
  const open = (conta: string | undefined) => {
    setSearch({ conta });
    if (conta === undefined) grid.current?.focus();
  };
  const close = () => {
    setTask(undefined);
    grid.current?.focus();
  };
  const begin = (next: Task) => () => marked !== undefined && setTask(next);
  return (
    <Screen
      title="Plano de contas"
      subtitle={code ?? null}
      badge={chart && !chart.changeable ? <Badge tone="none">só consulta</Badge> : null}
      keys={[
        { keys: '→ ←', label: 'abre e fecha' },
        { keys: '*', label: 'abre tudo' },
        { keys: 'Enter', label: canChange ? 'altera' : 'abre' },
        { keys: '/', label: 'filtra' },
        ...(canChange
          ? [
              { keys: 'N', label: 'conta nova', run: () => open(NEW) },
              { keys: 'M', label: 'move', run: begin('move') },
              { keys: 'F', label: 'congela', run: begin('freeze') },
              { keys: 'Delete', label: 'exclui', run: begin('remove') },
              { keys: 'I', label: 'importa', run: () => setTask('import') },
            ]
          : []),
      ]}
      actions={<Actions shown={shown} onTask={setTask} onCreate={() => open(NEW)} />}
    >
      {charts.data?.length === 0 && code === undefined ? (
        <NoChart onCreate={mayUse ? () => setTask('chart') : undefined} />
      ) : (
        <Result query={accounts}>
          {(rows) => (
            <ChartTree
              key={code}
              ref={grid}
              accounts={rows}
              filter={filtro}
              onOpen={({ id }) => open(String(id))}
              onMark={setMarked}
            />
          )}
        </Result>
      )}
      <AccountForm shown={shown} marked={marked} onClose={() => open(undefined)} />
      <Tasks task={task} shown={shown} marked={marked} onUnmark={() => setMarked(undefined)} onClose={close} />
    </Screen>
  );
}

type Shown = ReturnType<typeof useShownChart>;

/** The chart of the address; without one in it that of the branch, or the first. */
function useShownChart() {
  const [{ plano }] = useSearchParams();
  const charts = useQuery(chartsQuery);
  const ofBranch = useQuery(branchChartQuery(usePlace()));
  const isKnown = plano !== undefined || !ofBranch.isPending;
  const code = isKnown ? (plano ?? ofBranch.data ?? charts.data?.[0]?.chartCode) : undefined;
  const chart = charts.data?.find(({ chartCode }) => chartCode === code);
  const mayUse = useMay('CHART_OF_ACCOUNTS');
  // A chart is made with its first account: whoever may use the routine may begin one.
  const canChange = mayUse && charts.data !== undefined && (chart === undefined || chart.changeable);
  return { code, chart, charts, accounts: useQuery(accountsQuery(code)), mayUse, canChange };
}

function NoChart({ onCreate }: { readonly onCreate: (() => void) | undefined }) {
  const action = onCreate && (
    <Button kind="primary" icon="plus" onClick={onCreate}>
      Novo plano
    </Button>
  );
  return (
    <Empty title="Nenhum plano de contas" action={action}>
      Comece um plano vazio, copie outro ou importe um arquivo.
    </Empty>
  );
}

interface ActionsProps {
  readonly shown: Shown;
  readonly onTask: (task: Task) => void;
  readonly onCreate: () => void;
}

function Actions({ shown, onTask, onCreate }: ActionsProps) {
  const [{ filtro = '' }, setSearch] = useSearchParams();
  const { code, charts, mayUse, canChange } = shown;
  return (
    <>
      <ChartChoice code={code} charts={(charts.data ?? []).map((each) => each.chartCode)} />
      <TextField
        label="Filtrar"
        hiddenLabel
        type="search"
        placeholder="Filtrar"
        value={filtro}
        onChange={(text) => setSearch({ filtro: text === '' ? undefined : text })}
      />
      {mayUse && <Button onClick={() => onTask('chart')}>Novo plano</Button>}
      {canChange && (
        <>
          <Button onClick={() => onTask('map')}>Mapa referencial</Button>
          <Button icon="upload" onClick={() => onTask('import')}>
            Importar
          </Button>
          <Button kind="primary" icon="plus" onClick={onCreate}>
            Nova conta
          </Button>
        </>
      )}
    </>
  );
}

interface AccountFormProps {
  readonly shown: Shown;
  readonly marked: Account | undefined;
  readonly onClose: () => void;
}

/** The account of the address, or a new one. */
function AccountForm({ shown, marked, onClose }: AccountFormProps) {
  const [{ conta }] = useSearchParams();
  const place = usePlace();
  const { code, canChange } = shown;
  const accounts = shown.accounts.data ?? [];
  const edited = accounts.find(({ id }) => String(id) === conta);
  if (code === undefined || !(conta === NEW ? canChange : edited)) return null;
  return (
    <RecordForm
      key={conta}
      type={ACCOUNT_TYPE}
      place={{ ...place, parent: undefined }}
      before={edited && { row: edited, at: 0 }}
      canSave={canChange}
      canRemove={canChange}
      onClose={onClose}
      initial={beginning(code, marked)}
      hidden={['chartCode']}
      inputOf={(field, props) =>
        field === 'parentId' ? <ParentField accounts={accounts} moved={edited} {...props} /> : undefined
      }
    />
  );
}

interface TasksProps {
  readonly task: Task | undefined;
  readonly shown: Shown;
  readonly marked: Account | undefined;
  readonly onUnmark: () => void;
  readonly onClose: () => void;
}

/** What is asked over the tree. */
function Tasks({ task, shown, marked, onUnmark, onClose }: TasksProps) {
  const place = usePlace();
  const { code, charts, accounts } = shown;
  if (task === 'chart') return <NewChartDialog charts={charts.data ?? []} onClose={onClose} />;
  if (code === undefined) return null;
  if (task === 'import') return <ImportDialog chart={code} onClose={onClose} />;
  if (task === 'map') return <MapDialog chart={code} onClose={onClose} />;
  if (marked === undefined) return null;
  if (task === 'move') return <MoveDialog account={marked} accounts={accounts.data ?? []} onClose={onClose} />;
  if (task === 'freeze') return <FreezeDialog account={marked} onClose={onClose} />;
  if (task !== 'remove') return null;
  return (
    <RemoveDialog
      type={ACCOUNT_TYPE}
      place={{ ...place, parent: undefined }}
      before={{ row: marked, at: 0 }}
      onDone={onUnmark}
      onClose={onClose}
    />
  );
}

/** A new account stands below the marked one where that has others below it, else beside it. */
function beginning(chartCode: string, marked: Account | undefined) {
  if (marked === undefined) return { chartCode };
  const { accountType, id, parentId, nature, accountClass } = marked;
  return { chartCode, nature, accountClass, accountType: 'A', parentId: accountType === 'S' ? id : parentId };
}

function ChartChoice({ code, charts }: { readonly code: string | undefined; readonly charts: readonly string[] }) {
  const [, setSearch] = useSearchParams();
  const all = code === undefined || charts.includes(code) ? charts : [code, ...charts];
  return (
    <SelectField
      label="Plano"
      hiddenLabel
      value={code ?? ''}
      onChange={(plano) => setSearch({ plano, conta: undefined, filtro: undefined }, { push: true })}
      choices={all.map((each) => ({ value: each, text: each }))}
    />
  );
}

interface ChartTreeProps {
  readonly accounts: readonly Account[];
  readonly filter: string;
  readonly onOpen: (account: Account) => void;
  readonly onMark: (account: Account | undefined) => void;
  readonly ref: React.Ref<GridHandle>;
}

const keyOf = ({ id }: Account) => id;
const levelOf = ({ level }: Account) => level;

function ChartTree({ accounts, filter, onOpen, onMark, ref }: ChartTreeProps) {
  const words = fold(filter).split(/\s+/).filter(Boolean);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the words are in the filter
  const shown = useMemo(() => accountsWith(accounts, words, fold), [accounts, filter]);
  const [opened, setOpened] = useRemembered<ReadonlySet<string | number>>('abertas', new Set());
  // What a filter finds is in sight.
  const everything = useMemo(() => keysToOpen(shown, keyOf, levelOf), [shown]);
  return (
    <DataGrid
      ref={ref}
      label="Contas"
      rows={shown}
      columns={COLUMNS}
      keyOf={keyOf}
      tree={{ levelOf, open: words.length > 0 ? everything : opened, onOpenChange: setOpened }}
      onOpen={onOpen}
      onMark={onMark}
      rowClass={({ accountType, active }) =>
        [accountType === 'S' && 'grid-row-summary', !active && 'account-frozen'].filter(Boolean).join(' ')
      }
      empty={
        <Empty title={words.length > 0 ? 'Nenhuma conta com este filtro' : 'Este plano ainda não tem contas'}>
          {words.length === 0 && 'A primeira conta cria o plano; um arquivo traz todas de uma vez.'}
        </Empty>
      }
      foot={
        <p className="list-count">
          {shown.length === accounts.length
            ? `${countText(accounts.length)} contas`
            : `${countText(shown.length)} de ${countText(accounts.length)} contas`}
        </p>
      }
    />
  );
}

const NORMAL_BALANCES = { D: 'devedora', C: 'credora', M: 'mista' };

const COLUMNS: readonly Column<Account>[] = [
  { id: 'code', title: 'Conta', text: ({ cdAccounting }) => cdAccounting, look: 'code', narrow: true },
  { id: 'reduced', title: 'Red.', text: ({ cdReduced }) => cdReduced, align: 'end', look: 'faint' },
  {
    id: 'name',
    title: 'Nome',
    text: ({ description }) => description,
    grows: true,
    atLeast: 18,
    tree: true,
    narrow: true,
  },
  {
    id: 'type',
    title: 'Tipo',
    text: ({ accountType }) => (accountType === 'S' ? 'sintética' : 'analítica'),
    look: 'faint',
  },
  { id: 'nature', title: 'Natureza', text: ({ nature }) => NORMAL_BALANCES[nature], look: 'faint' },
  { id: 'class', title: 'Classe', text: ({ accountClass }) => accountClass, look: 'faint' },
  { id: 'contra', title: 'Retif.', text: ({ rectifying }) => (rectifying ? 'sim' : ''), look: 'faint' },
  { id: 'used', title: 'Em uso', text: ({ hasEntries }) => (hasEntries ? 'sim' : ''), look: 'faint' },
  {
    id: 'state',
    title: 'Situação',
    text: ({ active }) => (active ? '' : 'congelada  '),
    draw: ({ active }) => (active ? null : <Badge tone="none">congelada</Badge>),
  },
];
