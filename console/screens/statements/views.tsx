import { useSearchParams } from '../../data/search-params.ts';
import { SelectField } from '../../ui/text-field.tsx';

const VIEWS = [
  { value: 'BP', text: 'Balanço patrimonial' },
  { value: 'DRE', text: 'Resultado do exercício' },
  { value: 'livros', text: 'Livros emitidos' },
] as const;

export type View = (typeof VIEWS)[number]['value'];

/** What the screen shows. */
export function ViewChoice({ value }: { readonly value: View }) {
  const [, setSearch] = useSearchParams();
  return (
    <SelectField
      label="Mostrar"
      hiddenLabel
      value={value}
      choices={VIEWS}
      onChange={(ver) => setSearch({ ver: ver === 'BP' ? undefined : ver }, { push: true })}
    />
  );
}
