import type { Field, Fields, InputOf } from '../records/fields.ts';
import type { RowReader } from './row-reader.ts';

type Cells<Name extends string> = Pick<
  RowReader<Name>,
  'text' | 'code' | 'name' | 'cnpj' | 'zipCode' | 'day' | 'flag' | 'oneOf' | 'invalid'
>;

/** The columns of a file for those fields that have one: each by its own name and its other headings. */
export function csvColumns<F extends Fields>(fields: F): Record<keyof F & string, readonly string[]> {
  const columns = Object.entries(fields).flatMap(([name, { csv }]) => (csv ? [[name, [name, ...csv]]] : []));
  return Object.fromEntries(columns) as Record<keyof F & string, readonly string[]>;
}

/**
 * The cells of a row as the fields of the list. What is wrong with them goes to the file's problems; an empty cell
 * counts as absent, even where the field is required.
 */
export function readFields<F extends Fields>(
  cells: Cells<keyof F & string>,
  fields: F,
  options: { readonly strictCnpj: boolean },
): Partial<InputOf<F>> {
  const values = Object.entries(fields).flatMap(([name, field]) =>
    field.csv ? [[name, readField(cells, name, field, options)]] : [],
  );
  return Object.fromEntries(values) as Partial<InputOf<F>>;
}

function readField(
  cells: Cells<string>,
  name: string,
  field: Field,
  { strictCnpj }: { readonly strictCnpj: boolean },
): string | boolean | undefined {
  const { kind, max = 0, pattern, values = [] } = field;
  switch (kind) {
    case 'text': {
      const text = cells.text(name, max);
      if (text === undefined || !pattern || pattern.form.test(text)) return text;
      return cells.invalid(name, { reason: pattern.reason });
    }
    case 'code':
    case 'name':
      return cells[kind](name, max);
    case 'cnpj':
      return cells.cnpj(name, strictCnpj);
    case 'zipCode':
    case 'day':
    case 'flag':
      return cells[kind](name);
    case 'oneOf':
      return cells.oneOf(name, values);
    default:
      throw new Error(`no cell is read as ${kind}`);
  }
}
