import { useSearchParams } from '../data/search-params.ts';
import { SelectField } from './text-field.tsx';

export interface ViewChoiceProps<View extends string> {
  readonly views: readonly { readonly value: View; readonly text: string }[];
  readonly value: View;
}

/** What a screen shows. The first of its views is the one that its address need not name. */
export function ViewChoice<View extends string>({ views, value }: ViewChoiceProps<View>) {
  const [, setSearch] = useSearchParams();
  return (
    <SelectField
      label="Mostrar"
      hiddenLabel
      value={value}
      choices={views}
      onChange={(ver) => setSearch({ ver: ver === views[0]!.value ? undefined : ver }, { push: true })}
    />
  );
}
