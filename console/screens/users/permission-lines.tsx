import { useCompanies } from '../../data/session.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/text-field.tsx';
import type { Permission } from './access-data.ts';

interface PermissionLinesProps {
  readonly value: readonly Permission[];
  readonly onChange: (value: readonly Permission[]) => void;
}

/** Companies, each as a whole or one of its branches. */
export function PermissionLines({ value, onChange }: PermissionLinesProps) {
  const companies = useCompanies();
  const change = (at: number, line: Permission) => onChange(value.map((each, index) => (index === at ? line : each)));
  return (
    <fieldset className="lines">
      <legend>Empresas e filiais</legend>
      {value.length === 0 && <p className="lines-none">Nenhuma: não vê livro algum.</p>}
      {value.map((line, at) => {
        const branches = companies.find(({ code }) => code === line.company)?.branches ?? [];
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place until it is saved
          <div key={at} className="line">
            <SelectField
              label={`Empresa ${at + 1}`}
              hiddenLabel
              value={line.company}
              onChange={(company) => change(at, { company, branch: null })}
              choices={withOwn(
                companies.map(({ code, name }) => ({ value: code, text: `${code} · ${name}` })),
                line.company,
              )}
            />
            <SelectField
              label={`Filial ${at + 1}`}
              hiddenLabel
              value={line.branch ?? ''}
              onChange={(branch) => change(at, { ...line, branch: branch === '' ? null : branch })}
              choices={[
                { value: '', text: 'a empresa toda' },
                ...withOwn(
                  branches.map(({ code, name }) => ({ value: code, text: `${code} · ${name}` })),
                  line.branch ?? undefined,
                ),
              ]}
            />
            <Button
              kind="quiet"
              icon="trash"
              aria-label={`Retirar a empresa ${at + 1}`}
              onClick={() => onChange(value.filter((_, index) => index !== at))}
            />
          </div>
        );
      })}
      {companies.length > 0 && (
        <Button icon="plus" onClick={() => onChange([...value, { company: companies[0]!.code, branch: null }])}>
          Empresa
        </Button>
      )}
    </fieldset>
  );
}

/** One that was removed since is still shown. */
function withOwn(choices: readonly { value: string; text: string }[], own: string | undefined) {
  const isThere = own === undefined || choices.some(({ value }) => value === own);
  return isThere ? choices : [...choices, { value: own, text: own }];
}
