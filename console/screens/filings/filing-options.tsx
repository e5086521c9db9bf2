import { useQuery } from '@tanstack/react-query';
import type { Day } from '../../../src/accounting/period.ts';
import { usePlace } from '../../data/place.ts';
import { readOfficialCodes } from '../../data/queries.ts';
import { useSearchParams } from '../../data/search-params.ts';
import { CheckField, SelectField, TextField } from '../../ui/text-field.tsx';
import { DayField } from '../../ui/typed-field.tsx';
import { ECD_BOOKS, FILING_KINDS, type FilingKind, isWritable, nameOfFiling, periodText } from './filing-kinds.ts';
import { type EcdOptions, useDeliveries } from './filings-data.ts';

/** What is asked for beside kind, company and period. */
export interface Options {
  readonly ecd: EcdOptions;
  /** Keep the file even though it has errors. */
  readonly withErrors: boolean;
  /** The precheck of an ECD reads every entry, too. */
  readonly isComplete: boolean;
}

export const optionsAtFirst: Options = { ecd: {}, withErrors: false, isComplete: false };

interface FilingOptionsProps {
  readonly kind: FilingKind;
  readonly value: Options;
  readonly onChange: (value: Options) => void;
  readonly problems: Readonly<Record<string, string>>;
}

/** Which file, and how it is asked for. */
export function FilingOptions({ kind, value, onChange, problems }: FilingOptionsProps) {
  const { month } = usePlace();
  const [, setSearch] = useSearchParams();
  const change = (ecd: EcdOptions) => onChange({ ...value, ecd: { ...value.ecd, ...ecd } });
  return (
    <section className="panel filing-options" aria-label="O que gerar">
      <div className="filing-fields">
        <SelectField
          label="Arquivo"
          value={kind}
          choices={FILING_KINDS}
          onChange={(arquivo) => setSearch({ arquivo, pedido: undefined })}
          {...(isWritable(kind, month)
            ? {}
            : { problem: 'O 4016 é de junho e de dezembro: escolha um deles na régua.' })}
        />
        {kind === 'ECD' && (
          <>
            <SelectField
              label="Forma"
              value={value.ecd.livro ?? ''}
              choices={[{ value: '', text: 'A do perfil da empresa' }, ...ECD_BOOKS]}
              onChange={(livro) => change({ livro: livro === '' ? undefined : livro })}
            />
            <DayField
              className="filing-day"
              label="De"
              placeholder="início do ano"
              month={month}
              value={value.ecd.dataInicio as Day | undefined}
              problem={problems.dataInicio}
              onChange={(dataInicio) => change({ dataInicio })}
            />
            <DayField
              className="filing-day"
              label="Até"
              placeholder="fim do ano"
              month={month}
              value={value.ecd.dataFim as Day | undefined}
              problem={problems.dataFim}
              onChange={(dataFim) => change({ dataFim })}
            />
          </>
        )}
      </div>
      <div className="filing-checks">
        {kind === 'ECD' && (
          <CheckField
            label="Pré-validar também cada lançamento"
            value={value.isComplete}
            onChange={(isComplete) => onChange({ ...value, isComplete })}
          />
        )}
        <CheckField
          label="Guardar o arquivo mesmo com erros"
          value={value.withErrors}
          onChange={(withErrors) => onChange({ ...value, withErrors })}
        />
      </div>
      {kind === 'ECD' && <RareTerms value={value.ecd} onChange={change} problems={problems} />}
    </section>
  );
}

interface RareTermsProps {
  readonly value: EcdOptions;
  readonly onChange: (ecd: EcdOptions) => void;
  readonly problems: Readonly<Record<string, string>>;
}

/** What an ordinary year does not need. */
function RareTerms({ value, onChange, problems }: RareTermsProps) {
  const deliveries = useDeliveries();
  const replaceable = (deliveries.data ?? []).filter(
    ({ arquivo, status, hashLivro }) => arquivo === 'ECD' && status === 'ACCEPTED' && hashLivro !== null,
  );
  return (
    <details>
      <summary>Substituição, situações especiais e número do livro</summary>
      <div className="filing-fields">
        <SelectField
          label="Substitui"
          value={value.substitui?.toString() ?? ''}
          problem={problems.substitui}
          hint={
            value.substitui
              ? 'O termo de verificação não é escrito: gere com erros e junte-o no programa da Receita.'
              : replaceable.length === 0 && 'Só uma ECD aceita, com o hash do livro registrado.'
          }
          choices={[
            { value: '', text: 'Nenhuma entrega' },
            ...replaceable.map((each) => ({
              value: String(each.id),
              text: `${nameOfFiling(each)}, ${periodText(each)}, livro nº ${each.numeroLivro}`,
            })),
          ]}
          onChange={(id) => onChange({ substitui: id === '' ? undefined : Number(id) })}
        />
        <OfficialField
          list="IND_SIT_ESP"
          label="Situação especial"
          none="Nenhuma"
          value={value.situacaoEspecial}
          problem={problems.situacaoEspecial}
          onChange={(situacaoEspecial) => onChange({ situacaoEspecial })}
        />
        <OfficialField
          list="IND_SIT_INI_PER"
          label="Situação no início"
          none="Normal"
          value={value.situacaoInicio}
          problem={problems.situacaoInicio}
          onChange={(situacaoInicio) => onChange({ situacaoInicio })}
        />
        <TextField
          label="Número do livro"
          inputMode="numeric"
          placeholder="o próximo"
          value={value.numeroLivro?.toString() ?? ''}
          problem={problems.numeroLivro}
          onChange={(text) => onChange({ numeroLivro: /^\d{1,9}$/.test(text) ? Number(text) : undefined })}
        />
        <TextField
          label="Natureza do livro"
          placeholder="a usual"
          value={value.naturezaLivro ?? ''}
          problem={problems.naturezaLivro}
          maxLength={80}
          onChange={(text) => onChange({ naturezaLivro: text === '' ? undefined : text })}
        />
      </div>
      <CheckField
        label="Uma demonstração por semestre"
        value={value.semestral ?? false}
        onChange={(semestral) => onChange({ semestral: semestral || undefined })}
      />
    </details>
  );
}

interface OfficialFieldProps {
  readonly list: 'IND_SIT_ESP' | 'IND_SIT_INI_PER';
  readonly label: string;
  readonly none: string;
  readonly value: string | null | undefined;
  readonly problem: string | undefined;
  readonly onChange: (code: string | undefined) => void;
}

/** A code of a list of the federal revenue service. */
function OfficialField({ list, label, none, value, problem, onChange }: OfficialFieldProps) {
  const { data = [] } = useQuery({
    queryKey: ['official codes', list],
    queryFn: ({ signal }) => readOfficialCodes(list, signal),
  });
  return (
    <SelectField
      label={label}
      value={value ?? ''}
      problem={problem}
      choices={[
        { value: '', text: none },
        ...data.map(({ code, description }) => ({ value: code, text: `${code} · ${description}` })),
      ]}
      onChange={(code) => onChange(code === '' ? undefined : code)}
    />
  );
}
