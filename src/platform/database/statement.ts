import { Sql as Fragment, join } from 'sql-template-tag';

/** What a statement may carry besides SQL: values, sent as parameters, and fragments, whose own values it takes over. */
export type Value =
  | Fragment
  | string
  | number
  | bigint
  | boolean
  | Date
  | Uint8Array
  | null
  | readonly (string | number | boolean | Uint8Array | null)[];

/** Only `SQL` makes one, so that no text of a caller becomes part of a statement: others see its type alone. */
class Statement extends Fragment {
  readonly #name: string | undefined;
  readonly #text: string | undefined;

  constructor(strings: readonly string[], values: readonly Value[], name?: string, text?: string) {
    super(strings, values);
    this.#name = name;
    this.#text = text;
  }

  override get text(): string {
    return this.#text ?? super.text;
  }

  /** Makes it a prepared statement of the connection, for hot paths: its text must then always be the same. */
  get name(): string | undefined {
    return this.#name;
  }
}

export type { Fragment, Statement };

/** Columns of a table with what is written into them. */
export type Row = Readonly<Record<string, Value>>;

type Tag = (strings: TemplateStringsArray, ...values: readonly Value[]) => Statement;

/** Stands in a statement for what it is given each time it is sent. */
class Parameter {
  readonly of: string;

  constructor(of: string) {
    this.of = of;
  }
}

type Given = Readonly<Record<string, Value>>;

/**
 * A named statement whose text is made once: to put 100 lines of SQL together anew takes longer than to send them. What
 * is given is one parameter of the statement, wherever and however often it stands. Such a statement cannot be part of
 * another.
 */
function preparedStatement<Input extends Given>(
  name: string,
  write: (given: { readonly [Name in keyof Input]: Fragment }) => Fragment,
): (input: Input) => Statement {
  const places: (keyof Input)[] = [];
  const parameters = new Proxy({} as { readonly [Name in keyof Input]: Fragment }, {
    get: (_, of: string) => new Fragment(['', ''], [new Parameter(of)]),
  });
  const { strings, values } = write(parameters);
  let text = strings[0]!;
  values.forEach((value, at) => {
    if (!(value instanceof Parameter)) throw new Error(`${name} has a value that is not given to it`);
    if (!places.includes(value.of)) places.push(value.of);
    text += `$${places.indexOf(value.of) + 1}${strings[at + 1]}`;
  });
  const between = Array<string>(places.length + 1).fill('');
  return (input) =>
    new Statement(
      between,
      places.map((place) => input[place]!),
      name,
      text,
    );
}

const tag: Tag = (strings, ...values) => new Statement(strings, values);

/**
 * SQL`SELECT … WHERE account.id = ${id}`: the values number themselves and are sent as parameters; a fragment among
 * them, itself written with SQL, becomes part of the text.
 */
export const SQL = Object.assign(tag, {
  /** SQL.named('account-of')`…` is prepared once a connection. The driver rejects another text under the same name. */
  named:
    (name: string): Tag =>
    (strings, ...values) =>
      new Statement(strings, values, name),
  /** SQL.prepared<{ id: number }>('account-of', ({ id }) => SQL`…`): the same for the hottest paths, called with `{ id }`. */
  prepared: preparedStatement,
  /** The name of a table, column or answer field, which must be a plain one: whatever else is in a text does not pass. */
  identifier(name: string): Fragment {
    if (!/^[a-z_]\w*(\.[a-z_]\w*)?$/i.test(name)) throw new Error(`not a name of the schema: ${name}`);
    const quoted = name.split('.').map((part) => (/[A-Z]/.test(part) ? `"${part}"` : part));
    return new Statement([quoted.join('.')], []);
  },
  /** A whole number as part of the text, for COPY, which takes no parameter. */
  integer(value: number): Fragment {
    if (!Number.isSafeInteger(value)) throw new Error(`not a whole number: ${value}`);
    return new Statement([String(value)], []);
  },
  /** The columns of a row to write, its values in the same order, and both as an UPDATE sets them. */
  columns: (row: Row): Fragment => SQL.join(Object.keys(row).map(SQL.identifier)),
  values: (row: Row): Fragment => SQL.join(Object.values(row).map((value) => SQL`${value}`)),
  assignments: (row: Row): Fragment =>
    SQL.join(Object.entries(row).map(([column, value]) => SQL`${SQL.identifier(column)} = ${value}`)),
  direction: (direction: 'ASC' | 'DESC'): Fragment => (direction === 'ASC' ? SQL`ASC` : SQL`DESC`),
  join: (fragments: readonly Fragment[], separator: ', ' | ' AND ' | ' UNION ALL ' = ', '): Fragment =>
    fragments.length === 0 ? SQL`` : join(fragments, separator),
});
