import { useState } from 'react';
import { isCnpj, plainCnpj } from '../../../src/accounting/cnpj.ts';
import { api } from '../../data/client.ts';
import { problemsOf } from '../../ui/field.tsx';
import { Panel } from '../../ui/screen.tsx';
import { SelectField, TextField } from '../../ui/text-field.tsx';
import type { NewBooks } from './start-books.ts';

const TYPES = [
  { value: 'BANCO', text: 'Banco' },
  { value: 'DTVM', text: 'Distribuidora (DTVM)' },
  { value: 'CTVM', text: 'Corretora (CTVM)' },
  { value: 'FUNDO', text: 'Fundo' },
  { value: 'COOPERATIVA', text: 'Cooperativa de crédito' },
  { value: 'CONSORCIO', text: 'Administradora de consórcio' },
  { value: 'OUTRA', text: 'Outra' },
] as const;

interface CompanyFieldsProps {
  readonly books: NewBooks;
  readonly onChange: (books: NewBooks) => void;
  readonly error: unknown;
}

/** The company of the new books. */
export function CompanyFields({ books, onChange, error }: CompanyFieldsProps) {
  const set = (changes: Partial<NewBooks>) => onChange({ ...books, ...changes });
  const problems = problemsOf(error);
  const lookUp = useRegister(books, onChange);
  return (
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
        <TextField label="Razão social" value={books.name} onChange={(name) => set({ name })} problem={problems.name} />
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
