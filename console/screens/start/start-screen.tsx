import { useState } from 'react';
import { addMonths, monthOfDay, todayInSaoPaulo } from '../../../src/accounting/period.ts';
import { Button } from '../../ui/button.tsx';
import { problemsOf } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Panel } from '../../ui/screen.tsx';
import { messageOf } from '../../ui/states.tsx';
import { SelectField } from '../../ui/text-field.tsx';
import { MonthField } from '../../ui/typed-field.tsx';
import { CompanyFields } from './company-fields.tsx';
import { EcdStart } from './ecd-start.tsx';
import type { ChartKind } from './sample-csv.ts';
import { type NewBooks, type Step, stepsOf } from './start-books.ts';
import { WhatNext } from './what-next.tsx';
import './start.css';

const THIS_MONTH = monthOfDay(todayInSaoPaulo(new Date()));

const SAMPLE: NewBooks = {
  company: '0001',
  name: 'Banco Exemplo S.A.',
  cnpj: '11222333000181',
  zipCode: '01001000',
  found: { street: 'Praça da Sé', number: '1', city: 'São Paulo', state: 'SP' },
  institutionType: 'BANCO',
  chart: 'COSIF',
  month: addMonths(THIS_MONTH, -1),
  sample: true,
};

const EMPTY: NewBooks = { ...SAMPLE, name: '', cnpj: '', zipCode: '', found: {}, month: THIS_MONTH, sample: false };

const CHARTS: readonly { readonly value: ChartKind; readonly text: string }[] = [
  { value: 'COSIF', text: 'COSIF: 4.032 contas do Banco Central' },
  { value: 'SIMPLES', text: 'Simples: 72 contas para empresas em geral' },
];

/** Shown where no company is kept yet: from a CNPJ to an open month. */
export function StartScreen() {
  const [books, setBooks] = useState(EMPTY);
  const [run, setRun] = useState<Run>();
  const begin = async (what: NewBooks) => {
    setBooks(what);
    for (const [at, step] of stepsOf(what).entries()) {
      setRun({ of: what, done: at, error: undefined });
      try {
        await step.run();
      } catch (error) {
        setRun({ of: what, done: at, error });
        return;
      }
    }
    setRun({ of: what, done: stepsOf(what).length, error: undefined });
  };
  const isRunning = run !== undefined && run.error === undefined;
  const [ecd, setEcd] = useState<File>();
  if (ecd) return <EcdStart file={ecd} empty={EMPTY} onClose={() => setEcd(undefined)} />;
  return (
    <main id="main" className="start">
      <h1>Comece os seus livros</h1>
      {isRunning ? (
        <Progressing run={run} />
      ) : (
        <>
          {run && <Progressing run={run} />}
          <CompanyForm books={books} onChange={setBooks} error={run?.error} onBegin={() => void begin(books)} />
          <Panel title="Já tem uma ECD?">
            <p className="start-hint">
              A ECD do ano anterior, de qualquer sistema, traz plano de contas, saldos, lançamentos e signatários. Antes
              de gravar, o arquivo é conferido e os saldos são provados.
            </p>
            <label className="start-file">
              <span>Arquivo da ECD</span>
              <input
                type="file"
                accept=".txt,.ecd,text/plain"
                onChange={(event) => {
                  const [file] = event.target.files ?? [];
                  event.target.value = '';
                  if (file) setEcd(file);
                }}
              />
            </label>
          </Panel>
          <Panel title="Só quer conhecer?">
            <p className="start-hint">Um banco de exemplo no COSIF, com dois meses de lançamentos.</p>
            <Button onClick={() => void begin(SAMPLE)}>Começar com dados de exemplo</Button>
          </Panel>
        </>
      )}
    </main>
  );
}

interface Run {
  readonly of: NewBooks;
  readonly done: number;
  readonly error: unknown;
}

interface CompanyFormProps {
  readonly books: NewBooks;
  readonly onChange: (books: NewBooks) => void;
  readonly error: unknown;
  readonly onBegin: () => void;
}

function CompanyForm({ books, onChange, error, onBegin }: CompanyFormProps) {
  const set = (changes: Partial<NewBooks>) => onChange({ ...books, ...changes });
  const problems = problemsOf(error);
  return (
    <form
      className="start-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onBegin();
      }}
    >
      <CompanyFields books={books} onChange={onChange} error={error} />
      <Panel title="2. Plano de contas">
        <SelectField label="Plano" value={books.chart} onChange={(chart) => set({ chart })} choices={CHARTS} />
      </Panel>
      <Panel title="3. Primeiro mês">
        <MonthField
          label="Mês em que os livros começam"
          near={THIS_MONTH}
          value={books.month}
          onChange={(month) => month && set({ month })}
          problem={problems.newyearmonth}
        />
      </Panel>
      <Button type="submit" kind="primary">
        Criar a empresa e abrir o mês
      </Button>
    </form>
  );
}

function Progressing({ run }: { readonly run: Run }) {
  const steps = stepsOf(run.of);
  const isDone = run.done === steps.length;
  return (
    <Panel title={isDone ? 'Os livros estão abertos' : 'Abrindo os livros'}>
      <ol className="start-steps" aria-live="polite">
        {steps.map((step, at) => (
          <StepLine
            key={step.text}
            step={step}
            isDone={at < run.done}
            isFailed={at === run.done && run.error !== undefined}
          />
        ))}
      </ol>
      {run.error !== undefined && (
        <p className="field-problem" role="alert">
          {messageOf(run.error)} O que já está feito fica; corrija e repita.
        </p>
      )}
      {isDone && <WhatNext company={run.of.company} month={run.of.month} />}
    </Panel>
  );
}

function StepLine({
  step,
  isDone,
  isFailed,
}: {
  readonly step: Step;
  readonly isDone: boolean;
  readonly isFailed: boolean;
}) {
  return (
    <li className={isDone ? 'start-done' : undefined}>
      <Icon name={isDone ? 'check' : isFailed ? 'alert' : 'clock'} />
      {step.text}
      <span className="visually-hidden">{isDone ? 'feito' : isFailed ? 'falhou' : 'a fazer'}</span>
    </li>
  );
}
