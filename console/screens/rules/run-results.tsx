import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { usePlace } from '../../data/place.ts';
import { useSearchParams } from '../../data/search-params.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { DataGrid } from '../../ui/data-grid.tsx';
import { countText, instantText } from '../../ui/format.ts';
import type { Column } from '../../ui/grid-columns.tsx';
import { Screen } from '../../ui/screen.tsx';
import { SidePanel } from '../../ui/side-panel.tsx';
import { Empty, Result } from '../../ui/states.tsx';
import { SelectField } from '../../ui/text-field.tsx';
import {
  branchIdQuery,
  compareRuns,
  type Finding,
  type Process,
  type ProcessItem,
  processesQuery,
  processQuery,
  type RuleResult,
  STATUS,
} from './rules-data.ts';
import { RunDialog } from './run-dialog.tsx';
import { Explanation } from './trial-panel.tsx';

/** The runs over the branch's month: what each rule found and why, and what changed since another run. */
export function RunResults() {
  const { company, branch, month } = usePlace();
  const [{ processo }, setSearch] = useSearchParams();
  const branchId = useQuery(branchIdQuery(company, branch));
  const processes = useQuery(processesQuery(branchId.data, month));
  const [isRunning, setIsRunning] = useState(false);
  const [marked, setMarked] = useState<RuleResult>();
  const chosen = processo === undefined ? processes.data?.[0]?.processid : Number(processo);
  const process = useQuery(processQuery(chosen));
  const toRules = () => setSearch({ ver: undefined, processo: undefined, com: undefined }, { push: true });
  return (
    <Screen
      title="Regras"
      keys={[
        { keys: '↑ ↓', label: 'regra' },
        { keys: 'Enter', label: 'abre a regra' },
        { keys: 'R', label: 'roda as regras', run: () => setIsRunning(true) },
        { keys: 'E', label: 'escreve regras', run: toRules },
      ]}
      actions={
        <>
          <Button icon="edit" onClick={toRules}>
            Escrever regras
          </Button>
          <Button kind="primary" icon="rules" onClick={() => setIsRunning(true)}>
            Rodar
          </Button>
        </>
      }
      side={
        marked && (
          <SidePanel title={marked.rule}>
            <Explanation of={marked} />
          </SidePanel>
        )
      }
    >
      <Result query={branchId}>
        {() => (
          <Result query={processes}>
            {(runs) =>
              chosen === undefined ? (
                <NoRuns onRun={() => setIsRunning(true)} />
              ) : (
                <>
                  <RunChoice runs={runs} chosen={chosen} />
                  <Result query={process}>
                    {(found) => (
                      <>
                        <Comparison runs={runs} process={found} />
                        <DataGrid
                          label={`Regras do documento ${found.document}`}
                          rows={found.results}
                          columns={COLUMNS}
                          keyOf={({ ruleid }) => ruleid}
                          onMark={setMarked}
                          onOpen={({ ruleid }) =>
                            setSearch(
                              { ver: undefined, processo: undefined, com: undefined, regra: String(ruleid) },
                              { push: true },
                            )
                          }
                          empty={<Empty title="Nenhuma regra vale para este documento e mês" />}
                        />
                      </>
                    )}
                  </Result>
                </>
              )
            }
          </Result>
        )}
      </Result>
      {isRunning && <RunDialog onClose={() => setIsRunning(false)} />}
    </Screen>
  );
}

function NoRuns({ onRun }: { readonly onRun: () => void }) {
  return (
    <Empty
      title="As regras ainda não rodaram neste mês"
      action={
        <Button kind="primary" icon="rules" onClick={onRun}>
          Rodar as regras
        </Button>
      }
    >
      Elas conferem os saldos do mês consolidado.
    </Empty>
  );
}

const COLUMNS: readonly Column<RuleResult>[] = [
  {
    id: 'status',
    title: 'Resultado',
    text: ({ status }) => `${STATUS[status].text}  `,
    draw: ({ status }) => <Badge tone={STATUS[status].tone}>{STATUS[status].text}</Badge>,
    narrow: true,
  },
  { id: 'rule', title: 'Regra', text: ({ rule }) => rule, grows: true, atLeast: 20, narrow: true },
  {
    id: 'said',
    title: 'O que disse',
    text: ({ messages, failure }) => failure?.message ?? messages.map(({ text }) => text).join(' · '),
    grows: true,
    atLeast: 20,
  },
  { id: 'reads', title: 'Saldos', text: ({ reads }) => countText(reads.length), align: 'end', look: 'faint' },
  { id: 'version', title: 'Versão', text: ({ scriptVersion }) => String(scriptVersion), align: 'end', look: 'faint' },
];

interface RunChoiceProps {
  readonly runs: readonly ProcessItem[];
  readonly chosen: number;
}

function runText({ document, datetime, executedBy, failed, broken }: ProcessItem): string {
  const found = failed + broken === 0 ? 'nada a apontar' : `${countText(failed + broken)} a apontar`;
  return `${document} · ${instantText(datetime)} · ${executedBy} · ${found}`;
}

function RunChoice({ runs, chosen }: RunChoiceProps) {
  const [, setSearch] = useSearchParams();
  const known = runs.some(({ processid }) => processid === chosen);
  return (
    <div className="run-choice">
      <SelectField
        label="Execução"
        value={String(chosen)}
        onChange={(processo) => setSearch({ processo, com: undefined })}
        choices={[
          ...(known ? [] : [{ value: String(chosen), text: `Execução ${chosen}` }]),
          ...runs.map((run) => ({ value: String(run.processid), text: runText(run) })),
        ]}
      />
    </div>
  );
}

interface ComparisonProps {
  readonly runs: readonly ProcessItem[];
  readonly process: Process;
}

/** What is new, gone and unchanged since the run before it, or another one of the same document. */
function Comparison({ runs, process }: ComparisonProps) {
  const [{ com }, setSearch] = useSearchParams();
  const others = runs.filter(
    ({ processid, document }) => processid !== process.processid && document === process.document,
  );
  const before = com === undefined ? process.previous?.processid : Number(com);
  const other = useQuery(processQuery(before));
  if (before === undefined) return <p className="field-hint">É a primeira execução deste documento no mês.</p>;
  return (
    <section className="run-comparison" aria-label="Comparação">
      <SelectField
        label="Comparada com"
        value={String(before)}
        onChange={(next) => setSearch({ com: next })}
        choices={others.map((run) => ({ value: String(run.processid), text: runText(run) }))}
      />
      <Result query={other} rows={2}>
        {({ results }) => {
          const { appeared, gone, unchanged } = compareRuns(results, process.results);
          return (
            <div className="run-findings">
              <Findings title="Novos" tone="wrong" findings={appeared} />
              <Findings title="Resolvidos" tone="done" findings={gone} />
              <Findings title="Iguais" tone="none" findings={unchanged} />
            </div>
          );
        }}
      </Result>
    </section>
  );
}

interface FindingsProps {
  readonly title: string;
  readonly tone: 'wrong' | 'done' | 'none';
  readonly findings: readonly Finding[];
}

const MOST_SHOWN = 100;

function Findings({ title, tone, findings }: FindingsProps) {
  return (
    <details open={findings.length > 0 && tone !== 'none'}>
      <summary>
        <Badge tone={findings.length === 0 ? 'none' : tone}>
          {title}: {countText(findings.length)}
        </Badge>
      </summary>
      <ul>
        {findings.slice(0, MOST_SHOWN).map(({ key, rule, message }) => (
          <li key={key}>
            <strong>{rule}</strong>: {message}
          </li>
        ))}
      </ul>
    </details>
  );
}
