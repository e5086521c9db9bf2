import { useSearchParams } from '../../data/search-params.ts';
import { SelectField } from '../../ui/text-field.tsx';

const VIEWS = [
  { value: 'dias', text: 'Cotas diárias' },
  { value: 'mes', text: 'Cota do mês consolidado' },
  { value: 'taxas', text: 'Taxas do fundo' },
] as const;

/** What the screen shows. */
export function ViewChoice({ value }: { readonly value: (typeof VIEWS)[number]['value'] }) {
  const [, setSearch] = useSearchParams();
  return (
    <SelectField
      label="Mostrar"
      hiddenLabel
      value={value}
      choices={VIEWS}
      onChange={(ver) => setSearch({ ver: ver === 'dias' ? undefined : ver }, { push: true })}
    />
  );
}
