import { useSearchParams } from '../../data/search-params.ts';
import { SelectField } from '../../ui/text-field.tsx';

/** Key of figures: invalidated by whoever changes what stands on which line. */
export const STATEMENT_KEY = 'statement';

const VIEWS = [
  { value: 'BP', text: 'Balanço patrimonial' },
  { value: 'DRE', text: 'Resultado do exercício' },
  { value: 'DLPA', text: 'Lucros ou prejuízos acumulados' },
  { value: 'DMPL', text: 'Mutações do patrimônio líquido' },
  { value: 'livros', text: 'Livros emitidos' },
] as const;

export type View = (typeof VIEWS)[number]['value'];

export function titleOf(view: View): string {
  return VIEWS.find(({ value }) => value === view)!.text;
}

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
