import type { AccountId } from '../../../accounting/ids.ts';
import type { Day } from '../../../accounting/period.ts';

/**
 * The fields of a record, listed once. From the list come the request's and the response's schema (http/field-schemas.ts),
 * the columns of insert, update and select (field-columns.ts), the columns of a CSV import (table-imports/read-fields.ts)
 * and the types `RowOf` and `InputOf`.
 */
export type Fields = Readonly<Record<string, Field>>;

/** `defaulted`: a request may leave it out, the column's default then applies; a row always has it. */
type Presence = 'required' | 'optional' | 'defaulted';

type FieldKind =
  | 'text'
  | 'code'
  | 'name'
  | 'cnpj'
  | 'zipCode'
  | 'day'
  | 'dayAndMonth'
  | 'flag'
  | 'oneOf'
  | 'integer'
  | 'id'
  | 'uuid'
  | 'percentage'
  | 'decimal'
  | 'array'
  | 'json';

interface FieldOptions {
  /** In the documentation of requests and answers. */
  readonly example?: unknown;
  /** Headings of its CSV column beside its own name; a field without is in no CSV file. */
  readonly csv?: readonly string[];
  /** Documented, and written where a request says nothing; without it, the default of the column applies. */
  readonly default?: boolean | number | string;
  /** Where its column is not its name in snake case. */
  readonly column?: string;
}

export interface Field<Value = unknown, Given extends Presence = Presence> extends FieldOptions {
  readonly kind: FieldKind;
  readonly presence: Given;
  /** Maximum number of characters of a text; largest integer. */
  readonly max?: number;
  readonly min?: number;
  /** Form of a text that is not empty. */
  readonly pattern?: Pattern;
  readonly values?: readonly string[];
  /** Never set: carries the type. */
  readonly valueType?: Value;
}

interface Pattern {
  readonly form: RegExp;
  /** What is wrong with a text of another form. */
  readonly reason: 'NO_STATE' | 'NO_IBGE_CODE';
}

type ValueOf<F> = F extends Field<infer Value> ? Value : never;
type OptionalNames<F extends Fields> = {
  [Name in keyof F]: F[Name]['presence'] extends 'required' ? never : Name;
}[keyof F];

/** A row: what is optional is null where nothing was given. */
export type RowOf<F extends Fields> = {
  readonly [Name in keyof F]: F[Name]['presence'] extends 'optional' ? ValueOf<F[Name]> | null : ValueOf<F[Name]>;
};

/** What is written: only what is required must be there. */
export type InputOf<F extends Fields> = {
  readonly [Name in Exclude<keyof F, OptionalNames<F>>]: ValueOf<F[Name]>;
} & { readonly [Name in OptionalNames<F>]?: ValueOf<F[Name]> | undefined };

export const required = fieldsOfPresence('required');
export const optional = fieldsOfPresence('optional');
export const defaulted = fieldsOfPresence('defaulted');

function fieldsOfPresence<Given extends Presence>(presence: Given) {
  const plain =
    <Value>(kind: FieldKind) =>
    (options: FieldOptions = {}): Field<Value, Given> => ({ kind, presence, ...options });
  const limited =
    (kind: FieldKind) =>
    (max: number, options: FieldOptions & { readonly pattern?: Pattern } = {}): Field<string, Given> => ({
      kind,
      presence,
      max,
      ...options,
    });
  return {
    text: limited('text'),
    code: limited('code'),
    /** As people read it: nothing invisible, no mixed scripts. */
    name: limited('name'),
    /** 14 characters, without punctuation. */
    cnpj: plain<string>('cnpj'),
    /** 8 digits. */
    zipCode: plain<string>('zipCode'),
    day: plain<Day>('day'),
    /** DD/MM of any year. */
    dayAndMonth: plain<string>('dayAndMonth'),
    flag: plain<boolean>('flag'),
    id: plain<number>('id'),
    accountId: plain<AccountId>('id'),
    /** 0 to 100, as NUMERIC text with up to six decimals. */
    percentage: plain<string>('percentage'),
    uuid: plain<string>('uuid'),
    /** NUMERIC text. Its schemas, as those of the two below, are defined by the service that shows it. */
    decimal: plain<string>('decimal'),
    /** A column of an array type. */
    array: <Element>(options: FieldOptions = {}): Field<readonly Element[], Given> => ({
      kind: 'array',
      presence,
      ...options,
    }),
    /** A JSONB column. */
    json: <Value>(options: FieldOptions = {}): Field<Value, Given> => ({ kind: 'json', presence, ...options }),
    integer: (min: number, max: number, options: FieldOptions = {}): Field<number, Given> => ({
      kind: 'integer',
      presence,
      min,
      max,
      ...options,
    }),
    oneOf: <const Values extends readonly string[]>(
      values: Values,
      options: FieldOptions = {},
    ): Field<Values[number], Given> => ({ kind: 'oneOf', presence, values, ...options }),
  };
}
