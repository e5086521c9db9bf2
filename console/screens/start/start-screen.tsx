import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { isCnpj, plainCnpj } from '../../../src/accounting/cnpj.ts';
import { addMonths, type Month, monthOfDay, todayInSaoPaulo } from '../../../src/accounting/period.ts';
import { api } from '../../data/client.ts';
import { addressOf } from '../../data/place.ts';
import { readSession } from '../../data/session.ts';
import { screenAt } from '../../routes.tsx';
import { Button } from '../../ui/button.tsx';
import { problemsOf } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Panel } from '../../ui/screen.tsx';
import { messageOf } from '../../ui/states.tsx';
import { SelectField, TextField } from '../../ui/text-field.tsx';
import { MonthField } from '../../ui/typed-field.tsx';
import type { ChartKind } from './sample-csv.ts';
import { BRANCH, type NewBooks, type Step, stepsOf } from './start-books.ts';
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

const TYPES = [
  { value: 'BANCO', text: 'Banco' },
  { value: 'DTVM', text: 'Distribuidora (DTVM)' },
  { value: 'CTVM', text: 'Corretora (CTVM)' },
  { value: 'FUNDO', text: 'Fundo' },
  { value: 'COOPERATIVA', text: 'Cooperativa de crédito' },
  { value: 'CONSORCIO', text: 'Administradora de consórcio' },
  { value: 'OUTRA', text: 'Outra' },
] as const;

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
  return (
    <main id="main" className="start">
      <h1>Comece os seus livros</h1>
      {isRunning ? (
        <Progressing run={run} />
      ) : (
        <>
          {run && <Progressing run={run} />}
          <CompanyForm books={books} onChange={setBooks} error={run?.error} onBegin={() => void begin(books)} />
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
  const lookUp = useRegister(books, onChange);
  return (
    <form
      className="start-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onBegin();
      }}
    >
      <Panel title="1. Empresa">
        <div className="start-fields">
          <TextField
            label="CNPJ"
            value={books.cnpj}
            onChange={lookUp.change}
            problem={problems.cnpj}
            hint={lookUp.hint}
            autoFocus
          />
          <TextField
            label="Razão social"
            value={books.name}
            onChange={(name) => set({ name })}
            problem={problems.name}
          />
          <TextField
            label="CEP"
            value={books.zipCode}
            onChange={(zipCode) => set({ zipCode })}
            problem={problems.zipCode}
          />
          <TextField
            label="Código da empresa"
            value={books.company}
            onChange={(company) => set({ company })}
            problem={problems.company}
          />
          <SelectField
            label="Tipo"
            value={books.institutionType}
            onChange={(institutionType) => set({ institutionType })}
            choices={TYPES}
          />
        </div>
      </Panel>
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

/** A whole CNPJ is looked up in the public register; what was typed before stays where the register says nothing. */
function useRegister(books: NewBooks, onChange: (books: NewBooks) => void) {
  const [hint, setHint] = useState<string>();
  const change = async (typed: string) => {
    const cnpj = plainCnpj(typed.trim());
    const now = { ...books, cnpj: isCnpj(cnpj) ? cnpj : typed };
    onChange(now);
    if (!isCnpj(cnpj)) return setHint(undefined);
    setHint('Procurando no cadastro da Receita…');
    try {
      const said = await api.masterdata.lookUpCnpj({ path: { cnpj } });
      const address = ['tradeName', 'street', 'number', 'complement', 'district', 'city', 'state', 'ibgeCode'] as const;
      const found = address.flatMap((name) => (said[name] ? [[name, said[name]] as const] : []));
      onChange({ ...now, name: said.name, zipCode: said.zipCode ?? now.zipCode, found: Object.fromEntries(found) });
      setHint('Preenchido pelo cadastro da Receita.');
    } catch {
      setHint('O cadastro não respondeu: preencha os campos.');
    }
  };
  return { change: (typed: string) => void change(typed), hint };
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

const WAYS = [
  { screen: 'inicio', text: 'Ver o mês' },
  { screen: 'lancamentos', text: 'Lançar à mão' },
  { screen: 'importar', text: 'Importar um arquivo CSV' },
  { screen: 'balancete', text: 'Ver o balancete' },
];

/** Screens that the product has. */
function WhatNext({ company, month }: { readonly company: string; readonly month: Month }) {
  const navigate = useNavigate();
  const goTo = async (screen: string) => {
    await readSession();
    await navigate({ href: addressOf({ company, branch: BRANCH, month, screen }) });
  };
  return (
    <div className="start-next">
      {WAYS.filter(({ screen }) => screenAt(screen) !== undefined).map(({ screen, text }, at) => (
        <Button key={screen} kind={at === 0 ? 'primary' : undefined} onClick={() => void goTo(screen)}>
          {text}
        </Button>
      ))}
    </div>
  );
}
