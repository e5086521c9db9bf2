import { type UseQueryResult, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { PartidasProblem } from 'partidas-client';
import { useRef, useState } from 'react';
import { api } from '../../data/client.ts';
import { usePlace } from '../../data/place.ts';
import { useChart } from '../../data/queries.ts';
import { useSearchParams } from '../../data/search-params.ts';
import { useMay } from '../../data/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { fold, monthTitle } from '../../ui/format.ts';
import { Screen } from '../../ui/screen.tsx';
import { Empty, messageOf, Result } from '../../ui/states.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast.tsx';
import { RuleDialog } from './rule-dialog.tsx';
import { branchIdQuery, choicesQuery, type Rule, type Trial } from './rules-data.ts';
import { RunDialog } from './run-dialog.tsx';
import { type EditorHandle, ScriptEditor } from './script-editor.tsx';
import { TrialPanel } from './trial-panel.tsx';
import { VersionsDialog } from './versions-dialog.tsx';

/** Scripts that were changed and not saved, by the rule's id: they outlive going to another rule and back. */
const drafts = new Map<number, string>();

type Task = 'new' | 'facts' | 'versions' | 'run';

/** The list of rules, the editor, and what the script found when it was tried. */
export function RuleWorkshop({ rules }: { readonly rules: UseQueryResult<Rule[]> }) {
  const { month } = usePlace();
  const [{ regra }, setSearch] = useSearchParams();
  const [task, setTask] = useState<Task>();
  const editor = useRef<EditorHandle>(null);
  const mayWrite = useMay('COMPLIANCE_RULES');
  const rule = rules.data?.find(({ id }) => String(id) === regra) ?? rules.data?.[0];
  const work = useScript(rule);
  const choose = (id: number) => setSearch({ regra: String(id) });
  return (
    <Screen
      title="Regras"
      subtitle={`prova em ${monthTitle(month)}`}
      keys={[
        { keys: 'Ctrl+Enter', label: 'prova', run: work.tryIt },
        { keys: 'Ctrl+Espaço', label: 'completa' },
        ...(mayWrite ? [{ keys: 'Ctrl+S', label: 'grava', run: () => void work.save() }] : []),
        { keys: 'F8', label: 'próximo erro', run: () => editor.current?.nextProblem() },
        { keys: 'Esc Tab', label: 'sai do editor' },
        ...(mayWrite ? [{ keys: 'N', label: 'regra nova', run: () => setTask('new') }] : []),
        { keys: 'R', label: 'roda as regras', run: () => setTask('run') },
        { keys: 'T', label: 'resultados', run: () => setSearch({ ver: 'resultados' }, { push: true }) },
      ]}
      actions={
        <>
          <Button onClick={() => setSearch({ ver: 'resultados' }, { push: true })}>Resultados</Button>
          <Button icon="rules" onClick={() => setTask('run')}>
            Rodar
          </Button>
          {rule && (
            <>
              <Button icon="clock" onClick={() => setTask('versions')}>
                Versões
              </Button>
              <Button icon="play" busy={work.isTrying} onClick={work.tryIt}>
                Provar
              </Button>
            </>
          )}
          {mayWrite && <Button onClick={() => setTask('new')}>Nova regra</Button>}
          {mayWrite && rule && (
            <Button kind="primary" busy={work.isSaving} disabled={!work.isChanged} onClick={() => void work.save()}>
              Salvar regra
            </Button>
          )}
        </>
      }
    >
      <Result query={rules}>
        {(all) =>
          rule === undefined ? (
            <NoRule onCreate={mayWrite ? () => setTask('new') : undefined} />
          ) : (
            <div className="rules">
              <RuleList rules={all} of={rule} onChoose={choose} />
              <Workbench rule={rule} work={work} editor={editor} mayWrite={mayWrite} onFacts={() => setTask('facts')} />
              <TrialPanel
                trial={work.trial}
                error={work.trialError}
                isTrying={work.isTrying}
                onGoTo={(line, column) => editor.current?.goTo(line, column)}
              />
            </div>
          )
        }
      </Result>
      {task === 'new' && (
        <RuleDialog rule={undefined} onSaved={({ id }) => choose(id)} onClose={() => setTask(undefined)} />
      )}
      {task === 'facts' && rule && <RuleDialog rule={rule} onSaved={() => {}} onClose={() => setTask(undefined)} />}
      {task === 'versions' && rule && (
        <VersionsDialog rule={rule} onTake={mayWrite ? work.change : undefined} onClose={() => setTask(undefined)} />
      )}
      {task === 'run' && <RunDialog onClose={() => setTask(undefined)} />}
    </Screen>
  );
}

function NoRule({ onCreate }: { readonly onCreate: (() => void) | undefined }) {
  const action = onCreate && (
    <Button kind="primary" icon="plus" onClick={onCreate}>
      Nova regra
    </Button>
  );
  return (
    <Empty title="Nenhuma regra" action={action}>
      Regras conferem os saldos de um mês consolidado e dizem o que não fecha.
    </Empty>
  );
}

type Work = ReturnType<typeof useScript>;

/** The script of the rule as it is being written: tried on the month of the address, saved as a new version. */
function useScript(rule: Rule | undefined) {
  const { company, branch, month } = usePlace();
  const queries = useQueryClient();
  const { data: branchid } = useQuery(branchIdQuery(company, branch));
  const [, redraw] = useState(0);
  const saved = rule?.script ?? '';
  const script = (rule && drafts.get(rule.id)) ?? saved;
  const change = (next: string) => {
    if (rule === undefined) return;
    if (next === saved) drafts.delete(rule.id);
    else drafts.set(rule.id, next);
    redraw((drawn) => drawn + 1);
  };
  const trial = useMutation({
    mutationFn: (of: { rule: number; script: string }) =>
      api.compliance.testScript({ body: { script: of.script, refmonth: month, ...(branchid ? { branchid } : {}) } }),
  });
  const saving = useMutation({
    mutationFn: (of: Rule) => api.compliance.replaceRule({ body: { ...inputOf(of), script } }),
  });
  const save = async () => {
    if (rule === undefined || script === saved || saving.isPending) return;
    try {
      await saving.mutateAsync(rule);
      drafts.delete(rule.id);
      await queries.invalidateQueries({ queryKey: ['rules'] });
      toast(`${rule.name}: versão nova gravada.`);
    } catch (error) {
      toast(refusalOf(error), { tone: 'wrong' });
    }
  };
  const isOfThis = trial.variables?.rule === rule?.id;
  return {
    script,
    change,
    save: () => void save(),
    isSaving: saving.isPending,
    isChanged: script !== saved,
    tryIt: () => {
      if (rule !== undefined && !trial.isPending) trial.mutate({ rule: rule.id, script });
    },
    isTrying: trial.isPending,
    trial: isOfThis ? (trial.data as Trial | undefined) : undefined,
    trialError: isOfThis ? trial.error : null,
  };
}

/** A refused script says each of its errors with its place. */
function refusalOf(error: unknown): string {
  if (!(error instanceof PartidasProblem) || error.errors.length === 0) return messageOf(error);
  return error.errors.map(({ message }) => message).join(' ');
}

/** A rule as it is sent back: all of it, for what is left out is cleared. */
export function inputOf(rule: Rule) {
  const { name, cluetypeid, businesssystemid, documents, basebegin, validitybegin, autorun } = rule;
  const given = { baseend: rule.baseend, description: rule.description, validityend: rule.validityend };
  const present = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
  return { name, cluetypeid, businesssystemid, documents, basebegin, validitybegin, autorun, ...present };
}

interface WorkbenchProps {
  readonly rule: Rule;
  readonly work: Work;
  readonly editor: React.RefObject<EditorHandle | null>;
  readonly mayWrite: boolean;
  readonly onFacts: () => void;
}

function Workbench({ rule, work, editor, mayWrite, onFacts }: WorkbenchProps) {
  const { accounts = [] } = useChart();
  const { data } = useQuery(choicesQuery);
  const severity = data?.severities.find(({ id }) => id === rule.cluetypeid)?.name ?? rule.cluetype;
  const documents = data?.documents.filter(({ id }) => rule.documents.includes(id)).map(({ code }) => code) ?? [];
  return (
    <section className="rule-work" aria-label={rule.name}>
      <header>
        <h2>{rule.name}</h2>
        {work.isChanged && <Badge tone="open">não salva</Badge>}
        <Badge tone="none">{severity}</Badge>
        {mayWrite && <Button kind="quiet" icon="edit" aria-label="Dados da regra" onClick={onFacts} />}
      </header>
      <p className="rule-about">
        {rule.description ?? 'Sem descrição.'}{' '}
        <span>
          Documentos {documents.join(', ')} · versão {rule.scriptVersion}
          {rule.autorun && ' · roda a cada consolidação'}
        </span>
      </p>
      <ScriptEditor
        ref={editor}
        label={`Script de ${rule.name}`}
        value={work.script}
        onChange={work.change}
        readOnly={!mayWrite}
        accounts={accounts}
        onTry={work.tryIt}
      />
    </section>
  );
}

interface RuleListProps {
  readonly rules: readonly Rule[];
  readonly of: Rule;
  readonly onChoose: (id: number) => void;
}

function RuleList({ rules, of, onChoose }: RuleListProps) {
  const [filter, setFilter] = useState('');
  const words = fold(filter).split(/\s+/).filter(Boolean);
  const shown = rules.filter(({ name, description }) => {
    const text = fold(`${name} ${description ?? ''}`);
    return words.every((word) => text.includes(word));
  });
  return (
    <nav className="rule-list" aria-label="Regras">
      <TextField
        label="Filtrar regras"
        hiddenLabel
        type="search"
        placeholder="Filtrar"
        value={filter}
        onChange={setFilter}
      />
      <ul>
        {shown.map(({ id, name, cluetype }) => (
          <li key={id}>
            <button
              type="button"
              className="rule-choice"
              aria-current={id === of.id ? 'true' : undefined}
              onClick={() => onChoose(id)}
            >
              {name}
              <small>
                {SEVERITIES[cluetype] ?? cluetype}
                {drafts.has(id) && ' · não salva'}
              </small>
            </button>
          </li>
        ))}
      </ul>
      {shown.length === 0 && <p className="field-hint">Nenhuma com isto.</p>}
    </nav>
  );
}

const SEVERITIES: Readonly<Record<string, string>> = {
  INFO: 'informação',
  WARNING: 'aviso',
  ERROR: 'erro',
  CRITICAL: 'crítico',
};
