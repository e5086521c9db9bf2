import { daysOf, monthNumberOf, yearOf } from '../../../src/accounting/period.ts';
import type { Place } from '../../data/place.ts';
import { AccountField } from '../../ui/account-field.tsx';
import type { FormRecord } from '../../ui/forms/form-value.ts';
import { type FormWords, type InputProps, SchemaFields } from '../../ui/forms/schema-fields.tsx';
import { CheckField } from '../../ui/text-field.tsx';
import { hintOf, labelOf, valueLabelOf } from './labels.ts';
import { REPORT_TYPES, type ReportType, schemaOf } from './report-types.ts';

interface ReportFormProps {
  readonly type: ReportType;
  readonly value: FormRecord;
  readonly onChange: (value: FormRecord) => void;
  readonly problems: Readonly<Record<string, string>>;
}

/** The fields of a report's request, as its document says them; company, branch and month are those of the address. */
export function ReportForm({ type, value, onChange, problems }: ReportFormProps) {
  return (
    <SchemaFields
      schema={schemaOf(type)}
      value={value}
      onChange={onChange}
      problems={problems}
      words={WORDS}
      hidden={OF_THE_ADDRESS}
    />
  );
}

const OF_THE_ADDRESS = ['empresa', 'filial', 'ano', 'mes'];

/** Reports that may be bound with a book: those of a month. */
const ANNEXES = [
  'monthlyTrialBalance',
  'patrimonialBalance',
  'cosifGeneralBalance',
  'monthlyTrialCVMBalance',
  'patrimonialCVMBalance',
];

const WORDS: FormWords = {
  labelOf,
  valueLabelOf,
  hintOf,
  inputOf: (field, props) => {
    if (field === 'anexos') return <AnnexField {...props} />;
    if (field !== 'conta') return undefined;
    const { value, onChange, label, problem } = props;
    return <AccountField {...{ label, problem }} value={value as number | undefined} onChange={(id) => onChange(id)} />;
  },
};

interface Annex {
  readonly tipo: string;
}

function AnnexField({ label, value, problem, onChange }: InputProps) {
  const chosen = ((value ?? []) as readonly Annex[]).map(({ tipo }) => tipo);
  const change = (tipo: string, isChosen: boolean) => {
    const next = ANNEXES.filter((each) => (each === tipo ? isChosen : chosen.includes(each)));
    onChange(next.length === 0 ? undefined : next.map((each) => ({ tipo: each })));
  };
  return (
    <fieldset className="form-wide form-checks">
      <legend>{label}</legend>
      {REPORT_TYPES.filter(({ slug }) => ANNEXES.includes(slug)).map(({ slug, title }) => (
        <CheckField key={slug} label={title} value={chosen.includes(slug)} onChange={(is) => change(slug, is)} />
      ))}
      {problem !== undefined && <p className="field-problem">{problem}</p>}
    </fieldset>
  );
}

/** What a form begins with: what was chosen the last time, in the month of the address. */
export function firstValue(type: ReportType, { month }: Place, choices: FormRecord): FormRecord {
  const fields = schemaOf(type).fields ?? {};
  const known = Object.entries(choices).filter(([name]) => name in fields);
  const days = daysOf(month);
  return {
    visualizationEnum: 'PDF',
    considerClosing: true,
    ...(fields.tipo?.values?.includes('BP') ? { tipo: 'BP' } : {}),
    ...Object.fromEntries(known),
    ...(fields.dataInicio ? { dataInicio: days[0], dataFim: days.at(-1) } : {}),
  };
}

/** The request, without what is empty. */
export function bodyOfReport(type: ReportType, { company, branch, month }: Place, value: FormRecord): FormRecord {
  const fields = schemaOf(type).fields ?? {};
  const given = Object.entries(value).filter(([, each]) => each !== undefined && each !== '');
  const end = { ano: yearOf(month), mes: monthNumberOf(month) };
  const annexes = value.anexos as readonly Annex[] | undefined;
  return {
    empresa: company,
    filial: branch,
    ...(fields.ano ? end : {}),
    ...Object.fromEntries(given),
    ...(annexes ? { anexos: annexes.map(({ tipo }) => ({ tipo, parametros: end })) } : {}),
  };
}

/** What is remembered of a request: all but the place and the time. */
export function choicesOf(body: FormRecord): FormRecord {
  const kept = Object.entries(body).filter(([name]) => !PASSING.has(name));
  return Object.fromEntries(kept);
}

const PASSING = new Set([
  ...OF_THE_ADDRESS,
  ...['dataInicio', 'dataFim', 'numeroLivro', 'numeroOrdem', 'quantidadePaginas', 'includeTerms', 'anexos'],
]);
